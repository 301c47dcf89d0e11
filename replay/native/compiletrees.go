package native

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
)

// Published facts of compilebench 0.6's four lists of a kernel tree, 2.6.20
// and 2.6.21 clean and compiled.
const (
	cleanFiles    = 21_280      // of a clean tree
	cleanBytes    = 233_176_153 // 222.4 MiB
	cleanDirs     = 1_263       // below the tree's own
	cleanDepth    = 6           // parts of a file's path below the tree
	compiledFiles = 3_263       // that a compile adds
	compiledBytes = 713_696_760 // 680.6 MiB
	compiledEmpty = 410         // of them without content
	objectFiles   = 1_359       // of them object files
	objectBytes   = 476_787_507 // 454.7 MiB, known to a tenth
	patchFiles    = 6_136       // that the patch to 2.6.21 touches
	patchBytes    = 115_028_787 // 109.7 MiB, known to a tenth

	// Of the files that a compile of the patched tree adds only the sum is
	// known, to a MiB: compilebench prints 691 MB. Their number is put at
	// the same mean size.
	patchedCompiledFiles = 3_315
	patchedCompiledBytes = 725_090_304 // 691.5 MiB
)

// The published percentiles of a clean tree's file sizes; the least is taken
// to be 0.
var cleanKnots = []knot{
	{0, 0}, {.10, 390}, {.25, 1_303}, {.50, 4_055}, {.75, 11_141}, {.90, 26_112}, {.99, 96_959}, {1, 873_603},
}

// The published percentiles of what a compile adds, from the first file with
// content on.
func compiledKnots(files, empty int) []knot {
	e := float64(empty) / float64(files)
	k := []knot{{e, 64}, {.50, 14_813}, {.90, 197_600}, {.99, 2_800_000}, {1, 64_081_981}}
	for i := range k {
		k[i].share = (k[i].share - e) / (1 - e)
	}
	return k
}

// treeFile is one file of a list.
type treeFile struct {
	Name string // below the tree, with slashes
	Size int64
}

// treeLists are the four lists that compilebench works with.
type treeLists struct {
	// Clean is a clean tree. Compiled is what a compile adds to it. Patch
	// and PatchedCompiled are used to learn the file-system's order alone.
	Clean, Compiled, Patch, PatchedCompiled []treeFile
}

// compileLists returns the lists for a seed. Numbers of files, sums of bytes,
// empty files, the number of folders, the greatest size and the number of
// object files are the published ones exactly, whatever the seed; the sizes
// lie on a curve through the published percentiles; names, and which folder
// holds how much, are made up: about 17 files a folder with a long tail.
//
// With share below 1 each list keeps that share of its files, evenly from all
// sizes and folders.
func compileLists(seed uint64, share float64) treeLists {
	rng := newRand(seed, 1)
	dirs := treeDirs(rng)
	var t treeLists
	t.Clean = treeFiles(rng, dirs, true, sizesOf(cleanFiles, cleanBytes, cleanKnots), sources)
	t.Compiled = compiledList(rng, dirs, compiledFiles, compiledEmpty, compiledBytes, objectFiles, objectBytes)
	t.PatchedCompiled = compiledList(rng, dirs, patchedCompiledFiles, compiledEmpty, patchedCompiledBytes, objectFiles, objectBytes)
	// A patched file is one of the tree's: the greater files are patched
	// more often, as the mean size says.
	patch := make([]knot, len(cleanKnots))
	for i, k := range cleanKnots {
		patch[i] = knot{k.share, k.size * 3 / 2}
	}
	patch[len(patch)-1].size = cleanKnots[len(cleanKnots)-1].size
	for i, size := range shuffled(rng, sizesOf(patchFiles, patchBytes, patch)) {
		t.Patch = append(t.Patch, treeFile{t.Clean[i*cleanFiles/patchFiles].Name, size})
	}
	if share < 1 {
		for _, list := range []*[]treeFile{&t.Clean, &t.Compiled, &t.Patch, &t.PatchedCompiled} {
			*list = thin(*list, share)
		}
	}
	return t
}

// thin keeps a share of a list, at least one file.
func thin(list []treeFile, share float64) []treeFile {
	keep := max(1, int(float64(len(list))*share))
	out := make([]treeFile, keep)
	for i := range out {
		out[i] = list[i*len(list)/keep]
	}
	return out
}

// sumOf returns the bytes of a list.
func sumOf(list []treeFile) int64 {
	var sum int64
	for _, f := range list {
		sum += f.Size
	}
	return sum
}

func shuffled(rng *rand.Rand, sizes []int64) []int64 {
	shuffle(rng, sizes)
	return sizes
}

// treeDirs returns the folders of a tree, "" first, parents before children.
func treeDirs(rng *rand.Rand) []string {
	dirs := []string{""}
	depth := []int{0}
	for i := 0; len(dirs) <= cleanDirs; i++ {
		// The first twenty stand at the top, others below one that is
		// there already; the late ones tend to stand low.
		parent := 0
		if len(dirs) > 20 {
			parent = 1 + rng.IntN(len(dirs)-1)
			if depth[parent] == cleanDepth-1 {
				continue
			}
		}
		dirs = append(dirs, path.Join(dirs[parent], word(rng, 3, 10)+strconv.FormatInt(int64(len(dirs)), 36)))
		depth = append(depth, depth[parent]+1)
	}
	return dirs
}

// The endings of a source tree's files, by how common they are.
var sources = []string{".c", ".c", ".c", ".c", ".h", ".h", ".h", ".h", ".S", ".txt", "", ".h", ".c"}

// treeFiles spreads files of the sizes over the folders. With all, every
// folder gets one at least.
func treeFiles(rng *rand.Rand, dirs []string, all bool, sizes []int64, endings []string) []treeFile {
	shuffle(rng, sizes)
	// Few folders hold much: the weight of one is the square of a number.
	weights := make([]float64, len(dirs))
	sum := 0.0
	for i := range weights {
		x := rng.Float64()
		sum += x * x
		weights[i] = sum
	}
	files := make([]treeFile, len(sizes))
	for i, size := range sizes {
		at, _ := slices.BinarySearch(weights, rng.Float64()*sum)
		at = min(at, len(dirs)-1)
		if all && i < len(dirs) {
			at = i
		}
		name := fmt.Sprintf("%s%s%s", word(rng, 2, 9), strconv.FormatInt(int64(i), 36), endings[rng.IntN(len(endings))])
		files[i] = treeFile{path.Join(dirs[at], name), size}
	}
	return files
}

// compiledList returns what a compile adds: the object files are those whose
// sum comes out nearest to objectBytes.
func compiledList(rng *rand.Rand, dirs []string, n, empty int, total int64, objects int, objectBytes int64) []treeFile {
	sizes := make([]int64, empty, n)
	sizes = append(sizes, sizesOf(n-empty, total, compiledKnots(n, empty))...)
	files := treeFiles(rng, dirs, false, sizes, []string{""})
	object := make([]bool, n)
	var in, out []int
	sum := int64(0)
	for i, f := range files {
		if f.Size > 0 && len(in) < objects {
			in, object[i], sum = append(in, i), true, sum+f.Size
		} else if f.Size > 0 {
			out = append(out, i)
		}
	}
	// Exchange pairs as long as that brings the sum nearer.
	for range 200_000 {
		a, b := rng.IntN(len(in)), rng.IntN(len(out))
		next := sum - files[in[a]].Size + files[out[b]].Size
		if distance(next, objectBytes) < distance(sum, objectBytes) {
			object[in[a]], object[out[b]] = false, true
			in[a], out[b] = out[b], in[a]
			sum = next
		}
	}
	for i := range files {
		if object[i] {
			files[i].Name += ".o"
		} else {
			files[i].Name += ".cmd"
		}
	}
	return files
}

func distance(a, b int64) int64 {
	if a > b {
		return a - b
	}
	return b - a
}

// word returns lower-case letters.
func word(rng *rand.Rand, least, most int) string {
	b := make([]byte, least+rng.IntN(most-least+1))
	for i := range b {
		b[i] = 'a' + byte(rng.IntN(26))
	}
	return string(b)
}

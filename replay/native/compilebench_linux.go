package native

import (
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/internal/phrase"
)

// compileDir is the folder that compilebench works in.
const compileDir = "compilebench"

// compilePiece is the size of one write or read.
const compilePiece = 256 << 10

// In which order compilebench takes ten trees: it is a matter of its seed, 555,
// and has been seen to be this one with Python 3. The random numbers of the
// Python 2 that the published runs used may give another.
var (
	compileOrder = []int{1, 6, 2, 4, 9, 7, 5, 3, 0, 8}
	readOrder    = []int{7, 6, 7}
)

// compilebench does what compilebench 0.6 does with -i TREES --makej: it
// writes the list of a kernel tree (and two others) once to learn in which
// order the file-system lists it, then times how fast trees are created, get
// the files of a compile, and are read, and takes the arithmetic mean of the
// trees' rates. No file is synced inside a clock; between the parts all is,
// and before reading the caches are dropped where that is allowed, otherwise
// reading comes from memory, as it did in published runs without root.
//
// The published program is interpreted, and what that costs counts to its
// rates: where the disk or the cache is fast, those of this driver are higher.
//
// A clock is that of times(2), of 10 ms. Where a scaled tree takes less than
// one tick the fine clock counts instead and a warning says so.
//
// Not known, and so chosen: the order in which a tree is read is that of the
// directories (a folder's files before its folders).
func compilebench(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("compilebench", flag.ContinueOnError)
	trees := fs.Int("trees", 10, "trees")
	share := fs.Float64("share", 1, "share of each list's files")
	seed := fs.Uint64("seed", 555, "seed")
	drop := fs.Bool("drop-caches", false, "drop caches before reading")
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	if *trees < 1 || *trees > 10 {
		return nil, usagef("-trees %d: want 1 to 10", *trees)
	}
	if !(*share > 0 && *share <= 1) {
		return nil, usagef("-share %v: want above 0 and at most 1", *share)
	}
	b := &compileRun{run: r, report: newReport("compilebench", "1"), buf: make([]byte, compilePiece)}
	for i := range b.buf {
		b.buf[i] = 'a'
	}
	b.lists = compileLists(*seed, *share)
	f := b.report.Facts
	f["trees"], f["share"], f["seed"] = *trees, *share, *seed
	f["tree_files"], f["tree_bytes"] = len(b.lists.Clean), sumOf(b.lists.Clean)
	f["compiled_files"], f["compiled_bytes"] = len(b.lists.Compiled), sumOf(b.lists.Compiled)
	if *trees < 10 || *share < 1 {
		f["scaled"] = fmt.Sprintf("trees 10 -> %d, files a tree %d -> %d", *trees, cleanFiles, len(b.lists.Clean))
	}
	if err := claimDir(compileDir); err != nil {
		return nil, err
	}
	err := b.all(*trees, *seed, *drop)
	if removed := os.RemoveAll(compileDir); err == nil {
		err = removed
	}
	return b.report, err
}

// compileRun is one run of compilebench.
type compileRun struct {
	*run
	report *Report
	lists  treeLists
	buf    []byte
	made   map[string]bool // folders below compileDir

	files, bytes int64 // of the phase
}

func (b *compileRun) all(trees int, seed uint64, drop bool) error {
	if err := b.native(); err != nil {
		return err
	}
	shuffle(newRand(seed, 2), b.lists.Compiled)
	clean, compiled := b.lists.Clean, b.lists.Compiled
	n := int64(trees)

	if err := b.phase("initial-create", trees, func(i int) error { return b.write(kernel(i), clean) }); err != nil {
		return err
	}
	b.report.equal("files created", b.files, n*int64(len(clean)))
	b.report.equal("bytes created", b.bytes, n*sumOf(clean))
	syncAll()

	order := firstOf(compileOrder, trees)
	if err := b.phase("compile", trees, func(i int) error { return b.write(kernel(order[i]), compiled) }); err != nil {
		return err
	}
	b.report.equal("files compiled", b.files, n*int64(len(compiled)))
	b.report.equal("bytes compiled", b.bytes, n*sumOf(compiled))
	b.report.Facts["compile_order"] = order

	syncAll()
	b.dropped(drop)
	reads := slices.Clone(readOrder)
	for i := range reads {
		reads[i] %= trees
	}
	b.report.Facts["read_order"] = reads
	if err := b.phase("read-compiled-tree", len(reads), func(i int) error { return b.readTree(kernel(reads[i])) }); err != nil {
		return err
	}
	b.report.equal("files read", b.files, int64(len(reads)*(len(clean)+len(compiled))))
	b.report.equal("bytes read", b.bytes, int64(len(reads))*(sumOf(clean)+sumOf(compiled)))
	return nil
}

// firstOf returns the values of order below n.
func firstOf(order []int, n int) []int {
	var out []int
	for _, v := range order {
		if v < n {
			out = append(out, v)
		}
	}
	return out
}

func kernel(i int) string { return fmt.Sprintf("%s/kernel-%d", compileDir, i) }

// dropped drops the caches, or says that they are not.
func (b *compileRun) dropped(drop bool) {
	state := "dropped"
	if !drop {
		state = "kept"
	} else if err := dropCaches(); err != nil {
		state = "kept: " + err.Error()
	}
	b.report.Facts["caches_before_read"] = state
	if state != "dropped" {
		b.report.warn("caches were not dropped before reading: trees may be read from memory")
	}
}

// native writes three lists once each and puts them into the order in which
// the file-system lists them.
func (b *compileRun) native() error {
	for _, l := range []struct {
		name string
		list *[]treeFile
	}{{"unpatched", &b.lists.Clean}, {"patched", &b.lists.Patch}, {"patched-compiled", &b.lists.PatchedCompiled}} {
		dir := compileDir + "/native-0"
		start := time.Now()
		if err := b.write(dir, *l.list); err != nil {
			return err
		}
		b.report.Facts["native_"+l.name+"_seconds"] = time.Since(start).Seconds()
		at := make(map[string]int, len(*l.list))
		err := walk(dir, func(name string) error {
			at[strings.TrimPrefix(name, dir+"/")] = len(at)
			return b.stop()
		})
		if err != nil {
			return err
		}
		if len(at) != len(*l.list) {
			return fmt.Errorf("%s: it lists %s, %d were written", dir, phrase.Count(len(at), "file"), len(*l.list))
		}
		slices.SortFunc(*l.list, func(x, y treeFile) int { return at[x.Name] - at[y.Name] })
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		b.made = nil
	}
	return nil
}

// phase times n parts and makes the mean of their rates its sample.
func (b *compileRun) phase(name string, n int, part func(i int) error) error {
	b.files, b.bytes = 0, 0
	var rates, exact []float64
	short := 0
	for i := range n {
		before := b.bytes
		start, ticks := time.Now(), b.ticks()
		if err := part(i); err != nil {
			return err
		}
		fine := time.Since(start).Seconds()
		elapsed := float64(b.ticks()-ticks) / 100
		if elapsed == 0 {
			short++
			elapsed = fine
		}
		rates = append(rates, float64(b.bytes-before)/elapsed)
		exact = append(exact, float64(b.bytes-before)/fine)
	}
	if short > 0 {
		b.report.warn("%s: %d of %s took less than a clock tick, and %s of the fine clock", name, short, phrase.Count(n, "part"), phrase.Verb(short, "its time is", "their times are"))
	}
	b.report.sample(name, mean(rates), "B/s")
	b.report.Facts[name+"_rates"] = rates
	b.report.Facts[name+"_by_fine_clock"] = mean(exact)
	return nil
}

// processStart is when this process began, more or less.
var processStart = time.Now()

// ticks returns the time in whole hundredths of a second.
func (b *compileRun) ticks() int64 { return int64(time.Since(processStart) / (10 * time.Millisecond)) }

// write writes the files of a list below dir, and makes the folders that they
// need.
func (b *compileRun) write(dir string, list []treeFile) error {
	if b.made == nil {
		b.made = make(map[string]bool)
	}
	for _, f := range list {
		if err := b.stop(); err != nil {
			return err
		}
		name := dir + "/" + f.Name
		if err := b.folder(path.Dir(name)); err != nil {
			return err
		}
		fd, err := open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		for left := f.Size; left > 0 && err == nil; {
			n := min(left, compilePiece)
			err = write(fd, name, b.buf[:n])
			left -= n
		}
		if closed := closeFile(fd, name); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
		b.files++
		b.bytes += f.Size
	}
	return nil
}

// folder makes a folder below compileDir and those above it.
func (b *compileRun) folder(dir string) error {
	if b.made[dir] || dir == compileDir {
		return nil
	}
	if err := b.folder(path.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	b.made[dir] = true
	return nil
}

// readTree reads all files below dir.
func (b *compileRun) readTree(dir string) error {
	buf := make([]byte, compilePiece)
	return walk(dir, func(name string) error {
		if err := b.stop(); err != nil {
			return err
		}
		fd, err := open(name, syscall.O_RDONLY, 0)
		if err != nil {
			return err
		}
		for {
			n, err := read(fd, name, buf)
			b.bytes += int64(n)
			if err != nil {
				_ = closeFile(fd, name)
				return err
			}
			if n == 0 {
				break
			}
		}
		b.files++
		return closeFile(fd, name)
	})
}

// walk calls f with the files below dir in the order in which the file-system
// lists them: those of a folder first, then its folders.
func walk(dir string, f func(name string) error) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	entries, err := d.ReadDir(-1)
	if closed := d.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			if err := f(dir + "/" + e.Name()); err != nil {
				return err
			}
		}
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := walk(dir+"/"+e.Name(), f); err != nil {
				return err
			}
		}
	}
	return nil
}

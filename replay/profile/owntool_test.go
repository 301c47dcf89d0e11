package profile

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/native"
	"github.com/benchproof/benchproof/result"
)

// ownTools are tools as somebody has them who built those that nobody
// packages.
var ownTools = sharedTools{"iozone": "3.489", "ior": "3.3.0", "mpirun": "4.1.4", "compilebench": "", "blogbench": "1.1", "fio": "3.33"}

// ask4 resolves a row with the tools.
func ask4(t *testing.T, r Row, tools Tools, set map[string]string, scale float64, root bool) *Job {
	t.Helper()
	job, err := Find(r).Resolve(Request{Row: r, Set: set, Scale: scale, Tools: tools, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

func metric(t *testing.T, r *Reading, name string, value float64, detail string) {
	t.Helper()
	s, ok := r.Sample(name)
	if !ok || s.Value != value || s.Detail != detail {
		t.Errorf("%s: %+v (%v), want %v as %s", name, s, ok, value, detail)
	}
}

var (
	iozoneWrite = row("IOzone", "3.405", "Record Size: 4Kb - File Size: 8GB - Disk Test: Write Performance", "MB/s")
	iozoneRead  = row("IOzone", "3.405", "Record Size: 1MB - File Size: 512MB - Disk Test: Read Performance", "MB/s")
	treeCreate  = row("Compile Bench", "0.6", "Test: Initial Create", "MB/s")
	treeCompile = row("Compile Bench", "0.6", "Test: Compile", "MB/s")
	treeRead    = row("Compile Bench", "0.6", "Test: Read Compiled Tree", "MB/s")
	blogRead    = row("BlogBench", "1.1", "Test: Read", "Final Score")
	blogWrite   = row("BlogBench", "1.1", "Test: Write", "Final Score")
	ior16       = row("IOR", "3.3.0", "Block Size: 16MB - Disk Target: Default Test Directory", "MB/s")
	startXterm  = row("Application Start-up Time", "3.4.0", "Background I/O Mix: Only Sequential Reads - Application To Start: xterm - Disk Target: Default Test Directory", "sec")
	startWriter = row("Application Start-up Time", "2.4.0", "Background I/O Mix: Sequential Reads + Writes - Application To Start: LibreOffice Writer - Disk Target: Default Test Directory", "sec")
)

// The figures in the kept outputs were read by eye.
func TestIozoneOutputs(t *testing.T) {
	dir := kept(t, "iozone")
	job := ask4(t, iozoneRead, ownTools, nil, 1, false)
	r, err := job.Parse(one("iozone", readFile(t, filepath.Join(dir, "ext4_r1m_s512M_i0i1_read.txt"))))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, r, "")
	metric(t, r, "write", 569671*1024, "556.32")  // 569671 / 1024 = 556.319…
	metric(t, r, "read", 2572475*1024, "2512.18") // 2572475 / 1024 = 2512.182…
	metric(t, r, "reread", 5256610*1024, "5133.41")
	if job.Metric != "read" || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "3.489, published 3.405") {
		t.Errorf("metric %s, warnings %v", job.Metric, r.Warnings)
	}
	out := readFile(t, filepath.Join(dir, "ext4_r4k_s8G_i0_write.txt"))
	job = ask4(t, iozoneWrite, ownTools, nil, 1, false)
	if r, err = job.Parse(one("iozone", out)); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "")
	metric(t, r, "write", 286492*1024, "279.78") // 279.777…
	if _, ok := r.Sample("read"); ok {
		t.Error("what was not read has a figure")
	}
	// The older unit, another file, another run, and failures.
	text := string(out)
	if r, err = job.Parse(one("iozone", []byte(strings.ReplaceAll(text, "kB  reclen", "KB  reclen")))); err != nil || r.Broken() != "" {
		t.Errorf("KB: %v", err)
	}
	for old, want := range map[string]string{"  8388608 ": "file size in KiB", "       4   286492": "record size in KiB", "Include fsync": "fsync counts", "iozone test complete.": "test complete"} {
		other := " 4194304 "
		if !strings.HasPrefix(old, "  8") {
			other = "      64   286492"
		}
		if old[0] != ' ' {
			other = ""
		}
		if r, err = job.Parse(one("iozone", []byte(strings.Replace(text, old, other, 1)))); err != nil {
			t.Errorf("without %q: %v", old, err)
		} else {
			broken(t, r, want)
		}
	}
	for _, bad := range []string{"", text[:1200], text + "\nError writing block 5, fd= 3\nwrite: No space left on device\n"} {
		if r, err := job.Parse(one("iozone", []byte(bad))); err == nil {
			t.Errorf("a failure gives %+v", r)
		}
	}
	o := one("iozone", out)
	o.Steps[0].ExitCode = 1
	if _, err := job.Parse(o); err == nil {
		t.Error("exit code 1 gives figures")
	}
}

func TestCompilebenchOutputs(t *testing.T) {
	dir := kept(t, "compilebench")
	job := ask4(t, treeCreate, ownTools, nil, 1, true)
	for name, want := range map[string][3]string{
		"ext4_i10_makej_py3.txt":  {"82.43", "655.05", "295.54"},
		"xfs_i10_makej_py3.txt":   {"42.41", "379.53", "101.63"},
		"btrfs_i10_makej_py3.txt": {"35.97", "172.42", "154.42"},
	} {
		text := readFile(t, filepath.Join(dir, name))
		r, err := job.Parse(one("compilebench", text))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, r, "")
		for i, m := range []string{"initial-create", "compile", "read-compiled-tree"} {
			v, _ := strconv.ParseFloat(want[i], 64)
			metric(t, r, m, v*1048576, want[i])
		}
		if r, err = job.Parse(one("compilebench", []byte(strings.Replace(string(text), "compile dir kernel-4", "x", 1)))); err != nil {
			t.Error(err)
		} else {
			broken(t, r, "lines of trees")
		}
		if r, err = job.Parse(one("compilebench", []byte(strings.Replace(string(text), "create total runs 10", "create total runs 9", 1)))); err != nil {
			t.Error(err)
		} else {
			broken(t, r, "trees created")
		}
	}
	full := readFile(t, filepath.Join(dir, "ext4_i10_makej_py3_ENOSPC_6GiB.txt"))
	if _, err := job.Parse(one("compilebench", full)); err == nil || !strings.Contains(err.Error(), "No space left on device") {
		t.Errorf("a full disk: %v", err)
	}
}

func TestBlogbenchOutputs(t *testing.T) {
	dir := kept(t, "blogbench")
	for name, want := range map[string]struct {
		iterations  float64
		write, read string
	}{
		"xfs_i30_default_full.txt": {1, "810", "185067"},
		"xfs_i6.txt":               {0.2, "221", "30916"},
		"ext4_i6.txt":              {0.2, "230", "37476"},
		"btrfs_i6.txt":             {0.2, "95", "28209"},
	} {
		job := ask4(t, blogRead, ownTools, nil, want.iterations, false)
		text := readFile(t, filepath.Join(dir, name))
		r, err := job.Parse(one("blogbench", text))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, r, "")
		for m, score := range map[string]string{"write": want.write, "read": want.read} {
			v, _ := strconv.ParseFloat(score, 64)
			metric(t, r, m, v, score)
		}
		for from, to := range map[string]string{"Spawning 100 readers": "Spawning 10 readers", "Frequency = 10": "Frequency = 1"} {
			if r, err = job.Parse(one("blogbench", []byte(strings.Replace(string(text), from, to, 1)))); err != nil || r.Broken() == "" {
				t.Errorf("%s: %v, no invariant is broken", to, err)
			}
		}
		for _, bad := range []string{string(text[:700]), "open(\"blog-1/article-2.xml.tmp\"): No space left on device\n" + string(text), strings.Replace(string(text), "Final score for reads ", "x", 1)} {
			if _, err := job.Parse(one("blogbench", []byte(bad))); err == nil {
				t.Errorf("%.60q gives a score", bad)
			}
		}
	}
	// 6 intervals are not 30.
	job := ask4(t, blogRead, ownTools, nil, 1, false)
	r, err := job.Parse(one("blogbench", readFile(t, filepath.Join(dir, "xfs_i6.txt"))))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, r, "iterations")
}

func TestIOROutputs(t *testing.T) {
	dir := kept(t, "ior")
	two := ior16
	two.Machine.Cores = 2
	job := ask4(t, two, ownTools, nil, 1, false)
	out := readFile(t, filepath.Join(dir, "ext4_np2_b16m_i100_nofile.txt"))
	r, err := job.Parse(one("ior", out))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, r, "")
	metric(t, r, "write", 398.82*1048576, "398.82")
	if len(r.Samples) != 1 {
		t.Errorf("samples %+v", r.Samples)
	}
	// 20 repetitions, and a run of one process of 3.
	job = ask4(t, two, ownTools, nil, 0.2, false)
	if r, err = job.Parse(one("ior", readFile(t, filepath.Join(dir, "ext4_np2_b16m_i20.txt")))); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "")
	metric(t, r, "write", 429.41*1048576, "429.41")
	if r, err = job.Parse(one("ior", readFile(t, filepath.Join(dir, "xfs_nompirun.txt")))); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "processes: got 1, want 2")
	if r, err = job.Parse(one("ior", out)); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "repetitions: got 100, want 20")
	for name, want := range map[string]string{"asroot_without_flag.txt": "attempt to run as root", "np8_oversubscribe.txt": "not enough slots"} {
		if _, err := job.Parse(one("ior", readFile(t, filepath.Join(dir, name)))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"", string(out[:len(out)/2]), string(out) + "\nERROR: write(12, 0x1, 262144) failed, errno 28\n"} {
		if _, err := job.Parse(one("ior", []byte(bad))); err == nil {
			t.Errorf("%.40q gives a figure", bad)
		}
	}
}

// The suite S prints the arithmetic mean of its three starts in six digits;
// ours is printed like it.
func TestStartupOutputs(t *testing.T) {
	dir := kept(t, "startup-time")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 4 {
		t.Fatalf("%v, %v", files, err)
	}
	single := regexp.MustCompile(`(?m)^\s+Start-up time:\s+([\d.]+) sec`)
	average := regexp.MustCompile(`(?m)^Average start-up time: ([\d.]+)`)
	for _, name := range files {
		text := string(readFile(t, name))
		sum, n := 0.0, 0
		for _, m := range single.FindAllStringSubmatch(text, -1) {
			v, _ := strconv.ParseFloat(m[1], 64)
			sum += v
			n++
		}
		if got, want := startupText(native.Sample{Value: sum / 3}), average.FindStringSubmatch(text)[1]; n != 3 || got != want {
			t.Errorf("%s: %d starts, mean %s, printed %s", filepath.Base(name), n, got, want)
		}
	}
}

// reported makes a native driver's output.
func reported(t *testing.T, driver string, invariants []native.Invariant, facts map[string]any, samples ...native.Sample) []byte {
	t.Helper()
	text, err := json.Marshal(native.Report{Driver: driver, Version: "1", Samples: samples, Invariants: invariants, Facts: facts})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestNativeReadings(t *testing.T) {
	job := ask4(t, treeRead, sharedTools{}, nil, 1, false)
	if job.Fidelity != result.Reimplementation || job.Driver != "native compilebench" || job.Metric != "read-compiled-tree" {
		t.Errorf("%s, %s, %s", job.Fidelity, job.Driver, job.Metric)
	}
	good := []native.Invariant{{Name: "files read", OK: true, Got: "3", Want: "3"}}
	out := reported(t, "compilebench", good, map[string]any{"warnings": []string{"caches kept"}},
		native.Sample{Metric: "read-compiled-tree", Value: 100.5 * 1048576, Unit: "B/s"})
	r, err := job.Parse(one("compilebench", out))
	if err != nil {
		t.Fatal(err)
	}
	metric(t, r, "read-compiled-tree", 100.5*1048576, "100.50")
	broken(t, r, "")
	if len(r.Warnings) != 1 || r.Warnings[0] != "caches kept" {
		t.Errorf("warnings %v", r.Warnings)
	}
	if text, _ := job.Publish(r.Samples[0]); text != "100.50" {
		t.Errorf("published as %q", text)
	}
	bad := []native.Invariant{{Name: "files read", Got: "2", Want: "3"}}
	if r, err = job.Parse(one("compilebench", reported(t, "compilebench", bad, nil, native.Sample{Metric: "compile", Value: 1}))); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "files read: got 2, want 3")
	for _, text := range []string{"", "{}", string(reported(t, "iozone", nil, nil, native.Sample{Value: 1})), string(out) + "x"} {
		if r, err := job.Parse(one("compilebench", []byte(text))); err == nil {
			t.Errorf("%.40q is read as %+v", text, r)
		}
	}
	o := one("compilebench", nil)
	o.Steps[0].ExitCode, o.Steps[0].Stderr = 4, []byte("benchproof: error: native compilebench: write x: no space left on device\n")
	if _, err := job.Parse(o); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("a failure: %v", err)
	}
}

// Whatever a tool prints, its parser gives samples that are above 0 and that
// it has a figure for, or an error.
func FuzzOwnParsers(f *testing.F) {
	for _, pattern := range []string{"iozone/*.txt", "compilebench/*.txt", "blogbench/*.txt", "ior/*.txt"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "tool-outputs", pattern))
		for _, name := range files {
			if text, err := os.ReadFile(name); err == nil {
				f.Add(string(text))
			}
		}
	}
	f.Add("kB reclen\n 8388608 4 99999999999999999999999 5\niozone test complete.")
	f.Add("intial create total runs 10 avg ... MB/s")
	f.Add("Summary of all tests:\nwrite 1 2 3 4 5")
	f.Add("Final score for writes: 99999999999999999999999999\nFinal score for reads : 1")
	rank := ior16
	rank.Machine.Cores = 2
	var jobs []*Job
	for _, r := range []Row{iozoneWrite, iozoneRead, treeRead, blogRead, rank} {
		job, err := Find(r).Resolve(Request{Row: r, Scale: 1, Tools: ownTools})
		if err != nil {
			f.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, job := range jobs {
			r, err := job.Parse(one(job.Steps[0].Name, []byte(text)))
			if err != nil {
				continue
			}
			for _, s := range r.Samples {
				if math.IsInf(s.Value, 0) || !(s.Value >= 0) || s.Detail == "" || job.Profile[:8] != "pts/blog" && s.Value == 0 {
					t.Errorf("%s: %+v", job.Profile, s)
				}
				if text, reason := job.Publish(s); text != "" || reason == "" {
					if _, ok := result.ParseNumber(text); !ok {
						t.Errorf("%s: %+v is published as %q", job.Profile, s, text)
					}
				}
			}
			if len(r.Samples) == 0 || len(r.Invariants) == 0 {
				t.Errorf("%s: %+v", job.Profile, r)
			}
		}
	})
}

// A start-up without its load is no start-up.
func TestStartupParse(t *testing.T) {
	job := ask4(t, startXterm, ownTools, nil, 1, true)
	replay := Output{Name: "startup-time", Stdout: reported(t, "startup-time", nil, nil, native.Sample{Metric: "start-up", Value: 4.20389566, Unit: "s"})}
	load := func(text string) *Outputs {
		return &Outputs{Steps: []Output{{Name: "load", Stderr: []byte(text)}, replay}}
	}
	r, err := job.Parse(load("\nfio: terminating on signal 15\n"))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, r, "")
	metric(t, r, "start-up", 4.20389566, "4.2039") // as S prints: ext4_r_xterm
	if r, err = job.Parse(load("all done\n")); err != nil {
		t.Fatal(err)
	}
	broken(t, r, "load ran until it was stopped")
	for _, text := range []string{"fio: pid=7, err=28/file:filesetup.c:240, func=write, error=No space left on device", "fio: io_u error on file startup-load-read-0: Input/output error: read offset=0, error=5"} {
		if _, err := job.Parse(load(text + "\nfio: terminating on signal 15\n")); err == nil {
			t.Errorf("%q counts", text)
		}
	}
	if _, err := job.Parse(&Outputs{Steps: []Output{replay}}); err == nil {
		t.Error("no load counts")
	}
}

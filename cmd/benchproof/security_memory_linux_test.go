package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What doc/security.md says of memory: a command takes at most so much, in
// bytes, so much more a byte of its inputs as they are unpacked, and so much more
// a pair of systems of a test, where it compares all of them.
const (
	memoryBase = 256 << 20
	memoryEach = 256
	memoryPair = 4 << 10
)

// peakName is the name under which this program is the command, and writes its
// peak of memory, in KiB, into the file that peakVar names: what a process is
// said to have had begins with what the one had that it was forked of.
const (
	peakName = "benchproof-peak"
	peakVar  = "BENCHPROOF_PEAK"
)

func init() {
	programs[peakName] = func() {
		code := mainExit(os.Args[1:])
		if err := os.WriteFile(os.Getenv(peakVar), []byte(strconv.Itoa(peak())), 0o666); err != nil {
			code = 99
		}
		os.Exit(code)
	}
}

// memoryInput is a file that takes much memory for its size.
type memoryInput struct {
	name  string
	data  []byte
	pairs int // of systems, over its tests
}

// memoryInputs are results of about so many bytes: of many empty elements, of
// one system and many tests, of many systems, and the same in all forms.
func memoryInputs(t *testing.T, size int) []memoryInput {
	t.Helper()
	repeated := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Repeat(append(data, '\n'), 1+size/len(data))
	}
	record := func(systems int) memoryInput {
		var b strings.Builder
		b.WriteString(`{"schema":"benchproof/result/1","files":[{"title":"m","source":"m","format":"record","systems":[`)
		for i := range systems {
			fmt.Fprintf(&b, `%s{"identifier":"S%d"}`, strings.Repeat(",", min(i, 1)), i)
		}
		b.WriteString(`],"tests":[`)
		tests := 0
		for ; b.Len() < size; tests++ {
			fmt.Fprintf(&b, `%s{"title":"T%d","scale":"s","proportion":"LIB","measurements":[`, strings.Repeat(",", min(tests, 1)), tests)
			for i := range systems {
				fmt.Fprintf(&b, `%s{"system_index":%d,"value":"%d.%02d"}`, strings.Repeat(",", min(i, 1)), i, tests+1, i)
			}
			b.WriteString(`]}`)
		}
		b.WriteString(`]}]}`)
		return memoryInput{fmt.Sprintf("record of %d", systems), []byte(b.String()), tests * systems * (systems - 1) / 2}
	}
	const empty = "<Result/>"
	return []memoryInput{
		record(1), record(24),
		{"empty elements", []byte("<PhoronixTestSuite>" + strings.Repeat(empty, size/len(empty)) + "</PhoronixTestSuite>"), 0},
		{"composites", repeated("../../samples/kitchen-sink.xml"), 0},
		{"text", repeated("testdata/input/small.txt"), 0},
		{"marks", []byte(strings.Repeat("<b>", size/3)), 0},
		{"brackets", []byte(strings.Repeat(`[{"`, size/3)), 0},
		{"quotes", []byte("source,title,test,version,profile,\n" + strings.Repeat(`"a,",`, size/5)), 0},
		{"bars", []byte(strings.Repeat("A . 1.0 |=", size/10)), 0},
	}
}

// TestSecurityMemory holds commands to what is said of their memory: check on
// every form, and those that hold most on results of many tests and of many
// systems. make torture tries all on larger ones.
func TestSecurityMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some processes on inputs of a MB")
	}
	doc, err := os.ReadFile("../../doc/security.md")
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(string(doc)), " ")
	for _, want := range []string{fmt.Sprintf("%d MiB and %d bytes for each byte", memoryBase>>20, memoryEach), fmt.Sprintf("%d KiB for each pair", memoryPair>>10)} {
		if !strings.Contains(said, want) {
			t.Errorf("doc/security.md does not say %q", want)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sizes, all := []int{600_000}, false
	if os.Getenv(tortureCountVar) != "" {
		sizes, all = []int{1_000_000, 10_000_000}, true
	}
	dir := t.TempDir()
	for _, size := range sizes {
		for n, in := range memoryInputs(t, size) {
			path := filepath.Join(dir, "in"+strconv.Itoa(n))
			if err := os.WriteFile(path, in.data, 0o666); err != nil {
				t.Fatal(err)
			}
			commands := []string{"check IN"}
			switch {
			case all && n < 3:
				commands = append(commands, "show IN", "explain IN --test .", "compare IN", "rank IN", "report IN -o OUT.html", "merge IN IN -o OUT.json", "diff IN IN", "replay plan IN", "replay verify IN IN", "replay hosts IN",
					"corpus add IN --into OUT", "convert IN", "convert IN --layout wide", "convert IN -o OUT.json", "convert IN -o OUT.xml", "convert IN -o OUT.md", "convert IN -o OUT.txt", "convert IN -o OUT.xlsx", "convert IN -o OUT.sqlite", "convert IN -o OUT.parquet")
			case n == 0:
				commands = append(commands, "report IN -o OUT.html", "merge IN IN -o OUT.json")
			case n == 1:
				commands = append(commands, "compare IN", "replay verify IN IN")
			case n == 2:
				commands = append(commands, "show IN")
			}
			for k, c := range commands {
				if strings.HasPrefix(c, "replay verify") && in.pairs > 500_000 {
					continue // some GB, as is said
				}
				out := filepath.Join(dir, fmt.Sprintf("out%d-%d-%d", size, n, k))
				used, inputs := memoryOf(t, self, strings.Fields(strings.NewReplacer("IN", path, "OUT", out).Replace(c)), path)
				limit := memoryBase + memoryEach*len(in.data)*inputs
				if strings.HasPrefix(c, "replay verify") {
					limit += memoryPair * in.pairs
				}
				t.Logf("%-28s %-16s %5.1f MB: %5d MiB of %d", c, in.name, float64(len(in.data))/1e6, used>>20, limit>>20)
				if used > limit {
					t.Errorf("%s of %s, %d bytes: %d MiB, said are %d", c, in.name, len(in.data), used>>20, limit>>20)
				}
				if used < 8<<20 {
					t.Errorf("%s of %s: %d bytes of memory are no measurement", c, in.name, used)
				}
				_ = os.RemoveAll(out)
			}
		}
	}
}

// memoryOf returns the peak of a command's memory, in bytes, and how often path
// is among its inputs.
func memoryOf(t *testing.T, self string, args []string, path string) (used, inputs int) {
	t.Helper()
	for _, a := range args {
		if a == path {
			inputs++
		}
	}
	file := filepath.Join(t.TempDir(), "peak")
	c := &exec.Cmd{Path: self, Args: append([]string{peakName}, args...), Env: append(os.Environ(), peakVar+"="+file)}
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() > exitFailed {
		t.Fatalf("%q: %v: %.300s", args, err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%q: %v: %.300s", args, err, out)
	}
	kib, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10, inputs
}

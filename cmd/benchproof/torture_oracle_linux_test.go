package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchproof/benchproof/internal/torture"
	"github.com/benchproof/benchproof/result"
)

// tortureBase is what the command says of a file.
type tortureBase struct {
	code     int
	values   map[string]int // test, system and value
	count    int            // of measurements with a value
	findings map[string]int // by severity and code
	readable bool
}

// recordOf reads what convert wrote.
func recordOf(path string) (values map[string]int, count int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil {
		return nil, 0, err
	}
	values = map[string]int{}
	for _, f := range files {
		for i := range f.Tests {
			for j := range f.Tests[i].Measurements {
				m := &f.Tests[i].Measurements[j]
				if m.Value == "" {
					continue
				}
				count++
				if m.Decode == result.DecodeExact {
					values[m.Value]++
				}
			}
		}
	}
	return values, count, nil
}

// findingsOf reads what check printed.
func findingsOf(stdout []byte) map[string]int {
	var doc struct {
		Files []struct{ Inferred, Ambiguous, Failed, Missing int }

		Diagnostics []struct{ Severity, Code string }
	}
	found := map[string]int{}
	if json.Unmarshal(stdout, &doc) != nil {
		return found
	}
	for _, f := range doc.Files {
		found["inferred"] += f.Inferred
		found["ambiguous"] += f.Ambiguous
		found["failed"] += f.Failed
		found["missing"] += f.Missing
	}
	for _, d := range doc.Diagnostics {
		found[d.Severity+" "+d.Code]++
	}
	return found
}

// sound returns what the command says of a seed.
func (w *tortureWorker) sound(name string) *tortureBase {
	if b, ok := w.base[name]; ok {
		return b
	}
	b := &tortureBase{}
	w.base[name] = b
	// Beside what the step at hand has written.
	dir, err := os.MkdirTemp("tmp", "base")
	if err != nil {
		return b
	}
	defer os.RemoveAll(dir)
	path, record := filepath.Join(dir, "seed.dat"), filepath.Join(dir, "o.json")
	if os.WriteFile(path, w.seeds[name].Data, 0o666) != nil {
		return b
	}
	var stdout []byte
	b.code, stdout, _ = w.command([]string{"check", "--json", path}, nil, false)
	b.findings = findingsOf(stdout)
	w.command([]string{"convert", path, "-o", record}, nil, false)
	b.values, b.count, err = recordOf(record)
	b.readable = err == nil
	return b
}

// seen is what the first two steps of an input said.
func (o *tortureOutcome) believe() {
	switch o.s.name {
	case "check":
		o.w.base["\x00"] = &tortureBase{code: o.code, findings: findingsOf(o.stdout)}
		if o.code == exitOK {
			for f := range o.w.base["\x00"].findings {
				if strings.HasPrefix(f, "error ") {
					o.fault("check: %s and code 0", f)
				}
			}
		}
	case "convert json":
		o.believeRecord()
	default:
		b := o.w.base["\x00"]
		if b == nil {
			return
		}
		// What is read by one command is read by all. Wide, diff and others
		// of two inputs have their own word.
		if strings.HasPrefix(o.s.name, "convert") && o.code != exitUsage && o.code != exitFailed && (o.code == exitUnread) != (b.readable != true || b.count < 0) {
			o.fault("code %d, and convert to JSON was another: %.200s", o.code, o.stderr)
		}
		if !b.readable && o.s.out != "" && o.s.form != "pictures" && !strings.HasPrefix(o.s.name, "merge") {
			if _, err := os.Lstat(o.s.out); err == nil {
				o.fault("an output of what cannot be read")
			}
		}
	}
}

// believeRecord compares what an input gave with what its seed gives.
func (o *tortureOutcome) believeRecord() {
	now := o.w.base["\x00"]
	values, count, err := recordOf(o.s.out)
	now.values, now.readable = values, err == nil
	if o.code == exitUnread && err == nil {
		now.count = -1 // some could not be read: other commands say 3 too
	}
	lost := false
	for f := range now.findings {
		lost = lost || strings.HasPrefix(f, "error ")
	}
	switch {
	case o.code == exitOK && now.code == exitUnread:
		o.fault("check could not read what convert could: %v", now.findings)
	case o.code == exitUnread && now.code == exitOK:
		o.fault("convert could not read what check found sound: %.200s", o.stderr)
	case lost && o.code == exitOK && !bytes.Contains(o.stderr, []byte("error")):
		// check has errors of its own, about what was read.
	}
	if o.code != exitOK || now.code != exitOK || o.t.Seed == "" || o.t.Damage == torture.Unknown {
		return
	}
	base := o.w.sound(o.t.Seed)
	if !base.readable {
		return
	}
	said := newFindings(now.findings, base.findings)
	if count < base.count && !said && !o.wholeBeginning() {
		o.fault("lost: %d of %d values and no word of it", base.count-count, base.count)
	}
	if o.t.Damage == torture.Cut && !said {
		for v, n := range values {
			if n > base.values[v] {
				o.fault("made up: the value %q, which its sound form has %d times", v, base.values[v])
				break
			}
		}
	}
}

// newFindings reports whether there are findings that there were not.
func newFindings(now, base map[string]int) bool {
	for f, n := range now {
		if n > base[f] {
			return true
		}
	}
	return false
}

// wholeBeginning reports whether a cut input ends where something whole does,
// so that nobody can know that more came.
func (o *tortureOutcome) wholeBeginning() bool {
	if o.t.Damage != torture.Cut {
		return false
	}
	seed := o.w.seeds[o.t.Seed]
	rest := seed.Data[len(o.t.Data):]
	form := seed.Form
	if strings.HasSuffix(seed.Name, ".csv") && !strings.HasSuffix(seed.Name, ".raw.csv") {
		form = "csv" // its first line is a title
	}
	switch form {
	case "csv":
		return bytes.HasSuffix(o.t.Data, []byte("\n")) || bytes.HasPrefix(rest, []byte("\n"))
	case "text":
		end := bytes.HasSuffix(o.t.Data, []byte("\n")) || bytes.HasPrefix(rest, []byte("\n"))
		return end && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte("\n")) || bytes.HasSuffix(bytes.TrimRight(o.t.Data, " \t\r"), []byte("\n\n"))
	}
	return false
}

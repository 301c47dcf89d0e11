package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/internal/torture"
)

// severalEvery is how often an input is of several, or of a file that is none.
const severalEvery = 15

// What must come of a member of several inputs.
const (
	memberAny  = iota
	memberGood // it is read
	memberBad  // it is said that it cannot be read
)

// severalMember is one of several inputs.
type severalMember struct {
	kind  string
	path  string
	class int
	stop  func() // ends what is done to it meanwhile
}

// severalGood are two sound results, and what is in their output.
var severalGood = []string{"input/small.txt", "samples/kitchen-sink.xml"}

const severalMark = "SQLite"

// memberKinds are the ways to make a member at a path.
var memberKinds = []struct {
	name  string
	class int
	make  func(w *tortureWorker, m *severalMember, i uint64, r *rand.Rand) error
}{
	{"hostile", memberAny, func(w *tortureWorker, m *severalMember, i uint64, _ *rand.Rand) error {
		in := w.g.Input(i)
		if in.Heavy {
			in.Data = in.Data[:min(len(in.Data), 1<<16)]
		}
		return os.WriteFile(m.path, in.Data, 0o666)
	}},
	{"pipe", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		return w.pipe(m, w.seeds[severalGood[0]].Data)
	}},
	{"pipe cut", memberAny, func(w *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		data := w.seeds[severalGood[0]].Data
		return w.pipe(m, data[:r.IntN(len(data))])
	}},
	{"directory", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		if err := os.Mkdir(m.path, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(m.path, "good.txt"), w.seeds[severalGood[0]].Data, 0o666)
	}},
	{"directory of what is no file", memberAny, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		if err := os.Mkdir(m.path, 0o777); err != nil {
			return err
		}
		for name, to := range map[string]string{"zero.txt": "/dev/zero", "loop.xml": "loop.xml", "up.json": "..", "gone.csv": "nowhere", "proc.txt": "/proc/self"} {
			if err := os.Symlink(to, filepath.Join(m.path, name)); err != nil {
				return err
			}
		}
		return syscall.Mkfifo(filepath.Join(m.path, "pipe.xml"), 0o666)
	}},
	{"empty directory", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error { return os.Mkdir(m.path, 0o777) }},
	{"device", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		m.path = []string{"/dev/zero", "/dev/null", "/dev/full", "/dev/urandom"}[r.IntN(4)]
		return nil
	}},
	{"of the kernel", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		m.path = []string{
			"/proc/self/status", "/proc/self/mem", "/proc/self/environ", "/proc/kallsyms", "/proc/self/exe", "/proc/self/maps", "/proc/self/pagemap",
			"/proc/sys/kernel/ostype", "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/self/task/1/none", "/proc/version", "/proc/self/attr/current", "/proc/self/fd/77",
		}[r.IntN(13)]
		return nil
	}},
	{"growing", memberAny, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		data := w.seeds[severalGood[0]].Data
		return m.meanwhile(data, func() error {
			f, err := os.OpenFile(m.path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.Write(data)
			return err
		})
	}},
	{"rewritten", memberAny, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		turn := 0
		return m.meanwhile(w.seeds[severalGood[0]].Data, func() error {
			turn++
			return os.WriteFile(m.path, w.seeds[severalGood[turn%2]].Data, 0o666)
		})
	}},
	{"replaced", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		turn := 0
		return m.meanwhile(w.seeds[severalGood[0]].Data, func() error {
			turn++
			next := m.path + ".next"
			if err := os.WriteFile(next, w.seeds[severalGood[turn%2]].Data, 0o666); err != nil {
				return err
			}
			return os.Rename(next, m.path)
		})
	}},
	{"sparse", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		f, err := os.Create(m.path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Truncate(1 << 40)
	}},
	{"link", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
		to := m.path + ".to"
		if err := os.WriteFile(to, w.seeds[severalGood[0]].Data, 0o666); err != nil {
			return err
		}
		return os.Symlink(filepath.Base(to), m.path)
	}},
	{"no link", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		return os.Symlink([]string{filepath.Base(m.path), "nowhere", "/"}[r.IntN(2)], m.path)
	}},
	{"gone", memberBad, func(_ *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		m.path = []string{m.path, m.path + "/x", strings.Repeat("x", 300), strings.Repeat("x/", 2500), "in/\u202egone\x1b[2J\n", "in/\xff", "nul\x00"}[r.IntN(6)]
		return nil
	}},
	{"name", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, r *rand.Rand) error {
		name := []string{
			"-o", "--force", "-", "new\nline", "\x1b[2Jred", "\x1b]0;" + torture.Marker + "\a", "\u202eevil", "bad\xff\xfe", " ", "a=b", strings.Repeat("n", 255), "\u2028", "'\"$(x)`", "*?[", "x.gz", "=1+1", "~", "%s%n", "a\tb", "\r",
		}[r.IntN(20)]
		dir := m.path
		if r.IntN(4) == 0 { // a path of some 4 KB
			dir = filepath.Join(dir, strings.TrimSuffix(strings.Repeat(strings.Repeat("d", 200)+"/", 18), "/"))
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		m.path = dir + "/" + name
		return os.WriteFile(m.path, w.seeds[severalGood[0]].Data, 0o666)
	}},
}

// pipe makes a pipe that somebody writes into, once a reader is there.
func (w *tortureWorker) pipe(m *severalMember, data []byte) error {
	if err := syscall.Mkfifo(m.path, 0o666); err != nil {
		return err
	}
	path := m.path
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			return
		}
		_, _ = f.Write(data) // the reader may be gone
		f.Close()
	}()
	m.stop = func() {
		// Where nobody has read it, it is this one.
		if f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			defer f.Close()
		}
		<-ended
	}
	return nil
}

// meanwhile makes the file and has do done to it over and over until the member
// is stopped, or a thousand times.
func (m *severalMember) meanwhile(data []byte, do func() error) error {
	if err := os.WriteFile(m.path, data, 0o666); err != nil {
		return err
	}
	end := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for range 1000 {
			select {
			case <-end:
				return
			case <-time.After(time.Millisecond):
				if do() != nil {
					return
				}
			}
		}
	})
	m.stop = func() { close(end); wait.Wait() }
	return nil
}

// memberOfCorpus returns what must come of a member that is added to a corpus:
// that takes no pipe, for it reads twice, nothing that changes in between, and
// all that a directory holds, which may be nothing.
func memberOfCorpus(m *severalMember) int {
	switch m.kind {
	case "pipe", "pipe cut":
		return memberBad
	case "replaced", "empty directory":
		return memberAny
	}
	return m.class
}

// severalCommands are those that take several inputs; IN stands for them, OUT
// for the file that is written.
var severalCommands = []struct{ name, args, codes, form string }{
	{"merge", "merge IN -o out/m.json", "03", "json"},
	{"merge", "merge IN --format xml", "03", "xml"},
	{"compare", "compare IN", "03", "txt"},
	{"compare", "compare IN --json", "03", "json"},
	{"diff", "diff IN", "013", "txt"},
	{"report", "report IN -o out/o.html", "03", "html"},
	{"convert csv", "convert IN", "03", "csv"},
	{"convert xlsx", "convert IN -o out/o.xlsx", "03", "xlsx"},
	{"convert parquet", "convert IN -o out/o.parquet", "03", "parquet"},
	{"show", "show IN", "03", "txt"},
	{"check", "check IN --json", "013", "json"},
	{"explain", "explain IN --test .", "03", "txt"},
	{"rank", "rank IN --format csv", "03", "csv"},
	{"verify", "replay verify IN", "013", "txt"},
	{"plan", "replay plan IN", "03", "txt"},
	{"corpus add", "corpus add IN --into out/set", "03", "set"},
}

// severalInputs makes two inputs, and runs some commands on both.
func (w *tortureWorker) severalInputs(i uint64, r *rand.Rand) (tortureLine, error) {
	if err := layTarget(); err != nil {
		return tortureLine{}, err
	}
	way := memberKinds[int(i/severalEvery)%len(memberKinds)]
	line := tortureLine{Index: i, Kind: "two: " + way.name}
	t := &tortureInput{kind: line.Kind, path: "in", dir: true, what: "several"}
	for n := range 3 {
		other := memberKinds[r.IntN(len(memberKinds))]
		same := r.IntN(6) == 0
		goodFirst := r.IntN(2) == 0
		for _, dir := range []string{"in", "out", "tmp"} {
			if err := emptyDir(dir); err != nil {
				return line, err
			}
		}
		if err := layTarget(); err != nil {
			return line, err
		}
		var members []*severalMember
		add := func(kind string, class int, make func(*tortureWorker, *severalMember, uint64, *rand.Rand) error) error {
			m := &severalMember{kind: kind, class: class, path: filepath.Join("in", fmt.Sprintf("m%d", len(members)))}
			members = append(members, m)
			return make(w, m, i+uint64(n)*1000, r)
		}
		err := add(way.name, way.class, way.make)
		switch {
		case err != nil:
		case same:
			members = append(members, &severalMember{kind: "the same", class: members[0].class, path: members[0].path})
			if strings.HasPrefix(way.name, "pipe") {
				members = members[:1] // which is read once
			}
		case r.IntN(3) > 0:
			err = add("good", memberGood, func(w *tortureWorker, m *severalMember, _ uint64, _ *rand.Rand) error {
				return os.WriteFile(m.path, w.seeds[severalGood[0]].Data, 0o666)
			})
		default:
			err = add(other.name, other.class, other.make)
		}
		if err != nil {
			return line, err
		}
		if goodFirst {
			slices.Reverse(members)
		}
		ran := w.several(t, members, severalCommands[r.IntN(len(severalCommands))])
		for _, m := range members {
			if m.stop != nil {
				m.stop()
			}
		}
		line.Runs = append(line.Runs, ran)
	}
	return line, w.keepFaults(i, t, line.Runs)
}

// several runs one command on members and looks at what it did.
func (w *tortureWorker) several(t *tortureInput, members []*severalMember, c struct{ name, args, codes, form string }) tortureRun {
	s := tortureStep{name: c.name, codes: c.codes, form: c.form}
	var kinds []string
	bad, any := 0, 0
	for _, m := range members {
		kinds = append(kinds, m.kind)
		class := m.class
		if c.name == "corpus add" {
			class = memberOfCorpus(m)
		}
		switch class {
		case memberBad:
			bad++
		case memberAny:
			any++
		}
	}
	for a := range strings.FieldsSeq(c.args) {
		switch {
		case a == "IN":
			for _, m := range members {
				s.args = append(s.args, m.path)
			}
			continue
		case strings.HasPrefix(a, "out/") && c.form != "set":
			s.out = a
		}
		s.args = append(s.args, a)
	}
	s.args = append(s.args, "--max-input", "16MiB", "--progress", "none")
	ran := w.spawned(s.args...)
	o := &tortureOutcome{w: w, t: t, s: &s, code: ran.code, stdout: ran.stdout, stderr: ran.stderr, peak: ran.peak, cpu: ran.cpu}
	what := strings.Join(kinds, ", ")
	if ran.code < 0 {
		o.fault("%s: does not end: %.300q", what, ran.stderr)
	} else {
		o.ending()
		o.messages()
		o.places()
		o.output()
	}
	said := refusals.Match(ran.stderr)
	switch {
	case (ran.code == exitUsage || ran.code == exitFailed) && said: // of what was asked
	case bad > 0 && ran.code != exitUnread:
		o.fault("%s: code %d, and some cannot be read: %.300q", what, ran.code, ran.stderr)
	case bad+any == 0 && ran.code == exitUnread:
		o.fault("%s: code 3, and all can be read: %.300q", what, ran.stderr)
	}
	// The rest was processed.
	if good := len(members) - bad - any; good > 0 && ran.code == exitUnread && (c.name == "merge" || strings.HasPrefix(c.name, "convert csv") || c.name == "show") {
		data := ran.stdout
		if s.out != "" {
			var err error
			if data, err = os.ReadFile(s.out); err != nil {
				o.fault("%s: the good one was not processed: %v", what, err)
			}
		}
		if !bytes.Contains(data, []byte(severalMark)) && !slices.Contains(kinds, "replaced") {
			o.fault("%s: the good one was not processed: %.100q", what, data)
		}
	}
	return tortureRun{Command: "two: " + c.name, Args: append(s.args, what), Code: ran.code, CPU: ran.cpu, Peak: ran.peak, Faults: o.faults, Spawned: true}
}

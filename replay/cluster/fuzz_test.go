package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchproof/benchproof/result"
)

// FuzzJob: whatever the documents of a job say, reading it, asking for its
// status and gathering it ends with an answer that adds up, or with an error
// that names one of its files. Every result is an element's own, and nothing
// beside the job's directory is read.
func FuzzJob(f *testing.F) {
	dir, _ := madeJob(f)
	read := func(name string) []byte {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		return text
	}
	names := []string{
		filepath.Join(dir, jobFile), filepath.Join(dir, planFile), manifestFile(dir, 0), goFile(dir, 3),
		filepath.Join(ElementDir(dir, 1), resultFile), filepath.Join(ElementDir(dir, 2), "journal.jsonl"),
	}
	if err := writeJSON(names[3], &attempt{Place: Place{Element: 3, Host: "n2"}, State: stopped, Reason: "over"}); err != nil {
		f.Fatal(err)
	}
	whole := make([][]byte, len(names))
	for i, n := range names[:5] {
		whole[i] = read(n)
		f.Add(uint8(i), whole[i], "7|0|RUNNING|n1|1:02|None")
	}
	job := string(whole[0])
	f.Add(uint8(0), []byte(strings.Replace(job, `"a"`, ``, 1)), "") // an element without a target
	f.Add(uint8(0), []byte(strings.Replace(job, `"a"`, `"a","a","nobody's"`, 1)), "")
	f.Add(uint8(0), []byte(strings.Replace(job, `"minutes": 0`, `"minutes": -9223372036854775808`, 1)), "")
	f.Add(uint8(2), []byte(strings.Replace(string(whole[2]), `"done": 2`, `"done": -2`, 1)), "x|y")
	f.Add(uint8(2), []byte(strings.Replace(string(whole[2]), `"result.json"`, `"../../../etc/passwd"`, 1)), "8|3|PENDING||0:00|Resources\n9|3|COMPLETED|n2|1|")
	f.Add(uint8(3), []byte(`{"element":-1,"state":"failed","reason":"\u001b[31m","restart":-5}`), "9|3|TIMEOUT|n2|1|")
	f.Add(uint8(5), []byte(`{"event":"plan","id":"x"}`+"\n"), "")
	f.Fuzz(func(t *testing.T, which uint8, text []byte, queued string) {
		which %= uint8(len(names))
		if len(text) > 1<<16 {
			return
		}
		if err := os.WriteFile(names[which], text, 0o644); err != nil {
			t.Fatal(err)
		}
		defer func() {
			var err error
			if whole[which] == nil {
				err = os.Remove(names[which])
			} else {
				err = os.WriteFile(names[which], whole[which], 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}()
		// An element whose result has changed is vouched for anew.
		if which == 4 {
			m, err := (&Job{}).manifestOf(dir, 1)
			if err != nil {
				t.Fatal(err)
			}
			old := read(manifestFile(dir, 1))
			if err := writeJSON(manifestFile(dir, 1), m); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.WriteFile(manifestFile(dir, 1), old, 0o644); err != nil {
					t.Fatal(err)
				}
			}()
		}
		queue, err := parseQueue(queued)
		if err != nil {
			queue = nil
		}
		j, p, err := ReadJob(dir)
		if err != nil {
			namesFile(t, dir, err)
			return
		}
		for i, e := range j.Elements {
			if len(e.Targets) == 0 || len(e.Specs(p)) != len(e.Targets) {
				t.Errorf("element %d: targets %q, of which there are %d", i, e.Targets, len(e.Specs(p)))
			}
		}
		if j.ownLimit() < 0 {
			t.Errorf("a limit of %v", j.ownLimit())
		}
		s := &Status{Dir: dir}
		if err := j.read(s, p, queue); err != nil {
			namesFile(t, dir, err)
		} else {
			checkStatus(t, j, s)
		}
		g, err := Gather(dir)
		if err != nil {
			namesFile(t, dir, err)
			return
		}
		if len(g.Files)+len(g.Missing) != len(j.Elements) {
			t.Errorf("%d results and %d missing of %d elements", len(g.Files), len(g.Missing), len(j.Elements))
		}
		if g.Incomplete < 0 {
			t.Errorf("%d runs were given up", g.Incomplete)
		}
		for _, file := range g.Files {
			host := ""
			for i := range file.Systems {
				at := slices.IndexFunc(file.Systems[i].Notes, func(c result.Component) bool { return c.Key == result.HostNote })
				if n := len(file.Systems[i].Notes); at < 0 || host != "" && file.Systems[i].Notes[n-2].Value != host {
					t.Fatalf("system %+v of host %q", file.Systems[i], host)
				}
				host = file.Systems[i].Notes[len(file.Systems[i].Notes)-2].Value
				if !strings.HasPrefix(file.Systems[i].Identifier, host) {
					t.Errorf("host %s has the system %q", host, file.Systems[i].Identifier)
				}
			}
			var doc bytes.Buffer
			if err := result.EncodeJSON(&doc, []*result.File{file}); err != nil {
				t.Fatal(err)
			}
			if _, err := result.DecodeJSON(&doc); err != nil {
				t.Errorf("what is gathered is not read: %v", err)
			}
		}
	})
}

// manifestOf returns the manifest of an element as it lies there, for the files
// that are there now.
func (j *Job) manifestOf(dir string, element int) (*manifest, error) {
	var m manifest
	if err := readJSON(manifestFile(dir, element), &m); err != nil {
		return nil, err
	}
	m.Files = nil
	err := eachFile(ElementDir(dir, element), func(name, path string) error {
		v, err := vouch(path)
		v.Name = name
		m.Files = append(m.Files, v)
		return err
	})
	return &m, err
}

// namesFile makes sure that an error is of one line of text and names a file of
// the job.
func namesFile(t *testing.T, dir string, err error) {
	t.Helper()
	var damage *DamageError
	if errors.As(err, &damage) {
		return
	}
	if text := err.Error(); !strings.Contains(text, dir) && !errors.Is(err, fs.ErrNotExist) || !utf8.ValidString(text) || strings.Contains(text, "\n") {
		t.Errorf("error %q", text)
	}
}

func checkStatus(t *testing.T, j *Job, s *Status) {
	t.Helper()
	states := []string{Waiting, Running, Done, Failed, Stopped, Lost, Unknown}
	done, failed, total := 0, 0, 0
	for i, e := range s.Elements {
		done, failed, total = done+e.Done, failed+e.Failed, total+e.Total
		if e.Element != i || e.Host != j.Elements[i].Host || !slices.Contains(states, e.State) || e.Done < 0 || e.Done > e.Total || e.Restarts < 0 {
			t.Errorf("element %d: %+v", i, e)
		}
		if e.Left != nil && (!(*e.Left >= 0) || math.IsInf(*e.Left, 0)) {
			t.Errorf("element %d: %v s left", i, *e.Left)
		}
	}
	if len(s.Elements) != len(j.Elements) || done != s.Done || failed != s.Failed || total != s.Total {
		t.Errorf("%d elements, %d, %d of %d: %+v", len(s.Elements), done, failed, total, s)
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}

// FuzzQueue: of what the queue prints, the last of each element's lines counts,
// each field as it stands there, or the line that is none is named.
func FuzzQueue(f *testing.F) {
	f.Add("12|0|RUNNING|n1|1:02|None\n11|0|FAILED|n2|0:01|NonZeroExitCode\n")
	f.Add("1|2|3\n")
	f.Add("18446744073709551615|-1|PENDING|||a|b|c\n")
	f.Add("1|N/A|PENDING||0:00|x")
	f.Add(" 7|3|A\xff|\x1b|\t|r \r\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseQueue(text)
		want := make(map[int]uint64)
		for line := range strings.Lines(text) {
			f := strings.Split(strings.TrimSpace(line), "|")
			bad := len(f) < 6
			if !bad {
				array, err1 := strconv.ParseUint(f[0], 10, 64)
				element, err2 := strconv.Atoi(f[1])
				bad = err1 != nil || err2 != nil
				if have, ok := want[element]; !bad && (!ok || array >= have) {
					want[element] = array
				}
			}
			if bad {
				if err == nil || !utf8.ValidString(err.Error()) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q of %q: %v", line, text, err)
				}
				return
			}
		}
		if err != nil || len(list) != len(want) {
			t.Fatalf("%q: %d elements, want %d, %v", text, len(list), len(want), err)
		}
		for element, array := range want {
			q := list[element]
			if q == nil || q.Element != element || q.Array == "" {
				t.Fatalf("%q: element %d is %+v", text, element, q)
			}
			if n, _ := strconv.ParseUint(q.Array, 10, 64); n != array {
				t.Errorf("%q: element %d is of array %s, want %d", text, element, q.Array, array)
			}
			if line := fmt.Sprintf("%s|", q.Array); !strings.Contains(text, line) || !strings.Contains(text, q.State+"|"+q.Nodes+"|"+q.Took+"|"+q.Reason) {
				t.Errorf("%q: element %d is %+v", text, element, q)
			}
			if q.over() && q.waits() {
				t.Errorf("%q is over and waits", q.State)
			}
		}
	})
}

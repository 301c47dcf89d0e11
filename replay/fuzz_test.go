package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// fuzzPlan is a plan of two targets and three rows, of which two come from one
// run of the tool.
func fuzzPlan(tb testing.TB) *Plan {
	tb.Helper()
	p, err := NewPlan([]Row{
		fakeRow("Mode: ok - Size: 4", "MB/s"), fakeRow("Mode: ok - Size: 4", "Files/s"), fakeRow("Mode: ok - Size: 9", "MB/s"),
	}, fakeOptions(Target{Label: "a", Dir: "/a", Free: -1}, Target{Label: "b", Dir: "/b", Free: -1}))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// FuzzJournal: whatever a journal says behind its first line, it is read whole
// or not at all, with an error that names the line; a torn last line changes
// nothing; what is counted adds up; and what is gathered is a record of values
// as they were printed, which is read back as it was written.
func FuzzJournal(f *testing.F) {
	p := fuzzPlan(f)
	dir := f.TempDir()
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, planFile), text.Bytes(), 0o644); err != nil {
		f.Fatal(err)
	}
	sum := sha256.Sum256(text.Bytes())
	first := fmt.Sprintf(`{"event":"plan","time":"2026-01-02T03:04:05Z","id":"x","sha256":%q,"version":"1"}`+"\n", hex.EncodeToString(sum[:]))
	one, other, lone := p.Steps[0].RunID, p.Steps[1].RunID, p.Steps[4].RunID
	done := func(run string, rep int, values string) string {
		return fmt.Sprintf(`{"event":"done","run_id":%q,"block":1,"repetition":%d,"dir":"runs/1","seconds":1.5,"values":[%s]}`+"\n", run, rep, values)
	}
	block := `{"event":"block","block":1,"environment":{"a":{}},"facts":{"a":{"hardware":[{"key":"Disk","value":"x"}]}}}` + "\n"
	rate := `{"metric":"rate","value":4,"unit":"B/s","text":"%s"},{"metric":"count","value":3,"text":"3"}`
	f.Add(block + done(one, 1, fmt.Sprintf(rate, "4.00")) + done(one, 2, fmt.Sprintf(rate, "5.5")) + `{"event":"complete","run_id":"` + one + `","block":1}` + "\n" + `{"event":"end"}` + "\n")
	f.Add(block + `{"event":"start","run_id":"` + other + `","repetition":1}` + "\n" + `{"event":"failed","run_id":"` + lone + `","block":1,"reason":"exit code 7"}` + "\n" + `{"eve`)
	f.Add(block + done(lone, 1, fmt.Sprintf(rate, "1e999999")) + done(lone, 2, fmt.Sprintf(rate, "PASS")))
	f.Add(block + strings.Replace(done(lone, 1, `{"metric":"rate","text":"","reason":"below zero"}`), `"block":1`, `"block":7`, 1) + `{"event":"resumed"}` + "\nnull\n[]\n")
	f.Add(block + strings.Replace(done(lone, 1, `{"metric":"rate","text":"-0"}`), "1.5", "-1e308", 1) + "{}\n" + `{"event":"block","block":-1,"facts":null}` + "\n")
	f.Add(`{"event":"plan"}` + "\n\n")
	name := filepath.Join(dir, journalFile)
	f.Fuzz(func(t *testing.T, rest string) {
		if len(rest) > 1<<16 {
			return
		}
		whole := first + rest
		if err := os.WriteFile(name, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := loadState(dir)
		if err != nil {
			if loadErr := checkJournalError(name, whole, err); loadErr != "" {
				t.Fatalf("%q: %v: %s", rest, err, loadErr)
			}
			return
		}
		lines := strings.Count(whole, "\n")
		st, err := ReadStatus(dir)
		if err != nil {
			if s.hash == hex.EncodeToString(sum[:]) {
				t.Fatalf("%q: %v", rest, err)
			}
			return // the journal names another plan further down
		}
		checkStatus(t, rest, st)
		g, gatherErr := Gather(p, dir)
		if gatherErr == nil {
			checkGathered(t, rest, s, g)
		}

		// Going on with it cuts off what was not ended, and nothing else.
		j, err := openJournal(dir)
		if err != nil {
			t.Fatal(err)
		}
		after, err := loadState(dir)
		if err != nil || !reflect.DeepEqual(s, after) {
			t.Errorf("%q: opened, it says %+v, %v; before %+v", rest, after, err, s)
		}
		if err := j.write(event{Event: evDone, RunID: "own", Block: 3, Rep: 1, Dir: "d", Values: []Value{{Text: "1.50"}}}); err != nil {
			t.Fatal(err)
		}
		j.close()
		kept, err := os.ReadFile(name)
		if err != nil || strings.Count(string(kept), "\n") != lines+1 || !strings.HasPrefix(string(kept), whole[:strings.LastIndex(whole, "\n")+1]) {
			t.Fatalf("%q: what was there has changed, or %v", rest, err)
		}
		n := len(s.done["own"])
		if !s.seen[repKey("own", 3, 1)] {
			n++
		}
		if after, err = loadState(dir); err != nil || len(after.done["own"]) != n {
			t.Errorf("%q: what was added is not there: %v", rest, err)
		}
	})
}

// checkJournalError returns what is wrong with the error of a journal: it names
// the first line that cannot be read, or says that nothing has begun.
func checkJournalError(name, text string, err error) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines[:len(lines)-1] {
		var e event
		if json.Unmarshal([]byte(l), &e) == nil && e.check() == nil {
			continue
		}
		if want := fmt.Sprintf("%s:%d: ", name, i+1); !strings.HasPrefix(err.Error(), want) {
			return "want " + want
		}
		return ""
	}
	if !strings.Contains(err.Error(), "nothing has begun") {
		return "every line can be read"
	}
	return ""
}

func checkStatus(t *testing.T, rest string, st *Status) {
	t.Helper()
	if st.Done < 0 || st.Failed < 0 || st.Done+st.Failed > st.Total || !(st.Left >= 0) || math.IsInf(st.Left, 0) {
		t.Errorf("%q: done %d, failed %d of %d, %v s left", rest, st.Done, st.Failed, st.Total, st.Left)
	}
	done, total := 0, 0
	for _, r := range st.Runs {
		done += r.Done
		total += r.Total
		if r.Done < 0 || r.Done > r.Total || !slices.Contains([]string{"done", "running", "failed", "waiting", "partly"}, r.State) {
			t.Errorf("%q: %+v", rest, r)
		}
	}
	if done != st.Done || total != st.Total {
		t.Errorf("%q: runs add up to %d of %d, said are %d of %d", rest, done, total, st.Done, st.Total)
	}
	if _, err := json.Marshal(st); err != nil {
		t.Errorf("%q: %v", rest, err)
	}
}

func checkGathered(t *testing.T, rest string, s *state, g *result.File) {
	t.Helper()
	// Every printed value of a run is a raw value somewhere.
	printed := make(map[string]int)
	for _, reps := range s.done {
		for i := range reps {
			for _, v := range reps[i].values {
				printed[v.Text]++
			}
		}
	}
	for i := range g.Tests {
		seen := make(map[int]bool)
		for _, m := range g.Tests[i].Measurements {
			if m.System < 0 || m.System >= len(g.Systems) || seen[m.System] {
				t.Fatalf("%q: system %d of %d, twice: %v", rest, m.System, len(g.Systems), seen[m.System])
			}
			seen[m.System] = true
			if m.Status == result.StatusFailed {
				if m.Value != "" || m.Reason == "" {
					t.Errorf("%q: failed %+v", rest, m)
				}
				continue
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, raw := range m.RawValues {
				v, ok := result.ParseNumber(raw)
				if !ok || printed[raw] == 0 {
					t.Fatalf("%q: raw value %q", rest, raw)
				}
				low, high = min(low, v), max(high, v)
			}
			v, ok := m.Number()
			// Rounded as it is printed: whole numbers to halves.
			if slack := max(0.5, 1e-9*math.Max(math.Abs(low), math.Abs(high))); !ok || v < low-slack || v > high+slack || m.Samples != len(m.RawValues) {
				t.Errorf("%q: %+v", rest, m)
			}
		}
	}
	var doc, again bytes.Buffer
	if err := result.EncodeJSON(&doc, []*result.File{g}); err != nil {
		t.Fatal(err)
	}
	files, err := result.DecodeJSON(bytes.NewReader(doc.Bytes()))
	if err != nil {
		t.Fatalf("%q: what is gathered is not read: %v\n%s", rest, err, doc.Bytes())
	}
	if err := result.EncodeJSON(&again, files); err != nil || !bytes.Equal(doc.Bytes(), again.Bytes()) {
		t.Errorf("%q: read back it is another: %v", rest, err)
	}
}

// FuzzPlan: a document is a plan whose steps stand as they must, or an error
// says why not; written again, it is the same.
func FuzzPlan(f *testing.F) {
	var text bytes.Buffer
	if err := fuzzPlan(f).WriteJSON(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add(`{"schema":"benchproof/plan/1","rows":[{}],"targets":[{"label":"a"},{"label":"a"}],"steps":[{"runs":-1},{"target":"b"}]}`)
	f.Add(`{"schema":"benchproof/plan/1","rows":[{}],"targets":[{}],"steps":[{"runs":9223372036854775807,"seconds":1e308}]}`)
	f.Add(`{"schema":"benchproof/plan/1","rows":[],"targets":[],"steps":[]}`)
	f.Add(`{"schema":"benchproof/plan/1","rows":[null],"targets":[{"lab":{"spec":"x","limit":{"iops":-1}}}],"steps":[null]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, doc string) {
		p, err := ReadPlan(strings.NewReader(doc))
		if err != nil {
			if p != nil || !errors.Is(err, ErrNoPlan) && !strings.HasPrefix(err.Error(), "read plan: ") {
				t.Errorf("%q: %+v, %v", doc, p, err)
			}
			return
		}
		labels := make(map[string]bool)
		for _, x := range p.Targets {
			if labels[x.Label] {
				t.Errorf("%q: two targets are called %q", doc, x.Label)
			}
			labels[x.Label] = true
		}
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Row < 0 || s.Row >= len(p.Rows) || !labels[s.Target] || s.Runs < 0 || s.Seconds != nil && !(*s.Seconds >= 0) || s.Bytes != nil && *s.Bytes < 0 {
				t.Errorf("%q: step %+v", doc, s)
			}
			if p.label(s) == "" && s.Test+s.Version+s.Arguments != "" {
				t.Errorf("%q: step %d is called nothing", doc, i)
			}
		}
		if n := p.Ready() + p.Lacking(); n > len(p.Steps) || len(p.Specs()) != len(p.Targets) {
			t.Errorf("%q: %d of %d steps", doc, n, len(p.Steps))
		}
		var once, twice bytes.Buffer
		if err := p.WriteJSON(&once); err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		again, err := ReadPlan(bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("%q is written as %s: %v", doc, once.Bytes(), err)
		}
		if err := again.WriteJSON(&twice); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Errorf("%q is written as %s, then %s", doc, once.Bytes(), twice.Bytes())
		}
	})
}

// FuzzMeanText: a mean has the decimals that the test suite would print, and is
// no farther from the exact mean than half a unit of them.
func FuzzMeanText(f *testing.F) {
	f.Add("1", "2")
	f.Add("9.995", "10.005")
	f.Add("1e3", "-1.5E-2")
	f.Add("-0", "0.0000000001")
	f.Fuzz(func(t *testing.T, a, b string) {
		if checkText(a) != nil || checkText(b) != nil || a == "" || b == "" {
			return
		}
		x, _ := result.ParseNumber(a)
		y, _ := result.ParseNumber(b)
		got := meanText([]string{a, b})
		if got != meanText([]string{b, a}) {
			t.Errorf("%q and %q: the order matters", a, b)
		}
		v, ok := result.ParseNumber(got)
		want := x/2 + y/2
		if !ok || math.Abs(v-want) > result.HalfUnit(got)*(1+1e-6)+1e-12*math.Max(math.Abs(x), math.Abs(y)) {
			t.Errorf("the mean of %q and %q is %q, want %v", a, b, got, want)
		}
		if !strings.Contains(a+b, ".") && strings.Contains(got, ".") {
			t.Errorf("the mean of %q and %q is %q", a, b, got)
		}
		if strings.Contains(got, ".") && result.Decimals(got) < 2 {
			t.Errorf("the mean of %q and %q is %q", a, b, got)
		}
	})
}

// A published number of repetitions that no test has is not believed.
func TestPlanManyRuns(t *testing.T) {
	row := fakeRow("Mode: ok - Size: 4", "MB/s")
	row.Samples = 2_000_000_000
	p := mustPlan(t, []Row{row}, fakeOptions(Target{Label: "a", Dir: "/a", Free: -1}))
	if s := p.Steps[0]; s.Runs != 256 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "2000000000") {
		t.Errorf("%d repetitions, warnings %q", s.Runs, s.Warnings)
	}
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlan(&text); err != nil {
		t.Error(err)
	}
}

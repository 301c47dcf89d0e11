package torture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// endedReplay is a replay of two repetitions.
func endedReplay() Dir {
	plan := []byte(`{"rows":[{"title":"a"}],"targets":[{"label":"d"}],"steps":[{"row":0,"target":"d"}]}`)
	sum := sha256.Sum256(plan)
	lines := `{"event":"plan","id":"x","sha256":"` + hex.EncodeToString(sum[:]) + `"}
{"event":"block","block":1}
{"event":"start","repetition":1}
{"event":"done","repetition":1,"values":[{"metric":"m","value":2500000,"text":"2.50"},{"metric":"n","value":1,"text":""}]}
{"event":"start","repetition":2}
{"event":"done","repetition":2,"values":[{"metric":"m","value":3000000,"text":"3.00"}]}
{"event":"complete"}
{"event":"end"}
`
	return Dir{"plan.json": plan, "journal.jsonl": []byte(lines), "result.json": []byte("{}"), "composite.xml": []byte("<x/>"), "runs/1/out": []byte("raw"), "runs/1/err": []byte("said")}
}

// Every way to wear a replay is used, each gives what it says, and the sound one
// stays as it was.
func TestWear(t *testing.T) {
	g := made(t)
	dir := endedReplay()
	whole := slices.Collect(bytes.Lines(dir["journal.jsonl"]))
	seen := map[string]int{}
	lengths := map[int]bool{}
	for i := range uint64(len(wearers) * 24) {
		a, b := g.Wear(dir, i), g.Wear(dir, i)
		if a.Kind != b.Kind || a.How != b.How || a.Fate != b.Fate || !maps.EqualFunc(a.Dir, b.Dir, bytes.Equal) {
			t.Fatalf("%d: %s, %s, and again %s, %s", i, a.Kind, a.How, b.Kind, b.How)
		}
		if a.Kind != wearers[i%uint64(len(wearers))].name {
			t.Fatalf("%d: %s, want %s", i, a.Kind, wearers[i%uint64(len(wearers))].name)
		}
		seen[a.Kind+a.Around]++
		lines := slices.Collect(bytes.Lines(a.Dir["journal.jsonl"]))
		text := string(a.Dir["journal.jsonl"])
		wrong := false
		switch a.Kind {
		case "killed":
			lengths[len(lines)] = true
			wrong = !bytes.HasPrefix(dir["journal.jsonl"], []byte(text)) || (len(lines) == 0) != (a.Fate == Unread)
		case "torn":
			wrong = !bytes.HasPrefix(dir["journal.jsonl"], []byte(text)) || (bytes.Count([]byte(text), []byte("\n")) == 0) != (a.Fate == Unread)
		case "twice":
			wrong = len(lines) != len(whole)+1
		case "lost-line":
			wrong = len(lines) != len(whole)-1 || a.Fate == GoesOn && strings.Count(text, `"block"`) == 0
		case "swapped":
			wrong = len(lines) != len(whole)
		case "many":
			wrong = len(lines) < 1000
		case "value":
			var e struct {
				Values []struct {
					Value float64
					Text  string
				}
			}
			changed := 0
			for n := range lines {
				if !bytes.Equal(lines[n], whole[n]) {
					changed++
					if err := json.Unmarshal(lines[n], &e); err != nil {
						t.Fatal(err)
					}
				}
			}
			// A quarter of one may be one again.
			if changed == 1 {
				text, err := strconv.ParseFloat(e.Values[0].Text, 64)
				wrong = err != nil || text < e.Values[0].Value/1e6-0.005 || text > e.Values[0].Value/1e6+0.005
			}
		case "steps":
			sum := sha256.Sum256(a.Dir["plan.json"])
			wrong = !strings.Contains(text, hex.EncodeToString(sum[:]))
		case "output", "result":
			wrong = !bytes.Equal(a.Dir["journal.jsonl"], dir["journal.jsonl"])
		case "around":
			wrong = a.Around == "" || len(lines) < 2
		}
		if wrong {
			t.Errorf("%d: %s (%s), fate %d: %.300s", i, a.Kind, a.How, a.Fate, text)
		}
	}
	if !maps.EqualFunc(dir, endedReplay(), bytes.Equal) {
		t.Error("the sound one was changed")
	}
	for n := range len(whole) + 1 {
		if !lengths[n] {
			t.Errorf("none is killed behind %d lines", n)
		}
	}
	for _, s := range surroundings {
		if seen["around"+s] == 0 {
			t.Errorf("around nothing was %s", s)
		}
	}
}

// A corpus is damaged the same way again; what is vouched for has its size and
// hash in the manifest.
func TestBreakCorpus(t *testing.T) {
	g := made(t)
	dir := Dir{"manifest.json": []byte(`{"parts":[{"name":"p1","rows":{"a":1},"bytes":{"a":3,"b":3},"sha256":{"a":"","b":""}},{"name":"p2","bytes":{"a":3,"b":3},"sha256":{"a":"","b":""}}]}`)}
	for _, name := range []string{"data/p1/a", "data/p1/b", "data/p2/a", "data/p2/b"} {
		dir[name+".parquet"] = []byte("PAR1" + strings.Repeat(name, 20) + "\x20\x00\x00\x00PAR1")
	}
	vouched, changed := 0, 0
	for i := range uint64(400) {
		a, how := g.BreakCorpus(dir, i)
		b, again := g.BreakCorpus(dir, i)
		if how != again || !maps.EqualFunc(a, b, bytes.Equal) {
			t.Fatalf("%d: %s, and again %s", i, how, again)
		}
		if !maps.EqualFunc(a, dir, bytes.Equal) {
			changed++
		}
		// The last that is vouched for is so.
		parts := strings.Split(how, "; ")
		if last := parts[len(parts)-1]; strings.HasSuffix(last, ", vouched for") {
			name, _, _ := strings.Cut(last, ": ")
			sum := sha256.Sum256(a[name])
			if !bytes.Contains(a["manifest.json"], []byte(hex.EncodeToString(sum[:]))) {
				t.Errorf("%d: %s: the manifest is %s", i, how, a["manifest.json"])
			}
			vouched++
		}
	}
	if vouched < 40 || changed < 380 {
		t.Errorf("of 400, %d are changed and %d vouched for", changed, vouched)
	}
}

// Rows are made of sound seeds, so many as are asked for.
func TestRows(t *testing.T) {
	g := made(t)
	for i := range uint64(50) {
		list := g.Rows(i, 3)
		if len(list) != 3 || list[0].Name == list[1].Name {
			t.Fatalf("%d: %d inputs", i, len(list))
		}
		for _, in := range list {
			if len(in.Data) == 0 || in.Kind != "rows" {
				t.Errorf("%d: %q of %s has %d bytes", i, in.Kind, in.Seed, len(in.Data))
			}
		}
	}
}

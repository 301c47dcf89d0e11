package torture

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func made(t *testing.T) *Generator {
	t.Helper()
	seeds, err := ReadSeeds("../../samples", "../../cmd/benchproof/testdata/input", "no such folder")
	if err != nil || len(seeds) < 8 {
		t.Fatalf("%d seeds, %v", len(seeds), err)
	}
	return &Generator{Seed: 7, Seeds: seeds}
}

// An input follows from the seed and its index alone, whatever was made before.
func TestSameAgain(t *testing.T) {
	a, b := made(t), made(t)
	different := 0
	for i := range uint64(400) {
		x := a.Input(i)
		if x.Heavy {
			continue
		}
		y := b.Input(i)
		if x.Kind != y.Kind || x.Name != y.Name || x.Seed != y.Seed || x.Damage != y.Damage || !bytes.Equal(x.Data, y.Data) {
			t.Fatalf("input %d: %s of %s (%d bytes), and again %s of %s (%d bytes)", i, x.Kind, x.Seed, len(x.Data), y.Kind, y.Seed, len(y.Data))
		}
		b.Input(i * 17 % 400) // another between
	}
	b.Seed = 8
	for i := range uint64(50) {
		if x, y := a.Input(i), b.Input(i); !bytes.Equal(x.Data, y.Data) {
			different++
		}
	}
	if different < 30 {
		t.Errorf("of another seed %d of 50 inputs are others", different)
	}
}

// Every kind is made, and every input is another file than its seed, nearly.
func TestKinds(t *testing.T) {
	g := made(t)
	seeds := map[string][]byte{}
	for _, s := range g.Seeds {
		seeds[s.Name] = s.Data
	}
	kinds := map[string]int{}
	same, all := 0, 0
	for i := range uint64(3000) {
		in := g.Input(i)
		kinds[in.Kind]++
		all++
		if data, ok := seeds[in.Seed]; ok && bytes.Equal(data, in.Data) {
			same++
		}
		if strings.ContainsAny(in.Name, "/\x00") || in.Name == "" {
			t.Fatalf("input %d is to be called %q", i, in.Name)
		}
		if in.Damage == Cut && !bytes.HasPrefix(seeds[in.Seed], in.Data) {
			t.Fatalf("input %d (%s) is not the beginning of %s", i, in.Kind, in.Seed)
		}
	}
	for _, k := range kindNames() {
		if kinds[k] == 0 {
			t.Errorf("no %s in %d", k, all)
		}
	}
	if same > all/50 {
		t.Errorf("%d of %d are what their seed is", same, all)
	}
}

// The enumerated cuts are all cuts of all small seeds, each once.
func TestCutEach(t *testing.T) {
	g := &Generator{Seeds: []Seed{{Name: "a", Data: []byte("abc")}, {Name: "b", Data: []byte("defgh")}, {Name: "c", Data: make([]byte, smallSeed+1)}}}
	seen := map[string]bool{}
	for i := range uint64(8) {
		in := g.Input(i * cutEvery)
		seen[in.Seed+":"+string(in.Data)] = true
	}
	for _, want := range []string{"a:", "a:a", "a:ab", "b:", "b:d", "b:de", "b:def", "b:defg"} {
		if !seen[want] {
			t.Errorf("no cut %q of %v", want, seen)
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d cuts: %v", len(seen), seen)
	}
}

// What is lost is lost: a record with one value less.
func TestLost(t *testing.T) {
	seed := Seed{Name: "a.json", Form: "json", Data: []byte(`{"files":[{"tests":[{"measurements":[{"system_index":0,"value":"1"},{"system_index":1,"value":"2"},{"system_index":2,"value":"3"},{"system_index":3,"value":"4"}]}]}]}`)}
	xml := Seed{Name: "a.xml", Form: "xml", Data: []byte(strings.Repeat("<Entry><Value>1</Value></Entry>", 5))}
	g := &Generator{Seeds: []Seed{seed, xml}}
	tried := map[string]int{}
	for i := range uint64(200) {
		m := &maker{Rand: rand.New(rand.NewPCG(1, i)), g: g}
		if m.seed = g.Seeds[i%2]; !m.lost() {
			t.Fatalf("%s was not touched", m.seed.Name)
		}
		in := m.in
		tried[in.Seed]++
		left := bytes.Count(in.Data, []byte("<Value>1</Value>"))
		want := 4
		if in.Seed == "a.json" {
			var doc struct {
				Files []struct {
					Tests []struct{ Measurements []struct{ Value string } }
				}
			}
			if err := json.Unmarshal(in.Data, &doc); err != nil {
				t.Fatal(err)
			}
			want, left = 3, 0
			for _, m := range doc.Files[0].Tests[0].Measurements {
				if m.Value != "" {
					left++
				}
			}
		}
		if left != want {
			t.Errorf("input %d of %s: %d values left, want %d: %s", i, in.Seed, left, want, in.Data)
		}
	}
	if len(tried) != 2 {
		t.Errorf("tried %v", tried)
	}
}

// A directory is broken the same way again, and the sound one stays.
func TestBreak(t *testing.T) {
	g := made(t)
	dir := Dir{"journal.jsonl": []byte("{\"event\":\"plan\"}\n{\"event\":\"end\"}\n"), "plan.json": []byte(`{"steps":[1,2]}`), "runs/1/out": []byte("raw")}
	changed := 0
	for i := range uint64(300) {
		a, how := g.Break(dir, i)
		b, again := g.Break(dir, i)
		if how != again || len(a) != len(b) {
			t.Fatalf("%d: %s, and again %s", i, how, again)
		}
		same := len(a) == len(dir)
		for name, data := range a {
			if !bytes.Equal(b[name], data) {
				t.Fatalf("%d: %s differs", i, name)
			}
			if strings.HasPrefix(name, "/") || strings.Contains(name, "..") {
				t.Fatalf("%d: a file %q", i, name)
			}
			old, ok := dir[name]
			same = same && ok && bytes.Equal(old, data)
		}
		if !same {
			changed++
		}
	}
	if string(dir["plan.json"]) != `{"steps":[1,2]}` || string(dir["runs/1/out"]) != "raw" || len(dir) != 3 {
		t.Errorf("the sound one was changed: %q", dir)
	}
	if changed < 270 {
		t.Errorf("%d of 300 are broken", changed)
	}
}

func TestFormOf(t *testing.T) {
	for text, want := range map[string]string{
		"<?xml version=\"1.0\"?><x/>": "xml", "<PhoronixTestSuite>": "xml", "<!DOCTYPE html>": "html", "\ufeff{}": "json", "[1]": "json",
		"a,b,c,d,e\n": "csv", "Processor: X, Memory: Y, Disk: Z, a: b, c: d\n": "text", "": "text",
	} {
		if got := formOf([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

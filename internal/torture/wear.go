package torture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Fate is what must come of going on with a worn replay.
type Fate int

// What can come of going on.
const (
	// Any: it goes on, or is refused with a reason, and ends either way.
	Any Fate = iota
	// GoesOn: it ends with all repetitions, those that the journal still has
	// as they were.
	GoesOn
	// Unread: the journal is no longer one.
	Unread
	// Refused: it must not be gone on with.
	Refused
)

// Worn is the directory of a replay that has ended, lightly damaged or edited,
// or that of one that was killed.
type Worn struct {
	Dir
	Kind string // how it was worn
	How  string // more about it
	Fate
	// Around is what is to be done around the directory: "" for nothing. The
	// second target is gone, a link, a file or another directory: target-gone,
	// target-link, target-file, target-anew. The journal is another user's, or
	// has links in it: foreign, links. A scratch directory lies in the first
	// target, with the replay's marker or without: left, unmarked.
	Around string
}

// surroundings are what can be wrong around the directory of a replay.
var surroundings = []string{"target-gone", "target-link", "target-file", "target-anew", "foreign", "links", "left", "unmarked"}

// fates of surroundings; others are GoesOn.
var fates = map[string]Fate{"target-gone": Refused, "target-link": Refused, "target-file": Refused, "foreign": Refused, "links": Refused, "unmarked": Any}

// wearers are the ways to wear a replay, each tried as often as the others.
var wearers = []struct {
	name string
	fate Fate
	wear func(*wear) bool // false: not this replay
}{
	{"killed", GoesOn, (*wear).killed},
	{"torn", GoesOn, (*wear).torn},
	{"twice", GoesOn, (*wear).twice},
	{"lost-line", GoesOn, (*wear).lostLine},
	{"swapped", GoesOn, (*wear).swapped},
	{"killed", GoesOn, (*wear).killed},
	{"output", GoesOn, (*wear).output},
	{"result", Any, (*wear).result},
	{"value", GoesOn, (*wear).value},
	{"wrong-value", Any, (*wear).wrongFigure},
	{"member", Any, (*wear).member},
	{"many", GoesOn, (*wear).many},
	{"steps", Any, (*wear).steps},
	{"forged", Any, (*wear).forged},
	{"around", GoesOn, (*wear).around},
	{"around", GoesOn, (*wear).around},
}

// wear is a replay being worn.
type wear struct {
	*maker
	out   *Worn
	lines [][]byte // of the journal, each with its end
	turn  int      // how often the way at hand was tried before
}

// journalName is the file of a journal's events.
const journalName = "journal.jsonl"

// Wear returns a copy of the directory of a replay that has ended, worn in the
// i-th way. It is the same for the same dir, seed and index.
func (g *Generator) Wear(dir Dir, i uint64) Worn {
	m := &maker{Rand: rand.New(rand.NewPCG(g.Seed^0x3ea2, i)), g: g}
	n := uint64(len(wearers))
	way := wearers[i%n]
	out := Worn{Dir: Dir{}, Kind: way.name, Fate: way.fate}
	for name, data := range dir {
		out.Dir[name] = data
	}
	// The ways that are there twice take turns.
	w := &wear{maker: m, out: &out, lines: slices.Collect(bytes.Lines(dir[journalName])), turn: int(i / n)}
	if i%n == 5 {
		w.turn += 1 << 20
	}
	if len(w.lines) == 0 || !way.wear(w) {
		out.Kind = "whole"
	}
	if _, ok := out.Dir[journalName]; ok {
		out.Dir[journalName] = bytes.Join(w.lines, nil)
	}
	return out
}

// killed ends the journal behind any of its lines, one after the other.
func (w *wear) killed() bool {
	const step = 7 // so that few of them are spread
	n := w.turn * step % (len(w.lines) + 1)
	w.lines = w.lines[:n]
	w.out.How = fmt.Sprintf("%d lines", n)
	if n == 0 {
		w.out.Fate = Unread
	}
	// What comes at the end is not there yet.
	delete(w.out.Dir, "result.json")
	delete(w.out.Dir, "composite.xml")
	return true
}

// torn ends it within a line.
func (w *wear) torn() bool {
	at := w.turn % len(w.lines)
	line := w.lines[at]
	w.lines = append(slices.Clone(w.lines[:at]), line[:w.IntN(len(line))])
	w.out.How = fmt.Sprintf("line %d", at+1)
	if at == 0 {
		w.out.Fate = Unread
	}
	return true
}

// twice writes a line again, at once or at the end.
func (w *wear) twice() bool {
	at := w.IntN(len(w.lines))
	to := []int{at, len(w.lines)}[w.IntN(2)]
	w.lines = slices.Insert(slices.Clone(w.lines), to, w.lines[at])
	w.out.How = fmt.Sprintf("line %d", at+1)
	return true
}

// lostLine takes any line out but the first, without which there is no replay.
func (w *wear) lostLine() bool {
	at := 1 + w.turn%(len(w.lines)-1)
	if eventOf(w.lines[at]) == "block" {
		w.out.Fate = Any // nothing tells of which block repetitions are
	}
	w.lines = slices.Delete(slices.Clone(w.lines), at, at+1)
	w.out.How = fmt.Sprintf("line %d", at+1)
	return true
}

// swapped exchanges two lines.
func (w *wear) swapped() bool {
	a, b := 1+w.IntN(len(w.lines)-1), 1+w.IntN(len(w.lines)-1)
	w.lines = slices.Clone(w.lines)
	w.lines[a], w.lines[b] = w.lines[b], w.lines[a]
	w.out.How = fmt.Sprintf("lines %d and %d", a+1, b+1)
	if eventOf(w.lines[a]) == "block" || eventOf(w.lines[b]) == "block" {
		w.out.Fate = Any
	}
	return true
}

// output loses or changes what a step has written. Its values are in the
// journal.
func (w *wear) output() bool {
	var names []string
	for name := range w.out.Dir {
		if strings.HasPrefix(name, "runs/") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return false
	}
	slices.Sort(names)
	name := pick(w.maker, names)
	w.out.How = name
	switch w.IntN(5) {
	case 0:
		delete(w.out.Dir, name)
	case 1:
		w.out.Dir[name] = nil
	case 2:
		for n := range w.out.Dir {
			if path.Dir(n) == path.Dir(name) {
				delete(w.out.Dir, n)
			}
		}
	case 3:
		w.out.Dir[name] = []byte(w.hostileText())
	default:
		w.out.Dir[path.Dir(name)+"/"+pick(w.maker, []string{"more.out", "before.json~", ".hidden"})] = []byte(w.hostileText())
	}
	return true
}

// result damages what is made anew at the end.
func (w *wear) result() bool {
	name := pick(w.maker, []string{"result.json", "composite.xml"})
	w.out.How, w.out.Fate = name, GoesOn
	switch w.IntN(4) {
	case 0:
		delete(w.out.Dir, name)
	case 1:
		w.out.Dir[name] = []byte(w.hostileText())
	case 2:
		data := w.out.Dir[name]
		w.out.Dir[name] = data[:w.IntN(len(data)+1)]
	default: // a folder in its place
		delete(w.out.Dir, name)
		w.out.Dir[name+"/x"] = []byte("x")
		w.out.Fate = Any
	}
	return true
}

// eventOf returns what the event of a line is.
func eventOf(line []byte) string {
	var e struct{ Event string }
	_ = json.Unmarshal(line, &e) // none has no name
	return e.Event
}

// edit decodes the lines that use is for, has one of them changed, and puts it
// back.
func (w *wear) edit(event string, use func(map[string]any) bool) bool {
	var at []int
	for i, l := range w.lines {
		if event == "" || eventOf(l) == event {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return false
	}
	i := pick(w.maker, at)
	d := json.NewDecoder(bytes.NewReader(w.lines[i]))
	d.UseNumber()
	var doc map[string]any
	if d.Decode(&doc) != nil || !use(doc) {
		return false
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return false
	}
	w.lines = slices.Clone(w.lines)
	w.lines[i] = append(text, '\n')
	w.out.How += fmt.Sprintf("line %d", i+1)
	return true
}

// published returns the values of an event that are published.
func published(e map[string]any) []map[string]any {
	list, _ := e["values"].([]any)
	var values []map[string]any
	for _, v := range list {
		if o, ok := v.(map[string]any); ok && o["text"] != "" {
			values = append(values, o)
		}
	}
	return values
}

// value changes a value so that it holds together: the figure and its text.
func (w *wear) value() bool {
	return w.edit("done", func(e map[string]any) bool {
		all := published(e)
		if len(all) == 0 {
			return false
		}
		v := pick(w.maker, all)
		number, ok1 := v["value"].(json.Number)
		text, ok2 := v["text"].(string)
		if !ok1 || !ok2 {
			return false
		}
		x, err1 := number.Float64()
		y, err2 := strconv.ParseFloat(text, 64)
		if err1 != nil || err2 != nil {
			return false
		}
		by := float64(1+w.IntN(40)) / 4
		v["value"], v["text"] = x*by, strconv.FormatFloat(y*by, 'f', 2, 64)
		return true
	})
}

// wrongFigure changes it so that it does not.
func (w *wear) wrongFigure() bool {
	return w.edit("done", func(e map[string]any) bool {
		all := published(e)
		if len(all) == 0 {
			return false
		}
		pick(w.maker, all)["text"] = pick(w.maker, []string{w.hostileNumber(), w.hostileText()})
		return true
	})
}

// member changes any member of any event.
func (w *wear) member() bool {
	return w.edit("", func(e map[string]any) bool {
		w.changeMember(e)
		return true
	})
}

// many writes a line tens of thousands of times.
func (w *wear) many() bool {
	at := 1 + w.IntN(len(w.lines)-1)
	if eventOf(w.lines[at]) == "block" {
		w.out.Fate = Any
	}
	n := min(20_000, 1+(8<<20)/len(w.lines[at]))
	w.lines = slices.Insert(slices.Clone(w.lines), at, slices.Repeat([][]byte{w.lines[at]}, n)...)
	w.out.How = fmt.Sprintf("line %d, %d times", at+1, n)
	return true
}

// steps makes the plan one of very many rows and steps, or changes members of
// it, and has the journal vouch for it.
func (w *wear) steps() bool {
	d := json.NewDecoder(bytes.NewReader(w.out.Dir["plan.json"]))
	d.UseNumber()
	var plan map[string]any
	if d.Decode(&plan) != nil {
		return false
	}
	rows, ok1 := plan["rows"].([]any)
	steps, ok2 := plan["steps"].([]any)
	if !ok1 || !ok2 || len(rows) == 0 {
		return false
	}
	if w.turn%2 == 0 {
		n := []int{2, 50, 2000, 20_000}[w.turn/2%4]
		var moreRows, moreSteps []any
		for k := range n {
			moreRows = append(moreRows, rows...)
			for _, s := range steps {
				step := map[string]any{}
				if o, ok := s.(map[string]any); ok {
					for name, v := range o {
						step[name] = v
					}
				}
				if row, ok := step["row"].(json.Number); ok {
					if at, err := row.Int64(); err == nil {
						step["row"] = int64(k*len(rows)) + at
					}
				}
				moreSteps = append(moreSteps, step)
			}
		}
		plan["rows"], plan["steps"] = moreRows, moreSteps
		w.out.How = fmt.Sprintf("%d steps; ", len(moreSteps))
	} else {
		w.changeMember(plan)
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return false
	}
	w.out.Dir["plan.json"] = text
	sum := sha256.Sum256(text)
	return w.edit("plan", func(e map[string]any) bool {
		e["sha256"] = hex.EncodeToString(sum[:])
		return true
	})
}

// Places in a forged journal that the one who writes it to a disk puts in: a
// directory that must stay, and a process that must live.
const (
	Elsewhere = "@ELSEWHERE@"
	Process   = "4194303.5" // no integer, so that it is found again
)

// forged adds a line that names things which are not the replay's.
func (w *wear) forged() bool {
	line := pick(w.maker, []string{
		`{"event":"scratch","scratch":"` + Elsewhere + `","target":"d"}`,
		`{"event":"scratch","scratch":"` + Elsewhere + `/../elsewhere","target":"o"}`,
		`{"event":"lab","lab":"` + Elsewhere + `"}`,
		`{"event":"start","block":1,"run_id":"x","target":"d","repetition":1,"dir":"` + Elsewhere + `"}`,
		`{"event":"start","block":1,"run_id":"x","target":"d","repetition":1,"dir":"../../elsewhere"}`,
		`{"event":"start","block":1073741824,"run_id":"x","target":"d","repetition":1073741824,"dir":"runs/x"}`,
		`{"event":"process","run_id":"x","step":"x","process":{"id":"x","boot":"","dir":"` + Elsewhere + `","supervisor":{"pid":` + Process + `,"group":` + Process + `,"start":1},"copies":[{"pid":` + Process + `,"group":` + Process + `,"start":1}]}}`,
		`{"event":"block","block":2147483647,"environment":{},"facts":{}}`,
		`{"event":"failed","block":1,"run_id":"x","target":"d","repetition":1,"reason":"\u001b[2J","dir":"runs/x"}`,
		`{"event":"` + strings.Repeat("x", 1<<20) + `"}`,
		"{}", "null", "[]", "", "{\"event\":\"plan\",\"id\":\"../../x\",\"sha256\":\"\"}",
	})
	at := 1 + w.IntN(len(w.lines))
	w.lines = slices.Insert(slices.Clone(w.lines), at, []byte(line+"\n"))
	w.out.How = fmt.Sprintf("behind line %d: %.60s", at, line)
	return true
}

// around leaves the journal behind any line, and has its surroundings changed.
func (w *wear) around() bool {
	w.lines = w.lines[:2+w.IntN(len(w.lines)-1)]
	w.out.Around = pick(w.maker, surroundings)
	w.out.Fate = GoesOn
	if fate, ok := fates[w.out.Around]; ok {
		w.out.Fate = fate
	}
	w.out.How = w.out.Around
	return true
}

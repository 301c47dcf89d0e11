package systable

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/result"
)

func TestNotes(t *testing.T) {
	c := func(key, value string) result.Component { return result.Component{Key: key, Value: value} }
	for _, test := range []struct {
		name    string
		text    string
		systems []string
		own     [][]result.Component
		common  []result.Component
	}{
		{
			name:    "nothing",
			text:    " ",
			systems: []string{"a"},
			own:     [][]result.Component{nil},
		},
		{
			name:    "common and own",
			text:    "Compiler Details- --build=x --enable-y -v Disk Details- HDD: EXT4: CFQ / relatime,rw- HDD: F2FS: NONE / acl,rw,user_xattr - SSD: NONEProcessor Details- Scaling Governor: a b - CPU Microcode: 0x1",
			systems: []string{"HDD: EXT4", "HDD: F2FS", "SSD"},
			own: [][]result.Component{
				{c("Disk", "CFQ / relatime,rw")},
				{c("Disk", "NONE / acl,rw,user_xattr")},
				{c("Disk", "NONE")},
			},
			common: []result.Component{c("Compiler", "--build=x --enable-y -v"), c("Processor", "Scaling Governor: a b - CPU Microcode: 0x1")},
		},
		{
			name:    "blanks between all texts",
			text:    " Disk Details - A B: EXT4: DEADLINE / data=ordered,rw - A B: XFS: NONE System Details - A B: XFS: own words",
			systems: []string{"A B: EXT4", "A B: XFS"},
			own: [][]result.Component{
				{c("Disk", "DEADLINE / data=ordered,rw")},
				{c("Disk", "NONE"), c("System", "own words")},
			},
		},
		{
			name:    "one note of some systems",
			text:    "Environment Details- a, c: LDFLAGS=-latomicJava Details- b: OpenJDK 1- c: OpenJDK 2",
			systems: []string{"a", "b", "c"},
			own: [][]result.Component{
				{c("Environment", "LDFLAGS=-latomic")},
				{c("Java", "OpenJDK 1")},
				{c("Environment", "LDFLAGS=-latomic"), c("Java", "OpenJDK 2")},
			},
		},
		{
			name:    "a name that begins like another",
			text:    "Disk Details- HDD: NONE / rw- HDD: EXT4: CFQ / rw",
			systems: []string{"HDD", "HDD: EXT4"},
			own:     [][]result.Component{{c("Disk", "NONE / rw")}, {c("Disk", "CFQ / rw")}},
		},
		{
			name:    "a name with a dash",
			text:    "Disk Details- ext4 - 4 x 4001GB: NONE / rw,stripe=4- zfs - mirror: CFQ / rw",
			systems: []string{"ext4 - 4 x 4001GB", "zfs - mirror"},
			own:     [][]result.Component{{c("Disk", "NONE / rw,stripe=4")}, {c("Disk", "CFQ / rw")}},
		},
		{
			name:    "one system, no headings",
			text:    "- libiscsi.x=1 - Transparent Huge Pages: madvise- --build=x86_64 -v - NONE / relatime,rw- Scaling Governor: p - CPU Microcode: 0xea - OpenJDK Runtime (build 1)- Python 3.6.8- KPTI + x - my own words",
			systems: []string{"a"},
			own:     [][]result.Component{nil},
			common: []result.Component{
				c("Kernel", "libiscsi.x=1 - Transparent Huge Pages: madvise"), c("Compiler", "--build=x86_64 -v"),
				c("Disk", "NONE / relatime,rw"), c("Processor", "Scaling Governor: p - CPU Microcode: 0xea"),
				c("Java", "OpenJDK Runtime (build 1)"), c("Python", "Python 3.6.8"), c("Security", "KPTI + x - my own words"),
			},
		},
		{
			name:    "a heading that PTS does not know",
			text:    "Disk Details- NONEQuantum Details- Qubits: 7",
			systems: []string{"a", "b"},
			own:     [][]result.Component{nil, nil},
			// "NONEQuantum": the last capital begins the heading.
			common: []result.Component{c("Disk", "NONE"), c("Quantum", "Qubits: 7")},
		},
		{
			name:    "no notes at all",
			text:    "hello",
			systems: []string{"a"},
			own:     [][]result.Component{nil},
			common:  []result.Component{c("System", "hello")},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			own, common := notesOf(test.text, test.systems)
			for i := range test.own {
				if !slices.Equal(own[i], test.own[i]) {
					t.Errorf("system %d: got %q, want %q", i, own[i], test.own[i])
				}
			}
			if !slices.Equal(common, test.common) {
				t.Errorf("common: got %q, want %q", common, test.common)
			}
		})
	}
}

// TestNotesOfSamples compares with the hand-checked truth of the two
// flattened samples.
func TestNotesOfSamples(t *testing.T) {
	for _, path := range oracle.Glob(t, "samples", "truth", "*.flat.json") {
		truth := oracle.Truth(t, path)
		page := samplePage(t, strings.TrimSuffix(filepath.Base(path), ".json"))
		_, notes, ok := strings.Cut(tableLine(t, page), watermark)
		if !ok {
			t.Fatalf("%s: no watermark", path)
		}
		names := truthNames(truth)
		for i, got := range AllNotes(notes, names) {
			if !slices.Equal(got, truth.Systems[i].Notes) {
				t.Errorf("%s: %s: got %q, want %q", path, names[i], got, truth.Systems[i].Notes)
			}
		}
	}
}

// TestNotesOfPages compares with the texts of the pages that PTS drew: every
// note is a text of its own there.
func TestNotesOfPages(t *testing.T) {
	pages := append(oracle.Glob(t, "flat", "*.html"), oracle.Glob(t, "samples", "forms", "*.html")...)
	real, err := filepath.Glob(filepath.Join(oracle.Shared(t, "corpus", "real"), "*", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	notes, named := 0, 0
	for _, path := range append(pages, real...) {
		texts := svgTexts(t, path)
		if texts == nil {
			continue
		}
		mark := slices.IndexFunc(texts, func(s string) bool { return s == watermark || strings.HasPrefix(s, "Phoronix Test Suite") })
		if mark < 0 {
			t.Errorf("%s: no watermark", path)
			continue
		}
		for mark+1 < len(texts) && strings.HasPrefix(texts[mark+1], "Phoronix Test Suite") {
			mark++
		}
		w, ok := want{}, false
		for _, name := range []string{strings.TrimSuffix(path, ".html") + ".xml", filepath.Join(filepath.Dir(path), "composite.xml")} {
			if matches, _ := filepath.Glob(name); len(matches) == 1 && !ok {
				w, ok = loadPage(t, name, "")
			}
		}
		if !ok {
			continue
		}
		var want []string
		heads := false
		for _, s := range texts[mark+1:] {
			if strings.HasPrefix(s, "- ") {
				want = append(want, strings.TrimRight(s[2:], " "))
			} else {
				heads = heads || strings.HasSuffix(s, " Details")
			}
		}
		body := strings.Join(texts[mark+1:], "")
		var got []string
		for _, n := range parseNotes(body, w.systems) {
			text := n.Value
			if n.Systems != nil {
				var names []string
				for _, i := range n.Systems {
					names = append(names, w.systems[i])
				}
				text = strings.Join(names, ", ") + ": " + text
				named++
			}
			got = append(got, text)
			notes++
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", path, got, want)
		}
	}
	t.Logf("%d notes, %d of named systems", notes, named)
}

// notesOf divides the text behind the watermark into the notes of each system
// and those that are said of all systems at once. The two do not tell how
// they stood together; see [AllNotes].
func notesOf(text string, systems []string) (perSystem [][]result.Component, common []result.Component) {
	perSystem = make([][]result.Component, len(systems))
	for _, n := range parseNotes(text, systems) {
		c := result.Component{Key: n.Key, Value: n.Value}
		if n.Systems == nil {
			common = append(common, c)
		}
		for _, i := range n.Systems {
			perSystem[i] = append(perSystem[i], c)
		}
	}
	return perSystem, common
}

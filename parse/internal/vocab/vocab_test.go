package vocab

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestKeyBefore(t *testing.T) {
	tests := []struct {
		text  string
		start int
		name  string
	}{
		{"Processor", 0, "Processor"},
		{"X: Processor", 3, "Processor"},
		{"a, Display Server", 3, "Display Server"},
		{"a, Display\n  Server", 3, "Display Server"},
		{"a, Motherboard Chipset", 3, "Motherboard Chipset"},
		{"Intel Chipset", 6, "Chipset"},
		{"Screen Resolution", 0, "Screen Resolution"},
		{"CoProcessor", 0, ""},
		{"DOS", 0, ""},
		{"an OS", 3, "OS"},
		{"Processors", 0, ""},
		{"", 0, ""},
		{"\xff", 0, ""},
	}
	for _, test := range tests {
		start, key, ok := KeyBefore(test.text)
		if ok != (test.name != "") || ok && (key.Name() != test.name || start != test.start) {
			t.Errorf("%q: %d, %q, %v", test.text, start, key.Name(), ok)
		}
	}
	if k, ok := StartsWithKey("File-System: ext4"); !ok || k != "File-System" || KeyKind(k) != Software {
		t.Errorf("got %q, %v", k, ok)
	}
	for _, text := range []string{"", ":", "Foo: x", "Processor", "Processor:x", "Processor x: y"} {
		if k, ok := StartsWithKey(text); ok {
			t.Errorf("%q starts with %q", text, k)
		}
	}
}

func TestComponents(t *testing.T) {
	tests := []struct {
		text string
		want []result.Component
	}{
		{"", nil},
		{"Processor: A", []result.Component{{Key: "Processor", Value: "A"}}},
		{"Processor:", []result.Component{{Key: "Processor"}}},
		{"no key at all", []result.Component{{Value: "no key at all"}}},
		{"Processor: Core 2 (Total Cores: 2), Disk: 2 x 480GB SSD, RAID0, Memory: 8GB", []result.Component{
			{Key: "Processor", Value: "Core 2 (Total Cores: 2)"}, {Key: "Disk", Value: "2 x 480GB SSD, RAID0"}, {Key: "Memory", Value: "8GB"},
		}},
		// A key of another version of PTS, and what only resembles one.
		{"Disk: A, Flux Capacitor: 1.21GW", []result.Component{{Key: "Disk", Value: "A"}, {Key: "Flux Capacitor", Value: "1.21GW"}}},
		{"Disk: A, rev: 2, B2: 3, Some Very Long Name: 4", []result.Component{{Key: "Disk", Value: "A, rev: 2, B2: 3, Some Very Long Name: 4"}}},
		{"OpenGL: 3.3 Mesa: 1, Vulkan: 1.2", []result.Component{{Key: "OpenGL", Value: "3.3 Mesa: 1"}, {Key: "Vulkan", Value: "1.2"}}},
	}
	for _, test := range tests {
		if got := Components(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ what, got, want string }{
		{"title", TitlePrefix("Flexible IO Tester 3.1 Type: x"), "Flexible IO Tester"},
		{"longest title", TitlePrefix("TensorFlow Lite 2020 Model: x"), "TensorFlow Lite"},
		{"title of a digit", TitlePrefix("F1 2018"), "F1 2018"},
		{"half a word", TitlePrefix("SQLiteX 1"), ""},
		{"unknown title", TitlePrefix("Frobnicator 1"), ""},
		{"no title", TitlePrefix(""), ""},
		{"scale", ScaleSuffix("Result: MB/s MB/s", 99), "MB/s"},
		{"longest scale", ScaleSuffix("GMP Frames Per Second", 99), "Frames Per Second"},
		{"shorter scale", ScaleSuffix("Numpy Benchmark Score", len("Benchmark Score")-1), "Score"},
		{"whole scale", ScaleSuffix("Seconds", 99), "Seconds"},
		{"no scale", ScaleSuffix("Gizmos", 99), ""},
		{"option", OptionSuffix("3.1 Block Size"), "Block Size"},
		{"no option", OptionSuffix("3.1 Blk"), ""},
		{"caption", CaptionSuffix("SQLite Timed SQLite Insertions"), "Timed SQLite Insertions"},
		{"client", CaptionSuffix("Numpy Benchmark Phoronix Test Suite v5.2.1"), "Phoronix Test Suite v5.2.1"},
		{"long text", CaptionSuffix(strings.Repeat("word ", 1000) + "12 Clients"), "12 Clients"},
		{"no caption", CaptionSuffix("Timed SQLite"), ""},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, test.got, test.want)
		}
	}
	if !Unversioned("Gzip Compression") || Unversioned("SQLite") || Unversioned("Frobnicator") {
		t.Error("titles without versions")
	}
}

// The lists are files that people edit.
func TestLists(t *testing.T) {
	for name, text := range map[string]string{"titles": titlesText, "scales": scalesText, "options": optionsText, "captions": captionsText} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if !slices.IsSorted(lines) {
			t.Errorf("%s are not sorted", name)
		}
		for i, line := range lines {
			entry := strings.TrimSuffix(line, "\t-")
			if entry == "" || entry != strings.Join(strings.Fields(entry), " ") {
				t.Errorf("%s: entry %q", name, line)
			}
			if i > 0 && line == lines[i-1] {
				t.Errorf("%s: %q twice", name, line)
			}
			if name == "captions" && CaptionSuffix("x "+entry) != entry {
				t.Errorf("caption %q is not found", entry)
			}
			if name == "titles" && TitlePrefix(entry+" 1.0") != entry {
				t.Errorf("title %q is not found", entry)
			}
		}
	}
}

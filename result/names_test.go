package result

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func namesOf(identifiers ...string) []string {
	var f File
	for _, id := range identifiers {
		f.AddSystem(id)
	}
	return f.SystemNames()
}

func TestSystemNames(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"A,B":              "A,B",
		"A,B,A,A,B":        "A,B,A #2,A #3,B #2",
		"A,A,A #2":         "A,A #3,A #2",
		"A #2,A,A,A #2,A":  "A #2,A,A #3,A #2 #2,A #4",
		"A,A #2,A,A #2":    "A,A #2,A #3,A #2 #2",
		"A,A,A #2 #2,A #2": "A,A #3,A #2 #2,A #2",
	} {
		var identifiers []string
		if in != "" {
			identifiers = strings.Split(in, ",")
		}
		if got := strings.Join(namesOf(identifiers...), ","); got != want {
			t.Errorf("names of %s: %s, want %s", in, got, want)
		}
	}
}

// TestSystemNamesDiffer: no two systems have one name, and the first of an
// identifier keeps it.
func TestSystemNamesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"A", "A #2", "A #3", "A #2 #2", "B", ""}), 0, 12).Draw(t, "ids")
		names := namesOf(ids...)
		used, first := map[string]bool{}, map[string]bool{}
		for i, n := range names {
			if used[n] {
				t.Fatalf("%q has %q twice", ids, n)
			}
			used[n] = true
			if !first[ids[i]] && n != ids[i] {
				t.Fatalf("%q: the first %q is called %q", ids, ids[i], n)
			}
			first[ids[i]] = true
		}
	})
}

func TestComponentText(t *testing.T) {
	list := []Component{{Key: "Processor", Value: "Intel Core i5 @ 3.90GHz (4 Cores)"}, {Value: "rack 3"}, {Key: "Memory", Value: "8GB"}}
	if got, want := ComponentText(list), "Processor: Intel Core i5 @ 3.90GHz (4 Cores), rack 3, Memory: 8GB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := ComponentText(nil); got != "" {
		t.Errorf("of no component: %q", got)
	}
}

// An option's text is what it was read from.
func TestOptionText(t *testing.T) {
	for _, text := range []string{"12 Clients", "Block Size: 4KB", "Mode: a: b"} {
		if list := ParseOptions(text); len(list) != 1 || list[0].String() != text {
			t.Errorf("%q became %q", text, list)
		}
	}
}

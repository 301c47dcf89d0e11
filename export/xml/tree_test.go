package xml_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree lists the elements of a document in order, as encoding/xml reads them:
// those that hold elements by their path, those that hold text with it, without
// white space around it. Elements that hold nothing are left out.
func tree(text string) ([]string, error) {
	var out, path []string
	var content strings.Builder
	leaf := false
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if leaf {
				out = append(out, strings.Join(path, "/"))
			}
			path = append(path, token.Name.Local)
			content.Reset()
			leaf = true
		case xml.CharData:
			content.Write(token)
		case xml.EndElement:
			if text := strings.TrimSpace(content.String()); leaf && text != "" {
				out = append(out, strings.Join(path, "/")+"="+text)
			}
			leaf = false
			path = path[:len(path)-1]
		}
	}
}

// olderNames are elements of PTS 0.1 to 2.6 by the names that they have since.
var olderNames = strings.NewReplacer(
	"PhoronixTestSuite/Suite", "PhoronixTestSuite/Generated",
	"PhoronixTestSuite/Benchmark/Results/Group/Entry", "PhoronixTestSuite/Result/Data/Entry",
	"PhoronixTestSuite/Benchmark/Results/Group", "PhoronixTestSuite/Result/Data",
	"PhoronixTestSuite/Benchmark/Attributes=", "PhoronixTestSuite/Result/Description=",
	"PhoronixTestSuite/Benchmark/Name=", "PhoronixTestSuite/Result/Title=",
	"PhoronixTestSuite/Benchmark/ResultFormat=", "PhoronixTestSuite/Result/DisplayFormat=",
	"PhoronixTestSuite/Benchmark/TestArguments=", "PhoronixTestSuite/Result/Arguments=",
	"PhoronixTestSuite/Benchmark/TestName=", "PhoronixTestSuite/Result/Identifier=",
	"PhoronixTestSuite/Benchmark/Version=", "PhoronixTestSuite/Result/AppVersion=",
	"PhoronixTestSuite/Benchmark", "PhoronixTestSuite/Result",
	"PhoronixTestSuite/System/AssociatedIdentifiers=", "PhoronixTestSuite/System/Identifier=",
	"PhoronixTestSuite/System/Author=", "PhoronixTestSuite/System/User=",
	"PhoronixTestSuite/System/TestDate=", "PhoronixTestSuite/System/TimeStamp=",
	"PhoronixTestSuite/System/TestNotes=", "PhoronixTestSuite/System/Notes=",
	"PhoronixTestSuite/System/Version=", "PhoronixTestSuite/System/TestClientVersion=",
)

// differences are the files whose tree does not come back as it was, each with
// the lines that go (-) and come (+). Of all others every line comes back, in
// order.
var differences = map[string][]string{
	// Systems that only entries name get an element of their own: in PTS they
	// have values and are in no table.
	"ub-z3-local-8err": {
		"+PhoronixTestSuite/System", "+PhoronixTestSuite/System", "+PhoronixTestSuite/System", "+PhoronixTestSuite/System",
		"+PhoronixTestSuite/System/Identifier=z3-base",
		"+PhoronixTestSuite/System/Identifier=z3-fno-strict-fno-strict-aliasing",
		"+PhoronixTestSuite/System/Identifier=z3-fstrict-fstrict-enums",
		"+PhoronixTestSuite/System/Identifier=z3-fwrapv",
	},
	"d16-orphan-entry": {"+PhoronixTestSuite/System", "+PhoronixTestSuite/System/Identifier=Ghost"},
	// So does the second of two entries of one name in a test.
	"d06-duplicate-entry":   secondSystem,
	"d32-retry-after-error": secondSystem,
	// PTS 0.1 to 2.6: what their Suite says of the suite has no place in
	// files since 3.0, and the time stood in a comment.
	"pts01-newtest":     append(suite("encode-ogg"), "+PhoronixTestSuite/Generated/LastModified=2008-04-02 14:57:35"),
	"pts01-sdfdsfdsf-1": append(suite("encode-ogg"), "+PhoronixTestSuite/Generated/LastModified=2008-04-04 14:51:26"),
	"pts01-sdfdsfdsf-2": append(suite("encode-ogg"), "+PhoronixTestSuite/Generated/LastModified=2008-04-04 14:57:53"),
}

var secondSystem = []string{
	"+PhoronixTestSuite/System",
	"+PhoronixTestSuite/System/Hardware=Processor: CPU A @ 1.00GHz (4 Cores), Disk: 500GB SSD",
	"+PhoronixTestSuite/System/Identifier=A",
	"+PhoronixTestSuite/System/Software=OS: Linux, File-System: ext4",
	"+PhoronixTestSuite/System/TestClientVersion=10.8.6",
	"+PhoronixTestSuite/System/TimeStamp=2026-01-01 00:00:00",
	"+PhoronixTestSuite/System/User=u",
}

func suite(name string) []string {
	return []string{
		"-PhoronixTestSuite/Generated/Maintainer=Michael Larabel", "-PhoronixTestSuite/Generated/Name=" + name,
		"-PhoronixTestSuite/Generated/Type=Utility", "-PhoronixTestSuite/Generated/Version=0.1",
		"-PhoronixTestSuite/Result/Results", // Results and Group became one Data
	}
}

// TestTreesComeBack: a published file that is read and written again has the
// elements that it had, in their order and with their texts; what differs in
// which file stands above. Ours is the only code on the way from one document
// to the other: both are read with encoding/xml.
func TestTreesComeBack(t *testing.T) {
	whole, found := 0, map[string]bool{}
	for _, path := range published(t, "corpus/real/*/composite.xml", "corpus/defects/*/composite.xml", "samples/forms/*.xml", "flat/*.xml") {
		name := filepath.Base(filepath.Dir(path))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := write(t, read(t, "in.xml", bytes.NewReader(data)))
		want, err := tree(string(data))
		if err != nil {
			if name != "d25-truncated" {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		got, err := tree(text)
		if err != nil {
			t.Errorf("%s: written: %v", path, err)
			continue
		}
		allowed := differences[name]
		if allowed == nil {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-published +ours):\n%s", path, diff)
			}
			whole++
			continue
		}
		found[name] = true
		older := slices.Contains(want, "PhoronixTestSuite/Benchmark")
		for i := range want {
			want[i] = olderNames.Replace(want[i])
		}
		if got := differing(want, got, !older); !slices.Equal(got, slices.Sorted(slices.Values(allowed))) {
			t.Errorf("%s: differs in\n%s\nnot in\n%s", path, strings.Join(got, "\n"), strings.Join(allowed, "\n"))
		}
	}
	for name := range maps.Keys(differences) {
		if !found[name] {
			t.Errorf("no %s", name)
		}
	}
	t.Logf("%d files came back as they were, %d with differences", whole, len(found))
}

// differing returns the lines that are in one list alone, sorted, "-" before
// those of a. The others must be in the same order if ordered is set.
func differing(a, b []string, ordered bool) []string {
	count := map[string]int{}
	for _, line := range a {
		count[line]++
	}
	for _, line := range b {
		count[line]--
	}
	var out []string
	for line, n := range count {
		for range n {
			out = append(out, "-"+line)
		}
		for range -n {
			out = append(out, "+"+line)
		}
	}
	if ordered {
		// What was added stands together, so the rest is a list without it.
		rest := slices.Clone(b)
		for i := 0; i < len(rest); {
			if i >= len(a) || rest[i] != a[i] {
				rest = slices.Delete(rest, i, i+1)
				continue
			}
			i++
		}
		if !slices.Equal(a, rest) {
			out = append(out, "+another order")
		}
	}
	slices.Sort(out)
	return out
}

// The check itself finds what is wrong.
func TestTree(t *testing.T) {
	got, err := tree("<a>\n <b> x &amp; y </b><c/><d><e>1</e><e></e></d><d/></a>")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "a/b=x & y", "a/d", "a/d/e=1"}, got); diff != "" {
		t.Error(diff)
	}
	a := []string{"a", "a/b=1", "a/b=2", "a/b=2"}
	for want, b := range map[string][]string{
		"":                             {"a", "a/b=1", "a/b=2", "a/b=2"},
		"+a/b=3":                       {"a", "a/b=1", "a/b=3", "a/b=2", "a/b=2"},
		"+another order":               {"a", "a/b=2", "a/b=1", "a/b=2"},
		"+a/b=3 +another order -a/b=2": {"a", "a/b=1", "a/b=2", "a/b=3"},
	} {
		if got := strings.Join(differing(a, b, true), " "); got != want {
			t.Errorf("%q: %q, want %q", b, got, want)
		}
	}
}

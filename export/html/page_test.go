package html

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/result"
)

// The samples fit the limit of what is mailed around, each and all together,
// and are the same bytes every time.
func TestSize(t *testing.T) {
	const most = 1_500_000
	sets := map[string]*analyze.Set{"all": sample(t, samples...)}
	for _, name := range samples {
		sets[name] = sample(t, name)
	}
	for name, set := range sets {
		text := written(t, newPage(t, set, Options{}))
		t.Logf("%s: %d bytes", name, len(text))
		if len(text) > most {
			t.Errorf("%s: %d bytes, want at most %d", name, len(text), most)
		}
		if again := written(t, newPage(t, set, Options{})); again != text {
			t.Errorf("%s: the second page differs from the first", name)
		}
	}
}

// The policy allows the page's scripts and style as they stand in it, by their
// hashes, and nothing else.
func TestPolicy(t *testing.T) {
	text := written(t, newPage(t, analyze.NewSet([]*result.File{made()}), Options{}))
	m := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal("no policy")
	}
	policy := html.UnescapeString(m[1])
	for _, bad := range []string{"unsafe", "http", "*", "'self'"} {
		if strings.Contains(policy, bad) {
			t.Errorf("the policy has %s: %s", bad, policy)
		}
	}
	sum := func(open, end string) string {
		from := strings.Index(text, open) + len(open)
		s := sha256.Sum256([]byte(text[from : from+strings.Index(text[from:], end)]))
		return "'sha256-" + base64.StdEncoding.EncodeToString(s[:]) + "'"
	}
	for _, part := range []string{"default-src 'none';", "script-src " + sum("<script>", "</script>") + " 'sha256-", "style-src " + sum("<style>", "</style>") + ";"} {
		if !strings.Contains(policy, part) {
			t.Errorf("%q is not in %s", part, policy)
		}
	}
	if strings.Index(text, "Content-Security-Policy") > strings.Index(text, "<style>") {
		t.Error("the policy comes after what it is for")
	}
	if found := regexp.MustCompile(`(?:src|href)="https?:|url\(|@import`).FindString(strings.Split(text, `id="library"`)[0]); found != "" {
		t.Errorf("something is loaded: %s", found)
	}
}

func TestNewErrors(t *testing.T) {
	set := analyze.NewSet([]*result.File{made()})
	for _, o := range []analyze.CompareOptions{{Baseline: "HDD: EXT"}, {By: "Colour"}, {By: "Clients", Baseline: "13"}} {
		var name *analyze.NameError
		if _, err := New(set, Options{Compare: o}); !errors.As(err, &name) || len(name.Nearest) == 0 {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestBaselines(t *testing.T) {
	other := made()
	other.Source = "other.txt"
	one, two := analyze.NewSet([]*result.File{made()}), analyze.NewSet([]*result.File{made(), other})
	tests := []struct {
		name string
		set  *analyze.Set
		o    analyze.CompareOptions
		want []string // the first is the one to begin with
	}{
		{"systems", one, analyze.CompareOptions{}, []string{"HDD: EXT4", "HDD: XFS", "SSD: EXT4", "SSD: XFS"}},
		{"chosen", one, analyze.CompareOptions{Baseline: "SSD: EXT4"}, []string{"SSD: EXT4", "HDD: EXT4", "HDD: XFS", "SSD: XFS"}},
		{"option", one, analyze.CompareOptions{By: "clients"}, []string{"12", "48"}},
		{"component", one, analyze.CompareOptions{By: "File-System", Baseline: "xfs"}, []string{"xfs", "ext4"}},
		{"files", two, analyze.CompareOptions{Baseline: "other.txt"}, []string{
			"other.txt", "made.txt: HDD: EXT4", "made.txt: HDD: XFS", "made.txt: SSD: EXT4", "made.txt: SSD: XFS",
			"other.txt: HDD: EXT4", "other.txt: HDD: XFS", "other.txt: SSD: EXT4", "other.txt: SSD: XFS", "made.txt",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, c := range newPage(t, test.set, Options{Compare: test.o}).comparisons {
				got = append(got, c.name)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Past the limit of rows baselines are left out, the one to begin with never.
func TestTooManyBaselines(t *testing.T) {
	p := newPage(t, analyze.NewSet([]*result.File{large(20, 12)}), Options{Compare: analyze.CompareOptions{Baseline: "System L"}, maxRows: 2000})
	rows := 0
	for _, c := range p.comparisons {
		rows += len(c.Rows)
	}
	// 20 tests with 11 systems beside a baseline are 220 rows.
	if len(p.comparisons) != 9 || p.leftOut != 3 || rows != 1980 {
		t.Errorf("%d comparisons with %d rows, %d left out", len(p.comparisons), rows, p.leftOut)
	}
	if p.comparisons[0].name != "System L" {
		t.Errorf("the first is %q", p.comparisons[0].name)
	}
}

func TestSystems(t *testing.T) {
	v := newPage(t, analyze.NewSet([]*result.File{made()}), Options{}).systems()
	var differ []string
	for _, k := range v.Differ {
		for _, g := range k.Groups {
			differ = append(differ, k.Key+"="+g.Value+" "+strings.Join(g.Systems, "+"))
		}
	}
	// "A + B" and "B + A" are the same disks.
	want := []string{"Disk=A + B HDD: EXT4+HDD: XFS", "Disk=C SSD: EXT4+SSD: XFS", "File-System=ext4 HDD: EXT4+SSD: EXT4", "File-System=xfs HDD: XFS+SSD: XFS"}
	if !slices.Equal(differ, want) {
		t.Errorf("differ: %q, want %q", differ, want)
	}
	if len(v.Same) != 1 || v.Same[0].Key != "Memory" || v.Same[0].Value != "16GB" {
		t.Errorf("same: %+v", v.Same)
	}
}

// Keys that divide many systems alike stand together, so that the names of the
// systems are said once; a key that divides them in its own way lists them.
func TestSystemBlocks(t *testing.T) {
	f := &result.File{Title: "Blocks", Source: "blocks.json", Format: result.FormatRecord}
	for i := range 6 {
		s := result.System{Identifier: string(rune('a' + i)), Hardware: []result.Component{{Key: "Memory", Value: "16GB"}, {Key: "Processor", Value: "new"}, {Key: "Disk", Value: fmt.Sprint("disk ", i/2)}}}
		if i < 5 {
			s.Software = append(s.Software, result.Component{Key: "OS", Value: "Debian"})
		} else {
			s.Hardware[1].Value = "old"
		}
		f.Systems = append(f.Systems, s)
	}
	var got []string
	for _, b := range newPage(t, analyze.NewSet([]*result.File{f}), Options{}).systems().Blocks {
		text := ""
		for _, s := range b.Sides {
			text += s.Letter + " " + strings.Join(s.Systems, "") + ", "
		}
		for _, k := range b.Keys {
			text += k.Key + ":"
			for _, g := range k.Groups {
				text += " " + g.Value + "=" + strings.Join(g.Systems, "")
			}
			text += "; "
		}
		got = append(got, text)
	}
	want := []string{"A abcde, B f, Processor: new=abcde old=f; OS: Debian=abcde =f; ", "Disk: disk 0=ab disk 1=cd disk 2=ef; "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	page := written(t, newPage(t, analyze.NewSet([]*result.File{f}), Options{}))
	if n := strings.Count(page, "a, b, c, d, e</span> <span class=\"dim\">(5 systems)"); n != 1 {
		t.Errorf("the systems are named %d times", n)
	}
}

// The bars of the diagram join mean ranks within the critical difference, also
// where no value has an uncertainty and so no letters are claimed.
func TestDiagramBars(t *testing.T) {
	p := newPage(t, sample(t, "optane-900p-raid"), Options{})
	o := &p.ranking.Overall[0]
	if !o.CriticalDifference.Known || len(o.Systems) != 15 || o.Systems[0].Letters != "" {
		t.Fatalf("%+v", o)
	}
	v := p.group(o).CD
	// Mean ranks from 3.17 to 13.83 and a difference of 8.76: the first
	// fourteen but the last, and all but the first two.
	joined := strings.Split(strings.TrimSuffix(strings.TrimPrefix(v.Spoken[strings.Index(v.Spoken, "Joined"):], "Joined, which do not differ: "), "."), "; ")
	if len(v.Bars) != len(joined) || len(joined) == 0 {
		t.Fatalf("%d bars, %q", len(v.Bars), v.Spoken)
	}
	for _, names := range joined {
		list := strings.Split(names, ", ")
		low, high := 99.0, 0.0
		for _, s := range o.Systems {
			if slices.Contains(list, p.set.Systems[s.System].Name) {
				low, high = min(low, s.MeanRank), max(high, s.MeanRank)
			}
		}
		if high-low > o.CriticalDifference.X || len(list) < 2 {
			t.Errorf("%s: from %v to %v", names, low, high)
		}
	}
}

// A column is what it was, and no longer than a list of its numbers.
func TestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(-3, 3), 0, 40).Draw(t, "list")
		if rapid.Bool().Draw(t, "rising") {
			for i := 1; i < len(list); i++ {
				list[i] = list[i-1] + 1
			}
		}
		b, err := json.Marshal(column(list))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := json.Marshal(append([]int{}, list...))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > len(plain) {
			t.Errorf("%s is longer than %s", b, plain)
		}
		if got := unpacked(t, b); !slices.Equal(got, list) && len(got)+len(list) > 0 {
			t.Errorf("%s is %v, want %v", b, got, list)
		}
	})
	for _, test := range []struct {
		list column
		want string
	}{
		{nil, "[]"},
		{column{5}, "[5]"},
		{column{7, 7, 7, 7, 7, 7, 7}, `{"r":[7,7]}`},
		{column{0, 1, 2, 3, 4, 5, 6, 7, 8}, `{"d":[0,1,1,8]}`},
	} {
		if b, _ := json.Marshal(test.list); string(b) != test.want {
			t.Errorf("%v: %s, want %s", test.list, b, test.want)
		}
	}
}

// unpacked reads a column as the page's script does.
func unpacked(t *rapid.T, b []byte) []int {
	var list []int
	if json.Unmarshal(b, &list) == nil {
		return list
	}
	var runs struct{ R, D []int }
	if err := json.Unmarshal(b, &runs); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	x := 0
	for i := 0; i < len(runs.R)+len(runs.D); i += 2 {
		form := append(append([]int{}, runs.R...), runs.D...)
		for range form[i+1] {
			if runs.R != nil {
				x = form[i]
			} else {
				x += form[i]
			}
			list = append(list, x)
		}
	}
	return list
}

func known(x float64) analyze.Quantity { return analyze.Quantity{X: x, Known: true} }

func TestFigures(t *testing.T) {
	none := analyze.Quantity{}
	tests := []struct {
		x, low, high    analyze.Quantity
		ratio, interval string
	}{
		{known(0.271186), known(0.254), known(0.2899), "0.271", "0.254 to 0.290"},
		{known(1.001), known(0.99768), known(1.00434), "1.0010", "0.9977 to 1.0043"},
		{known(12.3456), none, none, "12.3", ""},
		{known(123.456), none, none, "123", ""},
		{known(4.4), known(2.5), known(7.7), "4.4", "2.5 to 7.7"},
		{known(0.00012345), known(0.0001), known(0.0002), "0.000123", "0.0001 to 0.0002"},
		{known(2), known(0.0125), known(320.4), "2.0", "0.013 to 320"},
		{none, none, none, "", ""},
	}
	for _, test := range tests {
		e := estimate{test.x, test.low, test.high}
		if r, i := e.ratio(), e.interval(); r != test.ratio || i != test.interval {
			t.Errorf("%v: %q and %q, want %q and %q", e, r, i, test.ratio, test.interval)
		}
	}
	for x, want := range map[float64]string{0.5: "0.5000", 0.00009: "<0.0001", 0.0001: "0.0001", 1: "1.0000"} {
		if got := export.PText(known(x)); got != want {
			t.Errorf("p %g: %q, want %q", x, got, want)
		}
	}
	// 0.01544996 is 0.0154, and so is 0.01545 by the even digit: its four
	// digits alone would have it. 0.0154501 is 0.0155, which they lose.
	f := fixes{}
	f.add(3, estimate{}, known(0.01544996))
	f.add(4, estimate{}, known(0.0154501))
	if got := f["p3"] + f["p4"]; len(f) != 1 || got != "0.0155" && got != "0.0154" {
		t.Errorf("fixes: %v", f)
	}
}

// A scale holds 1 and all ratios, in order, and cuts intervals that are far
// longer than the ratios are apart.
func TestScale(t *testing.T) {
	list := []estimate{
		{known(0.5), known(0.4), known(0.6)},
		{known(2), known(0.0001), known(9000)},
	}
	s := newScale(list)
	if s.off(1) != 0 || s.off(0.4) != 0 || s.off(2) != 0 || s.off(0.0001) != -1 || s.off(9000) != 1 {
		t.Errorf("what is on the scale: %d %d %d %d %d", s.off(1), s.off(0.4), s.off(2), s.off(0.0001), s.off(9000))
	}
	if !(s.at(0.4) < s.at(0.5) && s.at(0.5) < s.at(1) && s.at(1) < s.at(2) && s.at(2) < 100) {
		t.Error("places are not in order")
	}
	// Equal factors are equal lengths.
	if a, b := s.at(1)-s.at(0.5), s.at(2)-s.at(1); math.Abs(a-b) > 1e-9 {
		t.Errorf("a half is %g long and a double %g", a, b)
	}
	m := s.mark(list[1])
	if !m.OffLow || !m.OffHigh || m.Low != "0.00%" || m.High != "100.00%" {
		t.Errorf("mark %+v", m)
	}
	for _, span := range [][2]float64{{0.99, 1.01}, {0.5, 3}, {0.001, 1000}, {1e-12, 1e12}} {
		s := newScale([]estimate{{x: known(span[0])}, {x: known(span[1])}})
		ticks := s.ticks()
		one := false
		for i, k := range ticks {
			one = one || k.One
			if i > 0 && k.Label == ticks[i-1].Label {
				t.Errorf("%v: two ticks %s", span, k.Label)
			}
		}
		if len(ticks) < 2 || len(ticks) > 7 || !one {
			t.Errorf("%v: ticks %v", span, ticks)
		}
	}
}

func TestVaryingOptions(t *testing.T) {
	f := &result.File{Systems: []result.System{{Identifier: "A"}}}
	for _, a := range []string{"Type: Read - Block Size: 4KB - Disk: x", "Type: Read - Block Size: 2MB - Disk: x"} {
		f.Tests = append(f.Tests, result.Test{Title: "FIO", Arguments: a})
	}
	f.Tests = append(f.Tests, result.Test{Title: "SQLite", Arguments: "Timed"})
	got := varyingOptions(analyze.NewSet([]*result.File{f}))
	if want := []string{"Block Size: 4KB", "Block Size: 2MB", "Timed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The box of 1 to 5 and 9 by the rule of type 7: quartiles at 2.25 and 4.75.
func TestBox(t *testing.T) {
	m := result.Measurement{Value: "3,1,2,5,4,9"}
	if got, want := box(series(&m)), []float64{1, 2.25, 3.5, 4.75, 9}; !slices.Equal(got, want) {
		t.Errorf("box %v, want %v", got, want)
	}
	for _, value := range []string{"", "12", "1,x,3", "1,,3"} {
		if s := series(&result.Measurement{Value: value}); s != nil {
			t.Errorf("%q is a line %v", value, s)
		}
	}
}

// An empty set, one system, and a file without tests are pages too.
func TestDegenerate(t *testing.T) {
	for name, f := range map[string]*result.File{
		"nothing":    {Source: "x"},
		"one system": {Source: "x", Systems: []result.System{{Identifier: "A"}}, Tests: []result.Test{{Title: "T", Scale: "s", Proportion: result.LIB, Measurements: []result.Measurement{{Value: "1.5"}}}}},
		"no tests":   {Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}},
		"no values":  {Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}, Tests: []result.Test{{Title: "T"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, newPage(t, analyze.NewSet([]*result.File{f}), Options{}), 800, 600)
			if n := eval[int](w, `document.querySelectorAll("h2").length`); n != 6 {
				t.Errorf("%d parts", n)
			}
			if name == "one system" {
				if rows := w.all(); len(rows) != 1 || rows[0].Value != "1.5" || rows[0].Verdict != "not compared" {
					t.Errorf("rows %+v", rows)
				}
			}
		})
	}
}

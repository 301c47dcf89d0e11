package export

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarkdownText(t *testing.T) {
	for in, want := range map[string]string{
		"plain":              "plain",
		"a|b":                `a\|b`,
		"<b>&":               "&lt;b&gt;&amp;",
		"*x* `y` [z] ~ $ \\": "\\*x\\* \\`y\\` \\[z\\] \\~ \\$ \\\\",
		"snake_case_name":    "snake_case_name",
		"_emphasis_":         `\_emphasis\_`,
		"a\nb":               `a\\nb`,
		"日本_語":               "日本_語",
	} {
		if got := markdownText(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"# no head": `\# no head`, "- no item": `\- no item`, "1. no item": `1\. no item`, "12) no": `12\) no`,
		"12 items": "12 items", "": "", "=": `\=`, "+ x": `\+ x`,
	} {
		if got := markdownLine(in); got != want {
			t.Errorf("markdownLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMarkdownDocument(t *testing.T) {
	want := "# Small\n" + `
two lines\\nof text

- Source: small.txt
- Form: text

## Systems

| system | Disk | Memory | File-System | Disk (notes) |
| --- | --- | --- | --- | --- |
| HDD: EXT4 | 500GB Foo, Inc | 16GB | ext4 | relatime,rw |
| HDD: XFS | 500GB Foo, Inc | 16GB | xfs |  |
| HDD: XFS #2 |  |  |  |  |

## Results

| test | arguments | scale |  | HDD: EXT4 | HDD: XFS | HDD: XFS #2 |
| --- | --- | --- | --- | ---: | ---: | ---: |
| FS-Mark 3.3 | Test: 1000 Files, 1MB Size | Files/s | more is better | 698.00 ± 0.41 | -5 ± 1 | failed |
| Sensor |  | Celsius | less is better | 0.50\~ | 1,2,3 |  |
| Sensor |  | Celsius | less is better |  | 7 |  |
| Unsure |  | s | better direction unknown | ? 1.2 or 12 |  |  |
| Empty |  |  | better direction unknown |  |  |  |

Values as published; behind ± the standard error. An empty cell: no value.
\~ inferred: the source leaves this reading as the plausible one.
? ambiguous: the source leaves several readings.

- FS-Mark 3.3 Test: 1000 Files, 1MB Size: gcc -O2

## Diagnostics

| severity | line | column | message |
| --- | --- | --- | --- |
| warning | 3 | 1 | HDD: XFS twice |
| info |  |  | no place |
`
	got := write(t, func(b *strings.Builder) Writer { return NewMarkdown(b, Options{}) }, small())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMarkdownRows: each row of a table has as many cells as its header,
// whatever is in them.
func TestMarkdownRows(t *testing.T) {
	for _, o := range []Options{{Table: Results}, {Layout: Wide}, {Table: Systems}, {Table: Diagnostics}, {}} {
		cells := 0
		for line := range strings.SplitSeq(write(t, func(b *strings.Builder) Writer { return NewMarkdown(b, o) }, nasty()), "\n") {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			switch {
			case !strings.HasPrefix(line, "|"):
				cells = 0
			case cells == 0:
				cells = n
			case n != cells:
				t.Errorf("%+v: %d bars, want %d: %s", o, n, cells, line)
			}
		}
	}
}

func TestText(t *testing.T) {
	want := `source     system       group  kind      key          value           inherited
─────────  ───────────  ─────  ────────  ───────────  ──────────────  ─────────
small.txt  HDD: EXT4    HDD    hardware  Disk         500GB Foo, Inc  false
small.txt  HDD: EXT4    HDD    hardware  Memory       16GB            false
small.txt  HDD: EXT4    HDD    software  File-System  ext4            false
small.txt  HDD: EXT4    HDD    notes     Disk         relatime,rw     false
small.txt  HDD: XFS     HDD    hardware  Disk         500GB Foo, Inc  true
small.txt  HDD: XFS     HDD    hardware  Memory       16GB            false
small.txt  HDD: XFS     HDD    software  File-System  xfs             false
small.txt  HDD: XFS #2  HDD                                           false
`
	got := write(t, func(b *strings.Builder) Writer { return NewText(b, Options{Table: Systems}) }, small())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

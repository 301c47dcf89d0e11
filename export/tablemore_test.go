package export

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

// TestMoreTables: dates, addresses and reasons stand in tables of their own,
// and each row says which file it is from.
func TestMoreTables(t *testing.T) {
	f := &result.File{
		Title: "Disks", Source: "a.xml + b.html", URL: "https://example.org/result/1901281-SP-X", Identifier: "1901281-SP-X",
		Format: result.FormatXML, LastModified: "2019-01-28 10:00:00",
		Systems: []result.System{
			{Identifier: "SSD", Timestamp: "2019-01-27 09:08:07", User: "root", ClientVersion: "8.6.0", Origin: result.Origin{Source: "a.xml", Line: 7}},
			{Identifier: "SSD", Origin: result.Origin{Source: "b.html", Line: 3}},
		},
		Tests: []result.Test{{Title: "FS-Mark", Measurements: []result.Measurement{
			{System: 0, Value: "5", RunTimes: []string{"1.5", "2"}, Origin: result.Origin{Source: "a.xml", Line: 9, Column: 4, Offset: 120, Rule: "xml/entry"}},
			{System: 1, Status: result.StatusFailed, Reason: "timeout", Replay: &result.Replay{Driver: "fs_mark 3.3", Fidelity: result.NativeSameVersion}},
		}}},
	}
	for _, tt := range []struct {
		table Table
		where [2]string // column and value that choose the row
		want  map[string]string
	}{
		{Sources, [2]string{"system", "SSD"}, map[string]string{
			"timestamp": "2019-01-27 09:08:07", "url": "https://example.org/result/1901281-SP-X", "identifier": "1901281-SP-X", "origin": "a.xml", "user": "root",
			"last_modified": "2019-01-28 10:00:00", "client_version": "8.6.0", "format": "xml",
		}},
		{Sources, [2]string{"system", "SSD #2"}, map[string]string{"timestamp": "", "origin": "b.html", "title": "Disks"}},
		{Details, [2]string{"system", "SSD"}, map[string]string{
			"value": "5", "run_times": "1.5;2", "origin": "a.xml", "line": "9", "column": "4", "offset": "120", "rule": "xml/entry", "std_error_derived": "false", "driver": "",
		}},
		{Details, [2]string{"system", "SSD #2"}, map[string]string{
			"value": "", "status": "failed", "reason": "timeout", "driver": "fs_mark 3.3", "fidelity": "native-same-version", "line": "", "offset": "",
		}},
	} {
		records, err := csv.NewReader(strings.NewReader(write(t, csvOf(Options{Table: tt.table}), f))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(records[0], tt.where[0])
		found := false
		for _, row := range records[1:] {
			if row[at] != tt.where[1] {
				continue
			}
			found = true
			for name, want := range tt.want {
				if got := row[slices.Index(records[0], name)]; got != want {
					t.Errorf("%s of %s, %s: %q, want %q", tt.table, tt.where[1], name, got, want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no row of %q", tt.table, tt.where[1])
		}
	}
	empty := write(t, csvOf(Options{Table: Sources}), &result.File{Source: "x.txt", Title: "Nothing"})
	if !strings.HasSuffix(empty, "\nx.txt,Nothing,,,,,,,,,,,,,,,,\n") {
		t.Errorf("of a file without systems: %q", empty)
	}
}

// TestColumnsExplained: doc/formats.md says what every column holds.
func TestColumnsExplained(t *testing.T) {
	doc, err := os.ReadFile("../doc/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(doc), "\n## Columns of the tables\n")
	if !ok {
		t.Fatal("the section is gone")
	}
	for i, table := range Tables() {
		_, part, ok := strings.Cut(text, "\n`"+string(table)+"`, a row")
		if !ok {
			t.Errorf("nothing of the table %s", table)
			continue
		}
		if i+1 < len(Tables()) {
			part, _, _ = strings.Cut(part, "\n`"+string(Tables()[i+1])+"`, a row")
		}
		for _, c := range table.Columns() {
			if !strings.Contains(part, "`"+c.Name+"`") {
				t.Errorf("nothing of the column %s of %s", c.Name, table)
			}
		}
	}
}

package parquet_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/export/parquet"
	"github.com/benchproof/benchproof/parse"
	"github.com/benchproof/benchproof/result"
)

func sample() *result.File {
	return &result.File{
		Title: "Small", Source: "small.txt",
		Systems: []result.System{{Identifier: "EXT4"}, {Identifier: "XFS"}, {Identifier: "XFS"}},
		Tests: []result.Test{
			{
				Title: "SQLite", Version: "3.22", Profile: "pts/sqlite-1.9.0", Arguments: "Timed, \"quoted\"", Scale: "Seconds", Proportion: result.LIB,
				Measurements: []result.Measurement{
					{System: 0, Value: "274.00", StdError: "0.41", Samples: 9, Origin: result.Origin{Line: 7, Column: 3}},
					{System: 1, Value: "1234567890123456789", RawValues: []string{"1", "3"}, Min: "1", Max: "3", RunTimes: []string{"4.39", "2"}},
					{System: 2, Value: "-0.5", Decode: result.DecodeInferred, Precise: "-0.512"},
				},
				Unassigned: []result.Unassigned{{StdError: "1", Systems: []int{0, 1}}},
			},
			{Title: "Empty"},
			{
				Title: "FS-Mark\xff", Measurements: []result.Measurement{
					{System: 0, Status: result.StatusFailed, Reason: "no result"},
					{System: 1, Decode: result.DecodeAmbiguous, Alternatives: []string{"1.2", "12"}},
					{System: 2, Value: "NaN"},
				},
			},
		},
	}
}

func write(t testing.TB, files ...*result.File) ([]byte, *parquet.Writer) {
	t.Helper()
	var b bytes.Buffer
	w := parquet.New(&b)
	for _, f := range files {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), w
}

func rows(t testing.TB, data []byte) []parquet.Row {
	t.Helper()
	list, err := pq.Read[parquet.Row](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func p[T any](v T) *T { return &v }

func TestRows(t *testing.T) {
	data, w := write(t, sample())
	head := parquet.Row{Source: "small.txt", Title: "Small", Test: "SQLite", Version: "3.22", Profile: "pts/sqlite-1.9.0", Arguments: "Timed, \"quoted\"", Scale: "Seconds", Proportion: "LIB", Status: "ok", Decode: "exact", Place: 1}
	want := []parquet.Row{head, head, head, {}, {}, {}}
	want[0].System, want[0].Value, want[0].Number, want[0].StdError, want[0].StdErrorNumber, want[0].Samples = "EXT4", p("274.00"), p(274.0), p("0.41"), p(0.41), p(int64(9))
	want[0].Line, want[0].Column = p(int64(7)), p(int64(3))
	want[1].System, want[1].Value, want[1].Number, want[1].RawValues, want[1].Samples = "XFS", p("1234567890123456789"), p(1234567890123456789.0), []string{"1", "3"}, p(int64(2))
	want[1].StdError, want[1].StdErrorNumber, want[1].StdErrorDerived = p("1"), p(1.0), true
	want[1].Min, want[1].Max, want[1].RunTimes = p("1"), p("3"), []string{"4.39", "2"}
	want[2].System, want[2].Value, want[2].Number, want[2].Decode, want[2].Precise = "XFS #2", p("-0.5"), p(-0.5), "inferred", p("-0.512")
	head = parquet.Row{Source: "small.txt", Title: "Small", Test: "FS-Mark\ufffd", Status: "ok", Decode: "exact", Place: 3}
	want[3], want[4], want[5] = head, head, head
	want[3].System, want[3].Status, want[3].Reason = "EXT4", "failed", "no result"
	want[4].System, want[4].Decode, want[4].Alternatives = "XFS", "ambiguous", []string{"1.2", "12"}
	want[5].System, want[5].Value = "XFS #2", p("NaN")
	got := rows(t, data)
	for i := range got {
		// The library gives an empty list for none.
		for _, list := range []*[]string{&got[i].RawValues, &got[i].Alternatives, &got[i].RunTimes} {
			if len(*list) == 0 {
				*list = nil
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(w.Warnings()) != 1 {
		t.Errorf("warnings %q", w.Warnings())
	}
}

// The columns are promised: programs name them.
func TestSchema(t *testing.T) {
	data, _ := write(t)
	f, err := pq.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if id, _ := f.Lookup("benchproof.schema"); id != parquet.SchemaID {
		t.Errorf("schema %q", id)
	}
	const want = `message Row {
	required binary source (STRING);
	required binary title (STRING);
	required binary test (STRING);
	required binary version (STRING);
	required binary profile (STRING);
	required binary arguments (STRING);
	required binary scale (STRING);
	required binary proportion (STRING);
	required binary system (STRING);
	optional binary value (STRING);
	optional double number;
	optional binary std_error (STRING);
	optional double std_error_number;
	required boolean std_error_derived;
	optional int64 samples (INT(64,true));
	required group raw_values (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	required binary status (STRING);
	required binary reason (STRING);
	required binary decode (STRING);
	required group alternatives (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	optional binary min (STRING);
	optional binary max (STRING);
	required group run_times (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
	optional binary precise (STRING);
	required int64 test_number (INT(64,true));
	optional int64 line (INT(64,true));
	optional int64 column (INT(64,true));
}`
	if diff := cmp.Diff(want, f.Schema().String()); diff != "" {
		t.Error(diff)
	}
}

// The long CSV has the same rows.
func TestLikeCSV(t *testing.T) {
	const path = "../../samples/mdadm-raid-levels.txt"
	files, err := parse.ReadFile(path, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	c := export.NewCSV(&b, export.Options{})
	for _, f := range files {
		if err := c.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	want, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	data, _ := write(t, files...)
	got := rows(t, data)
	if len(got) != len(want)-1 || len(got) == 0 {
		t.Fatalf("%d rows, the CSV has %d", len(got), len(want)-1)
	}
	str := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	num := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	for i, r := range got {
		line := []string{
			r.Source, r.Title, r.Test, r.Version, r.Profile, r.Arguments, r.Scale, r.Proportion, r.System, str(r.Value), str(r.StdError),
			num(r.Samples), strings.Join(r.RawValues, ";"), r.Status, r.Decode, num(r.Line), num(r.Column),
		}
		if diff := cmp.Diff(want[i+1], line); diff != "" {
			t.Fatalf("row %d: %s", i, diff)
		}
	}
}

// Many rows become several groups, equal files equal bytes.
func TestGroups(t *testing.T) {
	f := many(70_000)
	data, _ := write(t, f)
	again, _ := write(t, f)
	if !bytes.Equal(data, again) {
		t.Error("other bytes the second time")
	}
	file, err := pq.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(file.RowGroups()); n < 2 || file.NumRows() != 70_000 {
		t.Errorf("%d groups, %d rows", n, file.NumRows())
	}
}

func many(n int) *result.File {
	f := &result.File{Source: "x", Systems: []result.System{{Identifier: "A"}, {Identifier: "B"}}}
	for i := range n / 2 {
		f.Tests = append(f.Tests, result.Test{Title: "T", Scale: "MB/s", Arguments: strconv.Itoa(i), Measurements: []result.Measurement{
			{System: 0, Value: strconv.Itoa(i), RawValues: []string{"1", "2"}, StdError: "0.5", Samples: 2}, {System: 1, Value: fmt.Sprintf("%d.5", i)},
		}})
	}
	return f
}

func BenchmarkWrite(b *testing.B) {
	f := many(100_000)
	b.ReportAllocs()
	for b.Loop() {
		w := parquet.New(io.Discard)
		if err := w.Write(f); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// TestWriteFile leaves a file for another reader where PARQUET_OUT names it.
func TestWriteFile(t *testing.T) {
	path := os.Getenv("PARQUET_OUT")
	if path == "" {
		t.Skip("PARQUET_OUT names no file")
	}
	data, _ := write(t, sample())
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

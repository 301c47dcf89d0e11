package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/benchproof/benchproof/parse/internal/oracle"
	"github.com/benchproof/benchproof/parse/internal/readertest"
	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// fioTruth reads fio's output by encoding/json alone: of each job and
// direction with I/O the figures, as "what unit figure".
func fioTruth(t *testing.T, text string) []string {
	t.Helper()
	start, end := strings.Index(text, "{\n  \"fio version\""), strings.LastIndex(text, "\n}")
	type latency struct {
		Mean       json.Number
		N          int64
		Percentile map[string]json.Number
	}
	type direction struct {
		Bytes json.Number `json:"bw_bytes"`
		IOPS  json.Number
		IOs   int64   `json:"total_ios"`
		Lat   latency `json:"lat_ns"`
		Clat  latency `json:"clat_ns"`
	}
	type job struct {
		Error             int
		Read, Write, Trim direction
	}
	var out struct {
		Jobs    []job
		Clients []job `json:"client_stats"`
	}
	d := json.NewDecoder(strings.NewReader(text[start : end+2]))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, j := range slices.Concat(out.Jobs, out.Clients) {
		for i, d := range []direction{j.Read, j.Write, j.Trim} {
			if d.IOs == 0 || j.Error != 0 {
				continue
			}
			name := [...]string{"Read", "Write", "Trim"}[i]
			list = append(list, name+" Bandwidth B/s HIB "+d.Bytes.String(), name+" IOPS IOPS HIB "+d.IOPS.String())
			for i, l := range []latency{d.Lat, d.Clat} {
				if l.N == 0 {
					continue
				}
				what := name + [...]string{" Latency", " Completion Latency"}[i]
				list = append(list, what+" ns LIB "+l.Mean.String())
				if p, ok := l.Percentile["99.000000"]; ok {
					list = append(list, what+" - 99th Percentile ns LIB "+p.String())
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// fioRead reads the same by ReadFio, and holds every value to its place.
func fioRead(t *testing.T, text string) (*result.File, []string) {
	t.Helper()
	files := readertest.Files(t, ReadFio, "in", text)
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	var list []string
	for i := range files[0].Tests {
		test := &files[0].Tests[i]
		m := &test.Measurements[0]
		if m.Status == result.StatusFailed {
			continue
		}
		if !strings.HasPrefix(text[m.Origin.Offset:], m.Value) || m.Decode != result.DecodeExact {
			t.Errorf("%s: %s value %q", m.Origin, m.Decode, m.Value)
		}
		at := slices.IndexFunc(test.Options, func(o result.Option) bool { return o.Key == "" })
		list = append(list, fmt.Sprintf("%s %s %s %s", fioArguments(test.Options[at:]), test.Scale, test.Proportion, m.Value))
	}
	oracle.Stands(t, files[0], text)
	slices.Sort(list)
	return files[0], list
}

// What fio 3.33 wrote, here and kept beside the project, against the same read
// by encoding/json.
func TestFioTruth(t *testing.T) {
	paths := []string{"testdata/mix.json", "testdata/full.json"}
	for _, pattern := range []string{"variability/iops2000_*.json", "fio_server/*.json", "fio/scaled_*", "guest_md/*.txt"} {
		kept, _ := filepath.Glob("../../../../shared/tool-outputs/" + pattern)
		paths = append(paths, kept...)
	}
	read := 0
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if !SniffFio(text) || bytes.Count(raw, []byte(`"fio version"`)) != 1 || !strings.Contains(text, "\n}") {
			continue
		}
		_, got := fioRead(t, text)
		if d := cmp.Diff(fioTruth(t, text), got); d != "" {
			t.Errorf("%s (-encoding/json +reader):\n%s", path, d)
		}
		read += len(got)
	}
	if read < 25 { // those of the two files that are here
		t.Errorf("%d figures", read)
	}
	t.Logf("%d figures of %d files", read, len(paths))
}

// testdata/mix.json by eye: two jobs at once that read and write, then one that
// writes.
func TestFioRecord(t *testing.T) {
	raw, err := os.ReadFile("testdata/mix.json")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := fioRead(t, string(raw))
	test := f.Tests[0]
	want := "Job: mix - rw: randrw - bs: 4k - ioengine: psync - numjobs: 2 - Read Bandwidth"
	if test.Arguments != want || test.Title != "fio" || test.Version != "3.33" || f.Generator != "fio-3.33" || f.Format != result.FormatFio {
		t.Errorf("%+v of %+v", test, f)
	}
	if test.CommandArguments != "name=mix rw=randrw bs=4k size=256k ioengine=psync numjobs=2" {
		t.Errorf("command arguments %q", test.CommandArguments)
	}
	var jobs []string
	for _, test := range f.Tests {
		if name := test.Options[0].String(); !slices.Contains(jobs, name) {
			jobs = append(jobs, name)
		}
		if m := test.Measurements[0]; m.Samples != 1 || m.StdError != "" || m.Min != "" {
			t.Errorf("%s: %+v", test.Arguments, m)
		}
	}
	if d := cmp.Diff([]string{"Job: mix", "Job: mix #2", "Job: seq"}, jobs); d != "" {
		t.Error(d)
	}
	if len(f.Systems) != 1 || f.Systems[0].Identifier != "in" || f.Systems[0].Decode != result.DecodeInferred || f.Systems[0].Timestamp == "" {
		t.Errorf("systems %+v", f.Systems)
	}
	if got := fioCodes(f); got != "stray-text system-unnamed several-jobs fio-figures" {
		t.Errorf("diagnostics %s", got)
	}
}

func fioCodes(f *result.File) string {
	var list []string
	for _, d := range f.Diagnostics {
		list = append(list, d.Code)
	}
	return strings.Join(list, " ")
}

// The figures of a job that failed are of a part of its load: they are none.
func TestFioFailed(t *testing.T) {
	raw, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	f, values := fioRead(t, string(raw))
	if len(values) > 0 || len(f.Tests) == 0 || !strings.Contains(fioCodes(f), "job-failed") {
		t.Errorf("values %q, %d tests, %s", values, len(f.Tests), fioCodes(f))
	}
	for _, test := range f.Tests {
		if m := test.Measurements[0]; m.Status != result.StatusFailed || m.Reason != "fio ended with error 28" { // ENOSPC
			t.Errorf("%s: %+v", test.Arguments, m)
		}
	}
}

// Small outputs by hand: of fio 2, of servers, and what is not as it should be.
func TestFioForms(t *testing.T) {
	head := "{\n \"fio version\" : \"fio-2.16\",\n \"jobs\" : ["
	job := `{"jobname":"a","error":0,"read":{"total_ios":9,"bw":1024,"iops":256.50,"lat":{"min":1,"max":9,"mean":3.25,"stddev":1}},"write":{"total_ios":0,"bw":0,"iops":0}}`
	one := []string{"Read Bandwidth KiB/s HIB 1024", "Read IOPS IOPS HIB 256.50", "Read Latency us LIB 3.25"}
	for _, c := range []struct {
		name, text string
		want       []string
		codes      string
	}{
		{"fio 2", head + job + "]}", one, "system-unnamed fio-figures"},
		{"lines before", "fio: pid=1, got signal=2\n" + head + job + "]}", one, "stray-text system-unnamed fio-figures"},
		{"cut in the second job", head + job + "," + job[:90], one, "system-unnamed fio-figures truncated"},
		{"no number", head + strings.Replace(job, "256.50", `"much"`, 1) + "]}", []string{one[0], one[2]}, "not-a-number system-unnamed fio-figures"},
		{"nothing measured", head + `{"jobname":"a","error":0,"read":{"total_ios":0,"iops":0}}]}`, nil, "no-figures"},
		{"failed at once", head + `{"jobname":"a","error":2}]}`, nil, "job-failed system-unnamed fio-figures"},
		{"no jobs", "{\"fio version\":\"fio-3.1\",\"timestamp\":1}", nil, "no-results"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, got := fioRead(t, c.text)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if codes := fioCodes(f); codes != c.codes {
				t.Errorf("diagnostics %q, want %q", codes, c.codes)
			}
		})
	}
	servers := "{\"fio version\":\"fio-3.33\",\"client_stats\":[" + strings.Replace(job, "{", `{"hostname":"h1",`, 1) + "," +
		strings.Replace(job, "{", `{"hostname":"h2",`, 1) + "," + strings.Replace(strings.Replace(job, `"a"`, `"All clients"`, 1), "{", `{"hostname":"h2",`, 1) + "]}"
	f, _ := fioRead(t, servers)
	if got := strings.Join(f.SystemNames(), ","); got != "h1,h2,All clients" {
		t.Errorf("systems %s", got)
	}
	var syntax *source.SyntaxError
	if err := ReadFio(source.New("in", "{}"), func(*result.File) error { return nil }); !errors.As(err, &syntax) {
		t.Errorf("no output of fio: %v", err)
	}
}

// Output cut anywhere gives no value that the whole one does not.
func TestFioTruncated(t *testing.T) {
	raw, err := os.ReadFile("testdata/mix.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	_, all := fioRead(t, text)
	for n := strings.Index(text, `"jobs"`); n < len(text)-3; n += 41 {
		f, got := fioRead(t, text[:n])
		for _, v := range got {
			if !slices.Contains(all, v) {
				t.Errorf("cut at %d: %s", n, v)
			}
		}
		if !strings.Contains(fioCodes(f), "truncated") {
			t.Errorf("cut at %d: %s", n, fioCodes(f))
		}
	}
}

func FuzzReadFio(f *testing.F) {
	for _, path := range []string{"testdata/mix.json", "testdata/full.json"} {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw[:min(len(raw), 6000)]))
	}
	f.Add(`{"fio version":"fio-2.1","jobs":[{"jobname":"a","error":0,"read":{"total_ios":1,"bw":1,"iops":1.5,"lat":{"mean":2}}},{"jobname":"a","read":{"iops":1}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		doc := source.New("in", text)
		doc.Limits.Tests, doc.Limits.Systems, doc.Limits.Depth = 50, 10, 20
		_ = ReadFio(doc, func(file *result.File) error {
			oracle.Stands(t, file, text)
			if len(file.Tests) > 50 || len(file.Systems) > 10 {
				t.Errorf("%d tests, %d systems", len(file.Tests), len(file.Systems))
			}
			return nil
		})
	})
}

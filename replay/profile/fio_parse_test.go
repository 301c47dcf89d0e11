package profile

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keptFio is a kept output of fio and the run that its JSON says it was.
func keptFio(t *testing.T, path string, p fioPrint) (*fioRun, []fioDocument, []byte) {
	t.Helper()
	out := readFile(t, path)
	docs, err := fioDocuments(out)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	r := &fioRun{era: &fioEra{print: p}, jobs: 1, depth: 1}
	if len(docs) == 0 {
		if strings.Contains(string(out), "WRITE: bw=") {
			r.rw = "write"
		}
		return r, nil, out
	}
	d := docs[len(docs)-1]
	option := func(key string) string {
		if v, ok := d.Jobs[0].Options[key]; ok {
			return v
		}
		return d.Global[key]
	}
	r.rw, r.bs, r.engine = option("rw"), option("bs"), option("ioengine")
	if n, err := strconv.Atoi(option("iodepth")); err == nil {
		r.depth = n
	}
	if n, err := strconv.Atoi(option("runtime")); err == nil && option("time_based") != "0" {
		r.time = int64(n)
	}
	return r, docs, out
}

// Every file of the table: what the profiles would have published, made from
// fio's text by other hands, against what follows from the JSON.
func TestFioExpected(t *testing.T) {
	dir := kept(t, "fio")
	f, err := os.Open(filepath.Join(dir, "_expected_parse.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	same := func(name, got, reason, want string) {
		t.Helper()
		if want == "" {
			if got != "" || reason == "" {
				t.Errorf("%s: got %q, want none", name, got)
			}
			return
		}
		g, err := strconv.ParseFloat(got, 64)
		w, err2 := strconv.ParseFloat(want, 64)
		if err != nil || err2 != nil || g != w {
			t.Errorf("%s: got %q (%s), want %s", name, got, reason, want)
		}
	}
	// The table's maker read the last group line and IOPS line, whatever
	// became of the job.
	failed := []string{"edge_ENOSPC2.txt", "edge_kill_INT.txt", "edge_kill_TERM.txt"}
	checked, texts := 0, 0
	for _, row := range rows[1:] {
		name := row[0]
		if name == "_matrix_summary.txt" {
			continue // no output of fio
		}
		carried, thousands := fioPrint{digits: 4, carry: true}, fioPrint{digits: 4, carry: true, thousands: true}
		r, docs, out := keptFio(t, filepath.Join(dir, name), carried)
		text, err := parseFioText(out, r.write())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		reading := text
		if len(docs) > 0 {
			if reading, err = r.read(&docs[0]); err != nil && !slices.Contains(failed, name) {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if name == "edge_ENOSPC2.txt" {
				docs[0].Jobs[0].Error = 0 // as the profile, which does not look
				reading, _ = r.read(&docs[0])
			}
			for i, metric := range []string{"bandwidth", "iops"} {
				s, _ := reading.Sample(metric)
				want := text.Samples[i].Detail
				got := carried.bandwidthText(s.Value)
				if metric == "iops" {
					got = carried.iopsText(s.Value)
				}
				if got != want {
					t.Errorf("%s: %s from JSON is %s, fio printed %s", name, metric, got, want)
				}
				texts++
			}
			bw, _ := reading.Sample("bandwidth")
			if strconv.FormatFloat(bw.Value, 'f', -1, 64) != row[4] {
				t.Errorf("%s: bandwidth %v, want %s", name, bw.Value, row[4])
			}
			if !slices.Contains(failed, name) && reading.Broken() != "" {
				t.Errorf("%s: %s", name, reading.Broken())
			}
		}
		bw, _ := reading.Sample("bandwidth")
		iops, _ := reading.Sample("iops")
		got, reason := (&fioRun{era: &fioEra{print: carried}}).publish("bandwidth")(bw)
		same(name+" MB/s", got, reason, row[1])
		got, reason = (&fioRun{era: &fioEra{print: thousands}}).publish("iops")(iops)
		same(name+" IOPS of 1.11", got, reason, row[2])
		got, reason = (&fioRun{era: &fioEra{print: carried}}).publish("iops")(iops)
		same(name+" IOPS of 1.12.1", got, reason, row[3])
		checked++
		_, err = r.parse(one("fio", out))
		if (err != nil) != slices.Contains(failed, name) {
			t.Errorf("%s: parse: %v", name, err)
		}
	}
	if checked != 113 || texts != 2*111 {
		t.Errorf("checked %d files and %d texts, want 113 and 222", checked, texts)
	}
}

// Every other kept output of fio: derived and printed text agree.
func TestFioKept(t *testing.T) {
	var files []string
	for _, pattern := range []string{"guest_md/*_libaio_*.txt", "pitfalls/*.txt", "variability/*.json"} {
		found, err := filepath.Glob(filepath.Join(kept(t), filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	texts := 0
	for _, path := range files {
		r, docs, out := keptFio(t, path, fioPrint{digits: 4, carry: true})
		if len(docs) != 1 {
			t.Errorf("%s: %d documents", path, len(docs))
			continue
		}
		reading, err := r.parse(one("fio", out))
		if strings.Contains(path, "native-btrfs-raid0_libaio_randread") {
			if err == nil || !strings.Contains(err.Error(), "signal 15") {
				t.Errorf("%s: got %v, want the signal", path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if b := reading.Broken(); b != "" {
			t.Errorf("%s: %s", path, b)
		}
		text, err := parseFioText(out, r.write())
		if strings.HasSuffix(path, ".json") {
			continue // JSON alone
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		bw, _ := reading.Sample("bandwidth")
		iops, _ := reading.Sample("iops")
		if g, w := r.era.print.bandwidthText(bw.Value), text.Samples[0].Detail; g != w {
			t.Errorf("%s: bandwidth %s, printed %s", path, g, w)
		}
		if g, w := r.era.print.iopsText(iops.Value), text.Samples[1].Detail; g != w {
			t.Errorf("%s: IOPS %s, printed %s", path, g, w)
		}
		texts++
	}
	if len(files) != 84 || texts != 65 {
		t.Errorf("%d files and %d texts, want 84 and 65", len(files), texts)
	}
}

func TestFioFailures(t *testing.T) {
	run := &fioRun{era: &fioEras[3], rw: "randread", engine: "libaio", bs: "4k", depth: 64, jobs: 1, time: 4}
	good := readFile(t, filepath.Join(kept(t, "fio"), "scaled_ext4_libaio_randread_4k.txt"))
	reading, err := run.parse(one("fio", good))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "")
	if s, _ := reading.Sample("iops"); s.Value < 20423.0384 || s.Value > 20423.0385 {
		t.Errorf("iops %v, want 20423.038481", s.Value)
	}

	for _, test := range []struct{ file, reason string }{
		{"edge_ENOSPC2.txt", "No space left on device"},
		{"edge_ENOSPC3_layout.txt", "ENOSPC"},
		{"edge_bad_engine.txt", "failed to load engine"},
		{"edge_kill_INT.txt", "signal 2"},
		{"edge_kill_TERM.txt", "signal 15"},
		{"edge_kill_KILL.txt", "signal 15"},
		{filepath.Join("..", "fio_server", "dead_server.txt"), "0 jobs"},
		{filepath.Join("..", "fio_server", "two_clients.json"), "0 jobs"},
		{filepath.Join("..", "fio_server", "one_client.json"), "0 jobs"},
	} {
		out := one("fio", readFile(t, filepath.Join(kept(t, "fio"), test.file)))
		if stderr, err := os.ReadFile(filepath.Join(kept(t, "fio"), strings.TrimSuffix(test.file, ".txt")+".stderr.txt")); err == nil {
			out.Steps[0].Stderr = stderr
		}
		if _, err := run.parse(out); err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: got %v, want %q", test.file, err, test.reason)
		}
	}

	cut := good[:len(good)*2/3]
	if _, err := run.parse(one("fio", cut)); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("a cut-off document: got %v", err)
	}
	ended := one("fio", good)
	ended.Steps[0].ExitCode = 128
	if _, err := run.parse(ended); err == nil {
		t.Error("exit code 128 gave a sample")
	}
	if _, err := run.parse(&Outputs{}); err == nil {
		t.Error("no output gave a sample")
	}

	// Two documents: the last is of the whole run.
	other := readFile(t, filepath.Join(kept(t, "fio"), "scaled_ext4_libaio_randwrite_4k.txt"))
	reading, err = run.parse(one("fio", slices.Concat(other, []byte("\n"), good)))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "")

	// Another run than asked for gives no sample.
	for _, test := range []struct {
		change func(r *fioRun)
		want   string
	}{
		{func(r *fioRun) { r.bs = "2m" }, "bs"},
		{func(r *fioRun) { r.engine = "sync" }, "ioengine"},
		{func(r *fioRun) { r.time = 5 }, "measured milliseconds"},
	} {
		r := *run
		test.change(&r)
		reading, err := r.parse(one("fio", good))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, reading, test.want)
	}
}

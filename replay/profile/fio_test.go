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

// The figures are worked by hand from fio's rules; those of fio 3.33 beside
// what it printed are in TestFioExpected.
func TestFioNumber(t *testing.T) {
	two, three, carried := fioPrint{digits: 6}, fioPrint{digits: 4}, fioPrint{digits: 4, carry: true}
	tests := []struct {
		print fioPrint
		bytes float64
		want  string
	}{
		{carried, 409395, "400KiB/s"},            // 399.8: no room for places, rounded
		{carried, 9999, "9999B/s"},               // four digits fit
		{carried, 10000, "9.77KiB/s"},            // 9 and 784/1024
		{carried, 6547867, "6394KiB/s"},          // 6394.4
		{carried, 10240 * 1024, "10.0MiB/s"},     // 10240 KiB
		{carried, 83717245, "79.8MiB/s"},         // 79.839
		{carried, 21990000, "21.0MiB/s"},         // 20.971: carried
		{three, 21990000, "20.0MiB/s"},           // 20.971: fio before 3.26 forgets the carry
		{three, 20.94 * 1048576, "20.9MiB/s"},    // nothing to carry
		{carried, 10736344498, "10.00GiB/s"},     // 9 and 1022 of 1024: the carry makes a digit more
		{carried, 9999 << 20, "9999MiB/s"},       //
		{carried, 10000 << 20, "9.77GiB/s"},      //
		{two, 776458240, "758260KB/s"},           // 776458240/1024
		{two, 131072, "131072B/s"},               // six digits fit
		{two, 1263616, "1234.0KB/s"},             //
		{two, 1263616 + 512, "1234.6KB/s"},       // 512 -> 52 -> 6: each digit rounded up
		{two, 999999 * 1024, "999999KB/s"},       //
		{two, 1000000 * 1024, "976.58MB/s"},      // 976 and 576 of 1024: 576 -> 58
		{two, 12345*1024 + 600, "12346KB/s"},     // one place is left, none for digits: rounded
		{two, 12345*1024 + 500, "12345KB/s"},     //
		{carried, 6529852529550, "6081GiB/s"},    // as in the kept run of the null engine
		{carried, 0, "0B/s"},                     //
		{three, 1048576 * 100, "100MiB/s"},       //
		{three, 1048576*100 + 600e3, "101MiB/s"}, // 100.57 rounds, whatever the carry
	}
	for _, test := range tests {
		if got := test.print.bandwidthText(test.bytes); got != test.want {
			t.Errorf("%v B/s in %d digits, carry %v: got %s, want %s", test.bytes, test.print.digits, test.print.carry, got, test.want)
		}
	}
}

func TestFioPublish(t *testing.T) {
	publish := func(version, arguments, scale string) func(Sample) (string, string) {
		return resolve(t, row("Flexible IO Tester", version, arguments, scale), nil, 1).Publish
	}
	const (
		old = "Type: Random Read - IO Engine: Libaio - Buffered: No - Block Size: 16KB - Disk Target: Default Test Directory - Result: "
		mid = "Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory"
	)
	tests := []struct {
		version, arguments, scale string
		value                     float64
		want, reason              string
	}{
		{"2.1.11", old + "MB/s", "MB/s", 776458240, "758.26", ""},
		{"2.1.11", old + "MB/s", "MB/s", 1263616 + 512, "1.2346", ""},
		{"2.1.11", old + "MB/s", "MB/s", 1024e6, "", "976.58MB/s"},
		{"2.1.11", old + "MB/s", "MB/s", 999999, "", "999999B/s"},
		{"2.1.11", old + "IOPS", "IOPS", 47391.9, "47391", ""},
		{"2.1.11", old + "IOPS", "IOPS", 1e6, "", "1000.0K"},
		{"3.1", mid, "MB/s", 83717245, "79.8", ""},
		{"3.1", mid, "MB/s", 21990000, "20.0", ""},
		{"3.1", mid, "MB/s", 6547867, "6.394", ""},
		{"3.1", mid, "MB/s", 9999, "", "9999B/s"},
		{"3.1", mid, "MB/s", 10000 << 20, "", "9.77GiB/s"},
		{"3.1", mid, "IOPS", 283456, "283000", ""},
		{"3.1", mid, "IOPS", 41249.5, "41200", ""},
		{"3.1", mid, "IOPS", 9999.9, "", "9999"},
		{"3.1", mid, "IOPS", 10000, "10000", ""},
		{"3.1", mid, "IOPS", 10e6, "", "10.0M"},
		{"3.16", mid, "IOPS", 9999.9, "9999", ""},
		{"3.16", mid, "IOPS", 12.3e6, "12300000", ""},
		{"3.29", mid, "MB/s", 21990000, "21.0", ""},
		{"3.25", mid, "MB/s", 21990000, "20.0", ""},
		{"3.35", mid + " - Job Count: 1", "MiB/s", 1500 << 20, "1500.00", ""},
		{"3.35", mid + " - Job Count: 1", "MiB/s", 500 << 20, "", "KiB/s"},
		{"3.35", mid + " - Job Count: 1", "IOPS", 20282.571429, "20282.57", ""},
	}
	for _, test := range tests {
		text, reason := publish(test.version, test.arguments, test.scale)(Sample{Value: test.value})
		if text != test.want || (reason == "") != (test.reason == "") || !strings.Contains(reason, test.reason) {
			t.Errorf("%s %s %v: got %q (%s), want %q (%s)", test.version, test.scale, test.value, text, reason, test.want, test.reason)
		}
	}
}

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

func TestFioJobFiles(t *testing.T) {
	dir := kept(t, "fio")
	for _, test := range []struct{ file, version, arguments string }{
		{"pts-1.11.x_randread-libaio-4k_rootext4.job", "3.1", "Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory"},
		{"pts-1.11.x_write-libaio-2m_rootext4.job", "3.1", "Type: Sequential Write - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 2MB - Disk Target: Default Test Directory"},
		{"pts-1.14.1_randwrite-io_uring-4k_rootext4.job", "3.25", "Type: Random Write - Engine: IO_uring - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory"},
	} {
		job := resolve(t, row("Flexible IO Tester", test.version, test.arguments, "MB/s"), nil, 1)
		// The profile leaves an empty line where it has no force_async.
		want := strings.Replace(string(readFile(t, filepath.Join(dir, test.file))), "\n\n", "\n", 1)
		if got := job.Steps[0].Files[0].Text; got != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.file, got, want)
		}
	}
}

func TestFioResolve(t *testing.T) {
	const arguments = "Type: Random Read - IO Engine: Libaio - Buffered: No - Block Size: 16KB - Disk Target: Default Test Directory - Result: MB/s"
	job := resolve(t, row("Flexible IO Tester", "2.1.11", arguments, "MB/s"), nil, 1)
	if job.Profile != "pts/fio-1.6.2" || job.Metric != "bandwidth" || job.Driver != "fio 3.33" || job.Fidelity != "native-other-version" {
		t.Errorf("got %s %s %s %s", job.Profile, job.Metric, job.Driver, job.Fidelity)
	}
	text := job.Steps[0].Files[0].Text
	if !strings.Contains(text, "\ndirect=0\nbuffered=0\nstartdelay=5\nramp_time=5\nruntime=20\ntime_based\n") || strings.Contains(text, "force_async") {
		t.Errorf("job file\n%s", text)
	}
	if job.Need.Bytes != 1<<30+(1<<30)/20 || job.NotComparable != "" || job.Scaled != "" {
		t.Errorf("need %d, not comparable %q, scaled %q", job.Need.Bytes, job.NotComparable, job.Scaled)
	}
	want := []Option{
		{"type", "randread", Published},
		{"engine", "libaio", Published},
		{"direct", "0", Default},
		{"buffered", "0", Published},
		{"block-size", "16k", Published},
		{"disk-target", "default", Published},
		{"iodepth", "64", Default},
		{"size", "1g", Default},
		{"start-delay", "5", Default},
		{"ramp-time", "5", Default},
		{"runtime", "20", Default},
	}
	if !slices.Equal(job.Options, want) {
		t.Errorf("options %v", job.Options)
	}

	// The two figures of a run share it; another block size does not.
	const mid = "Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory"
	a := resolve(t, row("Flexible IO Tester", "3.1", mid, "MB/s").at(t, "2019-06-05"), nil, 1)
	b := resolve(t, row("Flexible IO Tester", "3.1", mid, "IOPS").at(t, "2019-06-05"), nil, 1)
	c := resolve(t, row("Flexible IO Tester", "3.1", strings.Replace(mid, "4KB", "8KB", 1), "IOPS").at(t, "2019-06-05"), nil, 1)
	if a.RunKey != b.RunKey || a.RunKey == c.RunKey || a.Profile != "pts/fio-1.11.5" || strings.Contains(a.RunKey, "\n") {
		t.Errorf("run keys\n%s\n%s\n%s", a.RunKey, b.RunKey, c.RunKey)
	}
	if d := resolve(t, row("Flexible IO Tester", "3.1", mid, "MB/s").at(t, "2019-01-28"), nil, 1); d.Profile != "pts/fio-1.11.4" {
		t.Errorf("of January 2019: %s", d.Profile)
	}
	exact := row("Some title", "3.1", mid, "MB/s")
	exact.Test.Profile = "pts/fio-1.11.5"
	if d := resolve(t, exact, nil, 1); d.Profile != "pts/fio-1.11.5" {
		t.Errorf("by its profile: %s", d.Profile)
	}
	if d := resolve(t, row("Flexible  IO Tester v3.1", "", mid, "MB/s"), nil, 1); d.Profile != "pts/fio-1.11.4" {
		t.Errorf("version in the title: %s", d.Profile)
	}
}

func TestFioSetAndScale(t *testing.T) {
	const arguments = "Type: Sequential Write - Engine: IO_uring - Buffered: No - Direct: Yes - Block Size: 2MB - Disk Target: Default Test Directory"
	r := row("Flexible IO Tester", "3.25", arguments, "MB/s")
	job := resolve(t, r, nil, 0.0625)
	if job.Scaled != "size 1g -> 64m, startdelay 5 s -> 0 s, ramp_time 5 s -> 0 s, runtime 20 s -> 1 s" || job.NotComparable != "scaled: "+job.Scaled {
		t.Errorf("scaled %q, not comparable %q", job.Scaled, job.NotComparable)
	}
	if text := job.Steps[0].Files[0].Text; !strings.Contains(text, "\nsize=64m\n") || !strings.Contains(text, "\nruntime=1\n") || !strings.Contains(text, "\nforce_async=4\n") {
		t.Errorf("job file\n%s", text)
	}
	if got := job.Steps[0].Remove; !slices.Equal(got, []string{"fiofile"}) {
		t.Errorf("removes %v", got)
	}
	job = resolve(t, r, map[string]string{"fio.size": "2g", "engine": "Libaio", "runtime": "20"}, 1)
	if job.NotComparable != "changed by --set: engine=libaio, size=2g" {
		t.Errorf("not comparable: %q", job.NotComparable)
	}
	if i := slices.Index(job.Options, Option{"size", "2g", Set}); i < 0 {
		t.Errorf("options %v", job.Options)
	}
}

func TestFioRefusals(t *testing.T) {
	const good = "Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory"
	swap := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, test := range []struct {
		version, arguments, scale string
		set                       map[string]string
		reason, hint              string
	}{
		{"3.1", swap("4KB", "4KB; rm -rf /"), "MB/s", nil, `Block Size: value "4KB; rm -rf /" is not known`, "--set fio.block-size=4KB"},
		{"3.1", swap("Random Read", "$(reboot)"), "MB/s", nil, `Type: value "$(reboot)"`, ""},
		{"3.1", swap("Default Test Directory", "/mnt/../etc"), "MB/s", nil, `Disk Target: value "/mnt/../etc"`, "fio.disk-target"},
		{"3.1", swap("Linux AIO", "Windows AIO"), "MB/s", nil, "of Windows", ""},
		{"3.1", swap(" - Block Size: 4KB", ""), "MB/s", nil, "block-size is not published", "--set fio.block-size=4KB"},
		{"3.1", good + " - Colour: Red\nrm", "MB/s", nil, `option "Colour" is not known`, ""},
		{"3.1", good + " - Type: Random Read", "MB/s", nil, `option "Type" stands twice`, ""},
		{"3.1", good, "Furlongs", nil, `in "Furlongs"`, ""},
		{"3.99", good, "MB/s", nil, `version "3.99" is not known; known are 2.1.11, 3.1,`, ""},
		{"", good, "MB/s", nil, "version is not published", ""},
		{"3.1", good, "MB/s", map[string]string{"size": "1x"}, "--set fio.size=", ""},
		{"3.1", good, "MB/s", map[string]string{"fio.iodepth": "-1"}, "--set fio.iodepth=", ""},
		{"3.1", good, "MB/s", map[string]string{"type": "trim"}, "--set fio.type=", ""},
		{"3.36", swap("Buffered: No - ", ""), "MB/s", nil, "jobs is not published", "--set fio.jobs="},
		{"3.36", good + " - Job Count: 1", "MB/s", nil, `option "Buffered" is not known`, ""},
		{"2.1.11", swap("Direct: Yes - ", "") + " - Result: IOPS", "MB/s", nil, "Result", ""},
	} {
		_, err := fio{}.Resolve(Request{Row: row("Flexible IO Tester", test.version, test.arguments, test.scale), Set: test.set, Scale: 1, Tools: debian12})
		refusal(t, err, test.reason, test.hint)
	}
	_, err := fio{}.Resolve(Request{Row: row("Flexible IO Tester", "3.1", good, "MB/s"), Scale: 1, Tools: sharedTools{}})
	if r := refusal(t, err, "fio is not installed", "apt-get install fio"); !r.Unavailable {
		t.Error("a missing tool is a plain refusal")
	}
	_, err = fio{}.Resolve(Request{Row: row("Flexible IO Tester", "3.1", good, "MB/s"), Scale: 1, Tools: sharedTools{"fio": "2.1.11"}})
	refusal(t, err, "fio 2.1.11", "")
}

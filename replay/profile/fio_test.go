package profile

import (
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
	// What is said to run is what runs, whatever the factor: 30.7 MiB are 30.
	job = resolve(t, r, nil, 0.03)
	if text := job.Steps[0].Files[0].Text; !strings.HasPrefix(job.Scaled, "size 1g -> 30m, ") || !strings.Contains(text, "\nsize=30m\n") {
		t.Errorf("scaled %q, job file\n%s", job.Scaled, text)
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
		{"3.1", swap("Default Test Directory", "mnt"), "MB/s", nil, `Disk Target: value "mnt" is not known`, ""},
		{"3.1", swap("Default Test Directory", "/mnt/\x1b[2J"), "MB/s", nil, `Disk Target: value "/mnt/\x1b[2J" is not known`, ""},
		{"3.16", swap("Default Test Directory", "/mnt/ssd"), "MB/s", nil, "fio-1.12.1 gives fio the directory for the file to measure", "--set 'fio.disk-target=Default Test Directory'"},
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

// TestFioDiskTarget: a row measured in another directory than PTS's own is
// replayed in the target, and the published path is told and not used.
func TestFioDiskTarget(t *testing.T) {
	for _, at := range []string{"/", "/mnt/nvme0", "/media/disk one/"} {
		job, err := fio{}.Resolve(Request{
			Row:   row("Flexible IO Tester", "3.25", "Type: Random Read - Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: "+at, "IOPS"),
			Scale: 1, Tools: debian12,
		})
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if len(job.Warnings) != 1 || !strings.Contains(job.Warnings[0], strconv.Quote(at)) {
			t.Errorf("%s: warnings %q", at, job.Warnings)
		}
		for _, f := range job.Steps[0].Files {
			if at != "/" && strings.Contains(f.Text, at) {
				t.Errorf("%s stands in the job:\n%s", at, f.Text)
			}
		}
	}
}

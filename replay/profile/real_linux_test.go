package profile_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/profile"
	"github.com/benchproof/benchproof/result"
)

// finder finds the real tools.
type finder struct{}

func (finder) Find(program string) (path, version string, ok bool) {
	if path, err := exec.LookPath(program); err == nil {
		return path, "", true
	}
	for _, pattern := range []string{"/usr/sbin/", "/usr/local/bin/", "/usr/lib/postgresql/*/bin/"} {
		if found, _ := filepath.Glob(pattern + program); len(found) > 0 {
			return found[len(found)-1], "", true
		}
	}
	return "", "", false
}

// bench runs a job's steps as their comments say, in a directory of its own.
type bench struct {
	t       *testing.T
	scratch string
	account *syscall.Credential // for steps of an unprivileged account
}

func newBench(t *testing.T) *bench {
	t.Helper()
	// A test's own directory lies below one that is closed to others.
	dir, err := os.MkdirTemp("", "bp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &bench{t: t, scratch: dir}
	if os.Getuid() != 0 {
		return b
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip("needs the account nobody")
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	b.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return b
}

// fill replaces the marks of a step's text.
func (b *bench) fill(text string, n int) string {
	text = strings.NewReplacer("{scratch}", b.scratch, "{copy}", strconv.Itoa(n)).Replace(text)
	return regexp.MustCompile(`\{tool:[^}]*\}`).ReplaceAllStringFunc(text, func(mark string) string {
		path, _, ok := finder{}.Find(mark[len("{tool:") : len(mark)-1])
		if !ok {
			b.t.Fatalf("%s is not there", mark)
		}
		return path
	})
}

func (b *bench) command(ctx context.Context, s *profile.Step, argv []string, n int) *exec.Cmd {
	filled := make([]string, len(argv))
	for i := range argv {
		filled[i] = b.fill(argv[i], n)
	}
	cmd := exec.CommandContext(ctx, filled[0], filled[1:]...)
	cmd.Dir = filepath.Join(b.scratch, s.Dir)
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + b.scratch, "TMPDIR=" + b.scratch}, s.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if s.User && b.account != nil {
		cmd.SysProcAttr.Credential = b.account
	}
	return cmd
}

// once runs one repetition.
func (b *bench) once(ctx context.Context, job *profile.Job, first bool) *profile.Outputs {
	b.t.Helper()
	outputs := new(profile.Outputs)
	for i := range job.Steps {
		s := &job.Steps[i]
		if s.When == profile.First && !first {
			continue
		}
		for _, name := range s.Remove {
			if err := os.RemoveAll(filepath.Join(b.scratch, name)); err != nil {
				b.t.Fatal(err)
			}
		}
		for _, name := range s.Mkdirs {
			if err := os.MkdirAll(filepath.Join(b.scratch, name), 0o755); err != nil {
				b.t.Fatal(err)
			}
		}
		for _, f := range s.Files {
			if err := os.WriteFile(filepath.Join(b.scratch, f.Name), []byte(b.fill(f.Text, 0)), 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
		time.Sleep(s.Sleep)
		if s.Server {
			defer b.serve(ctx, s)()
			continue
		}
		out := b.run(ctx, s)
		if out.ExitCode != 0 {
			b.t.Fatalf("%s ended with %d\n%s\n%s", s.Name, out.ExitCode, out.Stdout, out.Stderr)
		}
		outputs.Steps = append(outputs.Steps, *out)
	}
	return outputs
}

// run runs a step, or all of its copies at once.
func (b *bench) run(ctx context.Context, s *profile.Step) *profile.Output {
	b.t.Helper()
	copies := max(s.Copies, 1)
	cmds := make([]*exec.Cmd, copies)
	stdout, stderr := make([]bytes.Buffer, copies), make([]bytes.Buffer, copies)
	began := time.Now()
	for n := range cmds {
		cmds[n] = b.command(ctx, s, s.Argv, n)
		cmds[n].Stdout, cmds[n].Stderr = &stdout[n], &stderr[n]
		if err := cmds[n].Start(); err != nil {
			b.t.Fatal(err)
		}
	}
	out := &profile.Output{Name: s.Name}
	for n, cmd := range cmds {
		err := cmd.Wait()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out.ExitCode = exit.ExitCode()
		} else if err != nil {
			b.t.Fatalf("%s: %v", s.Name, err)
		}
		out.Stdout = append(out.Stdout, stdout[n].Bytes()...)
		out.Stderr = append(out.Stderr, stderr[n].Bytes()...)
	}
	out.Elapsed = time.Since(began)
	return out
}

// serve starts a server, waits until it is ready, and returns what stops it.
func (b *bench) serve(ctx context.Context, s *profile.Step) (stop func()) {
	b.t.Helper()
	cmd := b.command(ctx, s, s.Argv, 0)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}
	stop = func() {
		_ = cmd.Process.Signal(signals[s.Stop])
		if err := cmd.Wait(); err != nil {
			b.t.Errorf("%s: %v\n%s", s.Name, err, log.Bytes())
		}
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if b.command(ctx, s, s.Ready, 0).Run() == nil {
			return stop
		}
		if time.Now().After(deadline) {
			stop()
			b.t.Fatalf("%s is not ready\n%s", s.Name, log.Bytes())
		}
	}
}

// real resolves a row with the real tools and runs it, and returns the reading
// of each repetition with what the step of the name printed. A broken
// invariant fails the test.
func real(t *testing.T, r profile.Row, set map[string]string, scale float64, step string, repetitions int) (*profile.Job, []*profile.Reading, []string) {
	t.Helper()
	job, readings, printed := realReadings(t, r, set, scale, step, repetitions)
	for i, reading := range readings {
		if broken := reading.Broken(); broken != "" {
			t.Fatalf("%s\n%s", broken, printed[i])
		}
	}
	return job, readings, printed
}

// realReadings is real, with whatever became of the invariants.
func realReadings(t *testing.T, r profile.Row, set map[string]string, scale float64, step string, repetitions int) (*profile.Job, []*profile.Reading, []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the real tools")
	}
	job, err := profile.Find(r).Resolve(profile.Request{Row: r, Set: set, Scale: scale, Tools: finder{}})
	var refusal *profile.Refusal
	if errors.As(err, &refusal) && refusal.Unavailable {
		t.Skipf("%s: %s", refusal.Reason, refusal.Hint)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	b := newBench(t)
	var readings []*profile.Reading
	var printed []string
	for n := range repetitions {
		outputs := b.once(ctx, job, n == 0)
		reading, err := job.Parse(outputs)
		out, _ := outputs.Step(step)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, out.Stdout, out.Stderr)
		}
		readings, printed = append(readings, reading), append(printed, string(out.Stdout))
	}
	return job, readings, printed
}

func publishedRow(title, version, arguments, scale string) profile.Row {
	return profile.Row{Test: &result.Test{
		Title: title, Version: version, Arguments: arguments, Options: result.ParseOptions(arguments), Scale: scale,
	}}
}

// printedBy returns the group of the only match in what a tool printed.
func printedBy(t *testing.T, pattern, text string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("%d matches of %s in\n%s", len(found), pattern, text)
	}
	return found[0][1]
}

func TestRealFio(t *testing.T) {
	t.Parallel()
	const (
		old = "Type: Random Read - IO Engine: Libaio - Buffered: No - Block Size: 16KB - Disk Target: Default Test Directory - Result: MB/s"
		mid = "Type: Sequential Write - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB - Disk Target: Default Test Directory"
		new = "Type: Random Write - Engine: POSIX AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Job Count: 2 - Disk Target: Default Test Directory"
	)
	for _, test := range []struct{ version, arguments, direction string }{
		{"2.1.11", old, "read"}, {"3.1", mid, "write"}, {"3.36", strings.Replace(new, "Buffered: No - ", "", 1), "write"},
	} {
		job, readings, printed := real(t, publishedRow("Flexible IO Tester", test.version, test.arguments, "MB/s"), nil, 0.02, "fio", 1)
		for i, reading := range readings {
			section := printedBy(t, `(?s)"`+test.direction+`" : \{(.*?)\},\s*"(?:write|trim)" : \{`, printed[i])
			s, ok := reading.Sample("bandwidth")
			if want := printedBy(t, `"bw_bytes" : (\d+)`, section); !ok || strconv.FormatFloat(s.Value, 'f', -1, 64) != want {
				t.Errorf("%s: bandwidth %v, fio printed %s", test.version, s.Value, want)
			}
			s, _ = reading.Sample("iops")
			if want := printedBy(t, `"iops" : ([\d.]+)`, section); strconv.FormatFloat(s.Value, 'f', 6, 64) != want {
				t.Errorf("%s: IOPS %v, fio printed %s", test.version, s.Value, want)
			}
			s, _ = reading.Sample(job.Metric)
			if text, reason := job.Publish(s); text == "" {
				t.Logf("%s: not published: %s", test.version, reason)
			}
		}
		if job.Scaled == "" || !strings.Contains(printed[0], `"size" : "20m"`) {
			t.Errorf("%s: scaled %q", test.version, job.Scaled)
		}
	}
}

// The published form that is made of fio's JSON is what the same fio prints.
func TestRealFioText(t *testing.T) {
	t.Parallel()
	path, _, ok := finder{}.Find("fio")
	if !ok || testing.Short() {
		t.Skip("needs fio: apt-get install fio")
	}
	// The form of 3.35 is that of all fio from 3.26 on.
	r := publishedRow("Flexible IO Tester", "3.29", "Type: Random Read - IO Engine: Sync - Buffered: Yes - Direct: No - Block Size: 4KB", "MB/s")
	p := profile.Find(r)
	bandwidth, err := p.Resolve(profile.Request{Row: r, Scale: 1, Tools: finder{}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--output-format=normal,json", "--name=test", "--rw=randread", "--bs=4k", "--ioengine=sync", "--iodepth=64",
		"--size=16m", "--runtime=20", "--filename=fiofile", "--disk_util=0", "--clat_percentiles=0", "--disable_lat=1", "--disable_clat=1", "--disable_slat=1")
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out)
	bytes := printedBy(t, `"bw_bytes" : ([1-9]\d*)`, text)
	value, _ := strconv.ParseFloat(bytes, 64)
	got, _ := bandwidth.Publish(profile.Sample{Value: value})
	printed := printedBy(t, `READ: bw=([\d.]+[KM]iB/s)`, text)
	want, _ := bandwidth.Publish(profile.Sample{Value: 1, Detail: printed})
	if got != want || want == "" {
		t.Errorf("%s B/s: %s, fio printed %s", bytes, got, printed)
	}
}

func TestRealFSMark(t *testing.T) {
	t.Parallel()
	for _, caption := range []string{
		"1000 Files, 1MB Size", "1000 Files, 1MB Size, No Sync/FSync", "5000 Files, 1MB Size, 4 Threads", "4000 Files, 32 Sub Dirs, 1MB Size",
	} {
		r := publishedRow("FS-Mark", "3.3", "Test: "+caption, "Files/s")
		r.Date = time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC) // 1.0.3, with loops
		job, readings, printed := real(t, r, map[string]string{"loops": "2"}, 0.002, "fs_mark", 2)
		for i, reading := range readings {
			want := printedBy(t, `App Overhead\n\s*\d+\s+\d+\s+1048576\s+([\d.]+)\s`, printed[i])
			if text, _ := job.Publish(reading.Samples[0]); text != want {
				t.Errorf("%s: published %s, fs_mark printed %s", caption, text, want)
			}
		}
	}
}

func TestRealDbench(t *testing.T) {
	t.Parallel()
	job, readings, printed := real(t, publishedRow("Dbench", "4.0", "6 Clients", "MB/s"), nil, 0.005, "dbench", 1)
	want := printedBy(t, `\nThroughput (\S+) MB/sec`, printed[0])
	if text, _ := job.Publish(readings[0].Samples[0]); text != want {
		t.Errorf("published %s, dbench printed %s", text, want)
	}
}

func TestRealRocksDB(t *testing.T) {
	t.Parallel()
	for _, test := range []string{"Sequential Fill", "Random Fill", "Update Random"} {
		r := publishedRow("RocksDB", "8.0", "Test: "+test, "Op/s")
		r.Machine.Threads = 2
		job, readings, printed := real(t, r, map[string]string{"entries": "2000"}, 0.01, "db_bench", 1)
		want := printedBy(t, `micros/op (\d+) ops/sec`, printed[0])
		if text, _ := job.Publish(readings[0].Samples[0]); text != want {
			t.Errorf("%s: published %s, db_bench printed %s", test, text, want)
		}
	}
}

func TestRealPostMark(t *testing.T) {
	t.Parallel()
	// A fast disk is done with a few within the clock's second, which gives
	// no figure.
	for _, transactions := range []string{"1000", "25000"} {
		set := map[string]string{"transactions": transactions}
		job, readings, printed := realReadings(t, publishedRow("PostMark", "1.51", "Disk Transaction Performance", "TPS"), set, 1, "postmark", 1)
		broken := readings[0].Broken()
		if strings.HasPrefix(broken, "seconds of transactions: got 0") && transactions == "1000" {
			continue
		}
		if broken != "" {
			t.Fatalf("%s\n%s", broken, printed[0])
		}
		want := printedBy(t, `of transactions \((\d+) per`, printed[0])
		if text, _ := job.Publish(readings[0].Samples[0]); text != want {
			t.Errorf("published %s, postmark printed %s", text, want)
		}
		return
	}
}

func TestRealSQLite(t *testing.T) {
	t.Parallel()
	for _, r := range []profile.Row{
		publishedRow("SQLite", "3.22", "Timed SQLite Insertions", "Seconds"),
		publishedRow("SQLite", "3.30.1", "Threads / Copies: 8", "Seconds"),
	} {
		_, readings, counted := real(t, r, map[string]string{"rows": "15"}, 1, "count", 2)
		for i, reading := range readings {
			if n := strings.Count(counted[i], "|45|15\n"); n != len(reading.Invariants)-3 {
				t.Errorf("%s: %d databases have 45 rows", r.Test.Arguments, n)
			}
			if s := reading.Samples[0]; s.Value <= 0 || s.Unit != "s" {
				t.Errorf("%s: %+v", r.Test.Arguments, s)
			}
		}
	}
}

func TestRealPgbench(t *testing.T) {
	t.Parallel()
	r := publishedRow("PostgreSQL pgbench", "13.0", "Scaling Factor: 100 - Clients: 5 - Mode: Read Write - Average Latency", "ms")
	r.Machine.Threads = 2
	job, readings, printed := real(t, r, nil, 0.01, "pgbench", 2)
	for i, reading := range readings {
		s, _ := reading.Sample("latency")
		want := printedBy(t, `latency average = ([\d.]+) ms`, printed[i])
		if text, _ := job.Publish(s); text != want {
			t.Errorf("latency %s, pgbench printed %s", text, want)
		}
		s, _ = reading.Sample("tps")
		if want := printedBy(t, `\ntps = ([\d.]+) `, printed[i]); s.Detail != want {
			t.Errorf("tps %s, pgbench printed %s", s.Detail, want)
		}
	}
}

func TestRealPgbenchRead(t *testing.T) {
	t.Parallel()
	r := publishedRow("PostgreSQL pgbench", "10.3", "Scaling: Buffer Test - Test: Normal Load - Mode: Read Only", "TPS")
	r.Machine = profile.Machine{Cores: 1, Threads: 2, MemoryMB: 1024}
	job, readings, printed := real(t, r, nil, 0.02, "pgbench", 1)
	want := printedBy(t, `\ntps = ([\d.]+) `, printed[0])
	s, _ := readings[0].Sample("tps")
	if text, _ := job.Publish(s); text != want {
		t.Errorf("published %s, pgbench printed %s", text, want)
	}
}

func TestRealMysqlslap(t *testing.T) {
	t.Parallel()
	job, readings, printed := real(t, publishedRow("MariaDB", "10.6.4", "Clients: 8", "Queries Per Second"), nil, 0.02, "mysqlslap", 1)
	seconds, err := strconv.ParseFloat(printedBy(t, `Average number of seconds to run all queries: ([\d.]+)`, printed[0]), 64)
	if err != nil {
		t.Fatal(err)
	}
	want := strconv.FormatFloat(20/seconds, 'f', 0, 64) // 20 queries of each client
	if text, _ := job.Publish(readings[0].Samples[0]); text != want {
		t.Errorf("published %s, want %s", text, want)
	}
}

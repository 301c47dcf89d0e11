package profile

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSQLiteResolve(t *testing.T) {
	job := resolve(t, row("SQLite", "3.22", "Timed SQLite Insertions", "Seconds"), nil, 1)
	if job.Profile != "pts/sqlite-2.0.1" || job.Fidelity != "native-other-version" || job.Driver != "sqlite3 3.40.1" {
		t.Errorf("%s, %s, %s", job.Profile, job.Fidelity, job.Driver)
	}
	text := job.Steps[0].Files[0].Text
	line := regexp.MustCompile(`^INSERT INTO pts1 \(I, DT, F1, F2\) VALUES \('\d{4}', CURRENT_TIMESTAMP, '\d{4}', '\d{16}'\);$`)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != 2500 {
		t.Errorf("%d rows, want 2500", len(lines))
	}
	for i, l := range lines {
		if !line.MatchString(l) {
			t.Fatalf("row %d: %s", i+1, l)
		}
	}
	if other := resolve(t, row("SQLite", "3.22", "Timed SQLite Insertions", "Seconds"), nil, 1); other.RunKey != job.RunKey {
		t.Error("the rows are others each time")
	}
	reads := 0
	for _, arg := range job.Steps[1].Argv {
		if arg == ".read insert.sql" {
			reads++
		}
	}
	if job.Steps[1].Name != "sqlite3" || reads != 3 || job.Steps[1].Copies != 1 {
		t.Errorf("the timed step is %+v", job.Steps[1])
	}
	job = resolve(t, row("SQLite", "3.30.1", "Threads / Copies: 8", "Seconds"), nil, 0.02)
	if job.Scaled != "rows 2500 -> 50" || job.Steps[1].Copies != 8 || job.Profile != "pts/sqlite-2.1.0" {
		t.Errorf("%q, %d copies, %s", job.Scaled, job.Steps[1].Copies, job.Profile)
	}
	_, err := sqlite{}.Resolve(Request{Row: row("SQLite", "3.30.1", "Threads / Copies: 9", "Seconds"), Scale: 1, Tools: debian12})
	refusal(t, err, `Threads / Copies: value "9"`, "--set sqlite.copies=1")
	// A caption of the version before leaves the copies unknown.
	_, err = sqlite{}.Resolve(Request{Row: row("SQLite", "3.30.1", "Timed SQLite Insertions", "Seconds"), Scale: 1, Tools: debian12})
	refusal(t, err, "copies is not published", "--set sqlite.copies=1")
	_, err = sqlite{}.Resolve(Request{Row: row("SQLite", "3.41.2", "Threads / Copies: 1", "Seconds"), Scale: 1, Tools: debian12})
	refusal(t, err, `version "3.41.2"`, "")
}

func TestSQLiteParse(t *testing.T) {
	run := &sqliteRun{copies: 2, rows: 2500, places: 2}
	outputs := func(count, stderr string) *Outputs {
		return &Outputs{Steps: []Output{
			{Name: "sqlite3", Elapsed: 86_084 * time.Millisecond, Stderr: []byte(stderr)},
			{Name: "count", Stdout: []byte(count)},
		}}
	}
	reading, err := run.parse(outputs("1|7500|2500\n0|7500|2500\nok\nok\n", ""))
	if err != nil {
		t.Fatal(err)
	}
	broken(t, reading, "")
	if text, _ := run.publish(reading.Samples[0]); text != "86.08" {
		t.Errorf("published %q, want 86.08", text)
	}
	run.places = 3
	if text, _ := run.publish(reading.Samples[0]); text != "86.084" {
		t.Errorf("published %q, want 86.084", text)
	}
	if text, reason := run.publish(Sample{Value: 1.999}); text != "" || reason == "" {
		t.Errorf("under two seconds: %q, %q", text, reason)
	}
	if text, _ := (&sqliteRun{copies: 1, rows: 50, places: 2}).publish(Sample{Value: 0.123}); text != "0.12" {
		t.Errorf("of a shrunk run: %q", text)
	}
	for count, want := range map[string]string{
		"0|7500|2500\n1|7499|2500\nok\nok\n": "rows and different ones of copy 1",
		"0|7500|2500\nok\n":                  "databases",
		"0|7500|2500\n1|7500|2500\nok\n":     "sound databases",
	} {
		reading, err := run.parse(outputs(count, ""))
		if err != nil {
			t.Fatal(err)
		}
		broken(t, reading, want)
	}
	if _, err := run.parse(outputs("0|7500|2500\n1|7500|2500\nok\nok\n", "Runtime error near line 7: database or disk is full (13)")); err == nil {
		t.Error("a full disk gave a sample")
	}
}

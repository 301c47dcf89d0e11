package profile

import (
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestMatchTest(t *testing.T) {
	for _, test := range []struct {
		title, version, profile, want string
	}{
		{"Flexible IO Tester", "3.1", "", "fio"},
		{"flexible io  tester", "3.1", "", "fio"},
		{"Flexible IO Tester 3.1", "", "", "fio"},
		{"Flexible IO Tester v3.1", "", "", "fio"},
		{"A title of the user's", "3.1", "pts/fio-1.11.5", "fio"},
		{"A title of the user's", "3.1", "system/fio-1.9.5", "fio"},
		{"fio", "3.41.2", "pts/sqlite-2.2.0", "sqlite"}, // the profile knows better than the title
		{"SQLite", "3.22", "sqlite", "sqlite"},
		{"SQLite Speedtest", "3.30", "", ""},
		{"SQLite", "3.30", "pts/sqlite-speedtest-1.0.1", ""},
		{"PostgreSQL pgbench", "13.0", "", "pgbench"},
		{"MariaDB", "10.6.4", "", "mysqlslap"},
		{"FS-Mark", "3.3", "", "fs-mark"},
		{"Dbench", "4.0", "", "dbench"},
		{"PostMark", "1.51", "", "postmark"},
		{"Postmark Service", "1.51", "", ""},
		{"", "", "", ""},
		{"Flexible IO Tester", "3.1", "../../etc/passwd", ""},
	} {
		got := ""
		if p := Find(Row{Test: &result.Test{Title: test.title, Version: test.version, Profile: test.profile}}); p != nil {
			got = p.Info().Name
		}
		if got != test.want {
			t.Errorf("%q %q %q: got %q, want %q", test.title, test.version, test.profile, got, test.want)
		}
	}
	for _, p := range All() {
		if p.Match(Row{}) {
			t.Errorf("%s matches no test at all", p.Info().Name)
		}
	}
}

func TestChooseRevision(t *testing.T) {
	list := []revision{
		{app: "1", version: "1.0.0"},
		{app: "1", version: "1.0.2", since: day(2018, 1, 1)},
		{app: "1", version: "1.0.10", since: day(2021, 9, 1)},
		{app: "2", version: "1.1.0"},
	}
	for _, test := range []struct{ app, profile, date, want, reason string }{
		{"1", "", "", "1.0.0", ""},
		{"1", "", "2018-01-01", "1.0.2", ""},
		{"1", "", "2017-12-31", "1.0.0", ""},
		{"1", "", "2024-01-01", "1.0.10", ""},
		{"1", "pts/x-1.0.1", "2024-01-01", "1.0.0", ""},
		{"1", "pts/x-1.0.9", "", "1.0.2", ""},
		{"1", "pts/x-1.0.10", "", "1.0.10", ""},
		{"1", "pts/x-1.0.11", "", "1.0.10", ""},
		{"1", "x", "2019-01-01", "1.0.2", ""},
		{"", "pts/x-1.1.0", "", "1.1.0", ""},
		{"2", "", "", "1.1.0", ""},
		// Not known: by application and date, with a warning.
		{"1", "pts/x-1.1.0", "", "1.0.0", ""},
		{"1", "pts/x-0.9.0", "2019-01-01", "1.0.2", ""},
		{"", "pts/x-0.9.0", "", "", `version "0.9.0" of the profile`},
		{"3", "pts/x-1.1.0", "", "", `version "3" is not known; known are 1, 2`},
		{"", "", "", "", "the version is not published"},
	} {
		r := Row{Test: &result.Test{Title: "X", Version: test.app, Profile: test.profile}}
		if test.date != "" {
			r = r.at(t, test.date)
		}
		a := ask("x", Request{Row: r})
		got := a.chooseRevision(list)
		if got.version != test.want || (a.refusal == nil) != (test.reason == "") {
			t.Errorf("%q %q %q: got %q, %v", test.app, test.profile, test.date, got.version, a.refusal)
		}
		warned := test.profile == "pts/x-1.1.0" && test.app == "1" || test.profile == "pts/x-0.9.0" && test.app == "1"
		if (len(a.warnings) > 0) != warned {
			t.Errorf("%q %q %q: warnings %q", test.app, test.profile, test.date, a.warnings)
		}
		if test.reason != "" {
			refusal(t, a.refusal, test.reason, "")
		}
	}
}

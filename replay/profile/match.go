package profile

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchproof/benchproof/result"
)

// profileVersion matches the version at the end of a test profile's name.
var profileVersion = regexp.MustCompile(`-(\d+(?:\.\d+)+)$`)

// splitProfile divides a published test profile ("pts/fio-1.11.5",
// "system/fio-1.9.5", "fio") into its name and version; each may be "".
func splitProfile(published string) (name, version string) {
	name = path.Base("/" + published)
	if name == "/" {
		return "", ""
	}
	if m := profileVersion.FindStringSubmatchIndex(name); m != nil {
		return name[:m[0]], name[m[2]:m[3]]
	}
	return name, ""
}

// matchTest reports whether a test is of the profile of one of the names or,
// where the source does not name its profile, of one of the titles.
func matchTest(t *result.Test, names, titles []string) bool {
	if t == nil {
		return false
	}
	if name, _ := splitProfile(t.Profile); name != "" {
		return slices.Contains(names, name)
	}
	title, _ := titleVersion(t)
	return slices.ContainsFunc(titles, func(s string) bool { return strings.EqualFold(s, title) })
}

// versionAtEnd matches the version that some forms leave in the title.
var versionAtEnd = regexp.MustCompile(`^(.*\S) v?(\d+(?:\.\d+)+)$`)

// titleVersion returns title and application version of a test, the latter
// from the title's end where a form has left it there.
func titleVersion(t *result.Test) (title, version string) {
	title = strings.Join(strings.Fields(t.Title), " ")
	if t.Version != "" {
		return title, t.Version
	}
	if m := versionAtEnd.FindStringSubmatch(title); m != nil {
		return m[1], m[2]
	}
	return title, ""
}

// revision is one published version of a test profile.
type revision struct {
	app     string // application version that it installs
	version string // of the profile
	// since is when it came, as far as is known. A row of that day or later
	// is likely of it.
	since time.Time
}

// chooseRevision returns the likely version of the profile. A published one is
// taken for the last known one of its first two numbers that is not above it,
// for those that differ in the third alone are one row to PTS. Else it is, of
// those of the application version, the last that was there at the row's date,
// or without a date the last of those without one. An application version that
// is not known is refused.
func (a *asked) chooseRevision(list []revision) revision {
	var t result.Test
	if a.req.Row.Test != nil {
		t = *a.req.Row.Test
	}
	_, app := titleVersion(&t)
	_, exact := splitProfile(t.Profile)
	found, likely := -1, -1
	var apps []string
	for i, r := range list {
		if !slices.Contains(apps, r.app) {
			apps = append(apps, r.app)
		}
		if app != "" && r.app != app {
			continue
		}
		if exact != "" && sameSeries(r.version, exact) && (found < 0 || !newer(r.version, exact)) {
			found = i
		}
		if app != "" && (likely < 0 || !r.since.After(a.req.Row.Date)) {
			likely = i
		}
	}
	switch {
	case found >= 0:
		return list[found]
	case likely >= 0:
		if exact != "" {
			a.warnings = append(a.warnings, fmt.Sprintf("version %.40q of the profile is not known: taken for %s", exact, list[likely].version))
		}
		return list[likely]
	case app == "" && exact == "":
		a.refuse("", "the version is not published; known are %s", strings.Join(apps, ", "))
	case app == "":
		a.refuse("", "version %.40q of the profile is not known", exact)
	default:
		a.refuse("", "version %.40q is not known; known are %s", app, strings.Join(apps, ", "))
	}
	return revision{}
}

// sameSeries reports whether versions agree in their first two numbers.
func sameSeries(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	return len(x) > 1 && len(y) > 1 && x[0] == y[0] && x[1] == y[1]
}

// newer reports whether version a is above b, by their numbers.
func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m > n
		}
	}
	return len(x) > len(y)
}

// day is a date for tables of revisions.
func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

// versionsOf lists the application versions of revisions for Info.
func versionsOf(list []revision) []string {
	var apps []string
	for _, r := range list {
		if !slices.Contains(apps, r.app) {
			apps = append(apps, r.app)
		}
	}
	return apps
}

// profilesOf lists the profile versions of revisions for Info.
func profilesOf(name string, list []revision) []string {
	profiles := make([]string, len(list))
	for i, r := range list {
		profiles[i] = "pts/" + name + "-" + r.version
	}
	return profiles
}

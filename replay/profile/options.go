package profile

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// asked reads what a request says of a profile's options: what the row
// publishes, what --set says, what is a default. It keeps where each came
// from, and the first reason not to go on. Nothing that it returns is
// published text: it is one of the known values, or a number it has read.
type asked struct {
	name string // of the profile, for hints
	req  Request

	left     []result.Option // published and not yet read
	options  []Option
	changed  []string // by --set
	scaled   []string
	warnings []string
	refusal  *Refusal
}

// ask begins to read a request for the profile of the name.
func ask(name string, req Request) *asked {
	a := &asked{name: name, req: req}
	if req.Row.Test != nil {
		a.left = slices.Clone(req.Row.Test.Options)
	}
	if a.req.Scale == 0 {
		a.req.Scale = 1
	}
	return a
}

// value is a published value of an option and what it becomes.
type value struct{ published, becomes string }

// published returns those of values as they are published.
func published(values []value) []string {
	list := make([]string, len(values))
	for i := range values {
		list[i] = values[i].published
	}
	return list
}

// refuse keeps the first reason.
func (a *asked) refuse(hint, format string, args ...any) {
	if a.refusal == nil {
		a.refusal = &Refusal{Reason: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// add keeps an option for the record.
func (a *asked) add(name, value string, from From) {
	a.options = append(a.options, Option{Name: name, Value: value, From: from})
}

// set returns what --set says of a key, with or without the profile's name.
func (a *asked) set(key string) (string, bool) {
	if v, ok := a.req.Set[a.name+"."+key]; ok {
		return v, true
	}
	v, ok := a.req.Set[key]
	return v, ok
}

// change notes that --set gave an option another value than was run.
func (a *asked) change(key, value string) {
	a.changed = append(a.changed, key+"="+value)
}

// take returns the published value of the option of one of the keys, and
// takes it from those that are left. An option that stands twice is refused.
func (a *asked) take(keys ...string) (string, bool) {
	text, found := "", false
	a.left = slices.DeleteFunc(a.left, func(o result.Option) bool {
		if !slices.Contains(keys, o.Key) || o.Key == "" {
			return false
		}
		if found {
			a.refuse("", "option %.80q stands twice", o.Key)
		}
		text, found = o.Value, true
		return true
	})
	return text, found
}

// bare takes an option without a key, and reports whether it is there.
func (a *asked) bare(text string) bool {
	i := slices.IndexFunc(a.left, func(o result.Option) bool { return o.Key == "" && o.Value == text })
	if i < 0 {
		return false
	}
	a.left = slices.Delete(a.left, i, i+1)
	return true
}

// oneOf reads an option whose values are known, and returns what the value
// becomes. Where neither row nor --set has it, it is the default, one of the
// published forms; where that is "" too, nobody can know it.
func (a *asked) oneOf(set string, keys []string, values []value, byDefault string) string {
	text, from := byDefault, Default
	if t, ok := a.take(keys...); ok {
		text, from = t, Published
	}
	base := slices.IndexFunc(values, func(v value) bool { return v.published == text })
	if t, ok := a.set(set); ok {
		i := slices.IndexFunc(values, func(v value) bool { return v.published == t || v.becomes == t })
		if i < 0 {
			a.refuse("", "--set %s.%s=%.80q: want %s", a.name, set, t, phrase.Or(published(values)))
			return ""
		}
		if text != "" && (base < 0 || values[base].becomes != values[i].becomes) {
			a.change(set, values[i].becomes)
		}
		a.add(set, values[i].becomes, Set)
		return values[i].becomes
	}
	switch {
	case text == "":
		return a.unknown(set, values[0].published)
	case base < 0:
		a.refuse(a.hint(set, values[0].published),
			"%s: value %.80q is not known", keys[0], text)
		return ""
	}
	a.add(set, values[base].becomes, from)
	return values[base].becomes
}

// diskTarget reads the option Disk Target. Its directory is the target of the
// replay, whichever the published one was: that one's path is told and not used.
// misdirected is why the published version measured nothing in another
// directory than its own, "" if it did.
func (a *asked) diskTarget(misdirected string) {
	const set, key = "disk-target", "Disk Target"
	i := slices.IndexFunc(a.left, func(o result.Option) bool { return o.Key == key })
	_, asked := a.set(set)
	if asked || i < 0 || !isDirectory(a.left[i].Value) {
		a.oneOf(set, []string{key}, diskTargets, diskTargets[0].published)
		return
	}
	text, _ := a.take(key)
	if misdirected != "" {
		a.refuse(a.hint(set, diskTargets[0].published), "%s: value %.80q: %s", key, text, misdirected)
		return
	}
	a.add(set, "directory", Published)
	a.warnings = append(a.warnings, fmt.Sprintf("published of the directory %.80q of that machine, measured here in the target; the published File-System need not be that of the directory", text))
}

// isDirectory reports whether text is a directory as PTS lists mount points: an
// absolute path without detours.
func isDirectory(text string) bool {
	clean := path.Clean(text)
	return strings.HasPrefix(text, "/") && (text == clean || text == clean+"/") && !strings.ContainsFunc(text, unicode.IsControl)
}

// count reads a published number from low to high. Where nothing gives it,
// it is fallback with where that is from; 0 where nobody can know it.
func (a *asked) count(set string, keys []string, low, high, fallback int, fallbackFrom From) int {
	n, from := fallback, fallbackFrom
	if text, ok := a.take(keys...); ok {
		from = Published
		if n, ok = wholeNumber(text, low, high); !ok {
			a.refuse("", "%s: %.80q is no number from %d to %d", keys[0], text, low, high)
			return 0
		}
	}
	return a.number(set, n, low, high, from)
}

// number is a number of the run that --set may change. 0 stands for one that
// nobody can know.
func (a *asked) number(set string, n, low, high int, from From) int {
	if text, ok := a.set(set); ok {
		v, ok := wholeNumber(text, low, high)
		if !ok {
			a.refuse("", "--set %s.%s=%.80q: want a number from %d to %d", a.name, set, text, low, high)
			return 0
		}
		if n != 0 && v != n {
			a.change(set, strconv.Itoa(v))
		}
		a.add(set, strconv.Itoa(v), Set)
		return v
	}
	if n == 0 && low > 0 {
		if from == System {
			a.refuse(a.hint(set, "N"),
				"%s is not published: it depends on the machine, and the row's systems do not say it or do not agree", set)
		}
		a.unknown(set, "N")
		return 0
	}
	a.add(set, strconv.Itoa(n), from)
	return n
}

// size is a number of bytes that --set may change ("1g", "64m", "512k").
func (a *asked) size(set string, n, low, high int64, from From) int64 {
	if text, ok := a.set(set); ok {
		v, ok := parseSize(text)
		if !ok || v < low || v > high {
			a.refuse("", "--set %s.%s=%.80q: want a size from %s to %s", a.name, set, text, sizeText(low), sizeText(high))
			return 0
		}
		if v != n {
			a.change(set, sizeText(v))
		}
		a.add(set, sizeText(v), Set)
		return v
	}
	a.add(set, sizeText(n), from)
	return n
}

// unknown notes an option that nobody can know, and refuses.
func (a *asked) unknown(set, example string) string {
	a.add(set, "", Unknown)
	a.refuse(a.hint(set, example), "%s is not published and has no default", set)
	return ""
}

// hint is the flag that sets an option, as a shell takes it. The value is one
// of a profile's own.
func (a *asked) hint(set, value string) string {
	flag := a.name + "." + set + "=" + value
	if strings.ContainsAny(flag, " ,/") {
		flag = "'" + flag + "'"
	}
	return "--set " + flag
}

// scale returns n times the request's scale, not below low, and notes what
// it was and is. At scale 1 it is n.
func (a *asked) scale(what string, n, low int64, text func(int64) string) int64 {
	if a.req.Scale >= 1 {
		return n
	}
	to := max(int64(float64(n)*a.req.Scale), min(low, n))
	if to != n {
		a.scaled = append(a.scaled, fmt.Sprintf("%s %s -> %s", what, text(n), text(to)))
	}
	return to
}

// done refuses what is left of the published options: the run may have been
// another one than the rest says.
func (a *asked) done() {
	for _, o := range a.left {
		what := o.Key
		if what == "" {
			what = o.Value
		}
		a.refuse("", "option %.80q is not known", what)
	}
}

// wholeNumber reads digits from low to high. Nothing else is a number here.
func wholeNumber(text string, low, high int) (int, bool) {
	if text == "" || len(text) > 9 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= low && n <= high
}

// sizeUnits are the binary units of sizes on command lines.
var sizeUnits = [...]struct {
	letter byte
	bytes  int64
}{{'g', 1 << 30}, {'m', 1 << 20}, {'k', 1 << 10}}

// parseSize reads "1g", "64m", "4k" or bytes.
func parseSize(text string) (int64, bool) {
	unit := int64(1)
	if text != "" {
		for _, u := range sizeUnits {
			if text[len(text)-1]|0x20 == u.letter {
				unit, text = u.bytes, text[:len(text)-1]
				break
			}
		}
	}
	n, ok := wholeNumber(text, 1, 999_999_999)
	return int64(n) * unit, ok
}

// sizeText is parseSize's reverse, in the largest unit that divides n.
func sizeText(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + string(u.letter)
		}
	}
	return strconv.FormatInt(n, 10)
}

// seconds and plain say numbers for a.scale.
func seconds(n int64) string { return strconv.FormatInt(n, 10) + " s" }
func plain(n int64) string   { return strconv.FormatInt(n, 10) }

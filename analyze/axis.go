package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// alongAxis compares what differs in one thing: an option of the tests, or a
// component of the systems.
func (c *Comparison) alongAxis() ([]pairing, error) {
	keys := c.axes()
	axis := c.Options.By
	at := slices.IndexFunc(keys, func(k axisKey) bool { return k.name == axis })
	if at < 0 {
		at = slices.IndexFunc(keys, func(k axisKey) bool { return strings.EqualFold(k.name, axis) })
	}
	if at < 0 {
		return nil, &NameError{"axis", axis, nearest(axis, c.Set.AxisNames()), false}
	}
	c.Options.By = keys[at].name
	if keys[at].option {
		return c.byOption()
	}
	return c.byComponent()
}

// AxisNames returns along what the tests and systems of the set may differ, as
// names for [CompareOptions].By: the keys of the tests' options, then those of
// the systems' components.
func (s *Set) AxisNames() []string {
	keys := (&Comparison{Set: s}).axes()
	names := make([]string, len(keys))
	for i := range keys {
		names[i] = keys[i].name
	}
	return names
}

type axisKey struct {
	name   string
	option bool
}

// axes lists the keys of options and components, options first.
func (c *Comparison) axes() []axisKey {
	var keys []axisKey
	seen := map[string]bool{}
	add := func(name string, option bool) {
		if name != "" && !seen[name] {
			seen[name] = true
			keys = append(keys, axisKey{name, option})
		}
	}
	for i := range c.Set.Tests {
		for _, o := range options(&c.Set.Tests[i]) {
			add(o.Key, true)
		}
	}
	for i := range c.Set.Systems {
		s := c.Set.Systems[i].System
		for _, part := range [][]result.Component{s.Hardware, s.Software, s.Notes} {
			for _, k := range part {
				add(k.Key, false)
			}
		}
	}
	return keys
}

// options returns a test's options. A bare one that is a number and a word
// ("12 Clients") has the word as its key.
func options(t *Test) []result.Option {
	list := t.Options
	if list == nil {
		list = result.ParseOptions(t.Arguments)
	}
	list = slices.Clone(list)
	for i, o := range list {
		number, word, ok := strings.Cut(o.Value, " ")
		if _, isNumber := result.ParseNumber(number); o.Key == "" && ok && isNumber && !strings.Contains(word, " ") {
			list[i] = result.Option{Key: word, Value: number}
		}
	}
	return list
}

// byOption compares tests that differ in the value of one option, system by
// system.
func (c *Comparison) byOption() ([]pairing, error) {
	type rest struct {
		head       // arguments without the option
		proportion result.Proportion
	}
	type member struct {
		test  *Test
		value string
	}
	groups := map[rest][]member{}
	var order []rest
	var values []string
	for i := range c.Set.Tests {
		t := &c.Set.Tests[i]
		value, others, ok := without(options(t), c.Options.By)
		if !ok {
			continue
		}
		if !slices.Contains(values, value) && len(values) < 10_000 {
			values = append(values, value)
		}
		k := rest{head{t.Title, t.Version, others, t.Scale}, t.Proportion}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], member{t, value})
	}
	base, err := c.axisBaseline(values)
	if err != nil {
		return nil, err
	}
	if len(values) == 1 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("all rows that have a %s have the same, %s: there is nothing to compare", c.Options.By, base))
	}
	label := func(value string) string { return " [" + c.Options.By + ": " + value + "]" }
	var list []pairing
	for _, k := range order {
		members := groups[k]
		at := slices.IndexFunc(members, func(m member) bool { return m.value == base })
		if at < 0 {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: no row with %s: %s", members[0].test.Name(), c.Options.By, base))
			continue
		}
		from := members[at]
		for i, m := range members {
			if i == at {
				continue
			}
			for j := range m.test.Cells {
				cell := &m.test.Cells[j]
				name := c.Set.Systems[cell.System].Name
				list = append(list, pairing{
					test: m.test, arguments: k.arguments, base: cell.System, system: cell.System,
					baseName: name + label(base), name: name + label(m.value),
					baseCell: from.test.Cell(cell.System), cell: cell,
				})
			}
		}
	}
	return list, nil
}

// without returns the value of the option key, the other options as a test
// prints them, and whether there is such an option.
func without(list []result.Option, key string) (value, others string, ok bool) {
	var parts []string
	for _, o := range list {
		switch {
		case o.Key == key && !ok:
			value, ok = o.Value, true
		case o.Key == "":
			parts = append(parts, o.Value)
		default:
			parts = append(parts, o.Key+": "+o.Value)
		}
	}
	return value, strings.Join(parts, " - "), ok
}

// axisBaseline returns the value to compare with: the one that was asked for,
// or the first.
func (c *Comparison) axisBaseline(values []string) (string, error) {
	base := ""
	if len(values) > 0 {
		base = values[0]
	}
	if want := c.Options.Baseline; want != "" {
		if !slices.Contains(values, want) {
			return "", &NameError{"baseline", want, nearest(want, values), false}
		}
		base = want
	}
	c.Baseline = c.Options.By + ": " + base
	return base, nil
}

// byComponent compares systems that differ in one component. Each is compared
// with the system of the baseline's value that is like it in most else.
func (c *Comparison) byComponent() ([]pairing, error) {
	set := c.Set
	values := make([]string, len(set.Systems))
	var distinct []string
	for i := range set.Systems {
		values[i] = component(set.Systems[i].System, c.Options.By)
		if values[i] != "" && !slices.Contains(distinct, values[i]) {
			distinct = append(distinct, values[i])
		}
	}
	base, err := c.axisBaseline(distinct)
	if err != nil {
		return nil, err
	}
	bases := make([]int, len(set.Systems))
	for i := range bases {
		bases[i] = -1
		switch values[i] {
		case "":
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: its %s is not known", set.Systems[i].Name, c.Options.By))
			continue
		case base:
			bases[i] = i
			continue
		}
		least := []int{math.MaxInt}
		for j := range bases {
			if values[j] != base {
				continue
			}
			a, b := set.Systems[j].System, set.Systems[i].System
			apart, _ := unlikeWords(a.Identifier, b.Identifier, base, values[i])
			n := []int{len(differences(a, b, c.Options.By)), unlike(a.GroupPath, b.GroupPath), len(apart)}
			if slices.Compare(n, least) < 0 {
				least, bases[i] = n, j
			}
		}
	}
	if len(distinct) < 2 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("all systems have the same %s: there is nothing to compare", c.Options.By))
	}
	list := c.paired(bases)
	c.residue(bases, c.Options.By)
	return list, nil
}

// unlike counts the places in which two group paths differ.
func unlike(a, b []string) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// unlikeWords returns the words of two names that the other has not, but for
// those that are the name's own value of the axis, and whether the names share
// any.
func unlikeWords(a, b, valueA, valueB string) (apart []string, share bool) {
	restA, restB := nameWords(a), nameWords(b)
	for _, w := range nameWords(a) {
		if j := slices.Index(restB, w); j >= 0 {
			i := slices.Index(restA, w)
			restA, restB, share = slices.Delete(restA, i, i+1), slices.Delete(restB, j, j+1), true
		}
	}
	return append(unlessValue(restA, valueA), unlessValue(restB, valueB)...), share
}

func nameWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ':' })
}

// unlessValue returns words without that of a value. A single word is taken to
// stand for it, such as SSD for the model of one.
func unlessValue(words []string, value string) []string {
	if len(words) == 1 {
		return nil
	}
	return slices.DeleteFunc(words, func(w string) bool { return strings.EqualFold(w, value) })
}

// sorted returns a component's value with the parts that PTS joins by " + " in
// one order: it lists disks as it finds them.
func sorted(value string) string {
	if !strings.Contains(value, " + ") {
		return value
	}
	parts := strings.Split(value, " + ")
	slices.Sort(parts)
	return strings.Join(parts, " + ")
}

// component returns the value of a key, "" if the system has none. Several are
// joined.
func component(s *result.System, key string) string {
	var values []string
	for _, part := range [][]result.Component{s.Hardware, s.Software, s.Notes} {
		for _, c := range part {
			if c.Key == key {
				values = append(values, c.Value)
			}
		}
		if len(values) > 0 {
			break // notes have keys of hardware too
		}
	}
	return strings.Join(values, "; ")
}

// differences returns the keys in which two systems differ, but for one. Those
// of notes have it behind them.
func differences(a, b *result.System, but string) []string {
	var keys []string
	for _, part := range []struct {
		a, b   []result.Component
		suffix string
	}{{a.Hardware, b.Hardware, ""}, {a.Software, b.Software, ""}, {a.Notes, b.Notes, " (notes)"}} {
		values := map[string][2]string{}
		var order []string
		for side, list := range [][]result.Component{part.a, part.b} {
			for _, c := range list {
				v, ok := values[c.Key]
				if !ok {
					order = append(order, c.Key)
				}
				v[side] += sorted(c.Value) + "\n"
				values[c.Key] = v
			}
		}
		for _, k := range order {
			if v := values[k]; v[0] != v[1] && (k != but || part.suffix != "") {
				keys = append(keys, k+part.suffix)
			}
		}
	}
	return keys
}

// residue names what differs between systems and their baselines beside the
// axis.
func (c *Comparison) residue(bases []int, axis string) {
	for i, base := range bases {
		if base < 0 || base == i {
			continue
		}
		a, b := &c.Set.Systems[base], &c.Set.Systems[i]
		keys := differences(a.System, b.System, axis)
		if axis != "" {
			words, share := unlikeWords(a.Identifier, b.Identifier, component(a.System, axis), component(b.System, axis))
			if share && len(words) > 0 {
				keys = append(keys, "name ("+strings.Join(words, ", ")+")")
			}
		}
		if len(keys) == 0 {
			continue
		}
		d := differing{[]string{b.Name}, a.Name, axis != "", strings.Join(keys, ", ")}
		c.differing = append(c.differing, d)
		c.Residue = append(c.Residue, d.text())
	}
}

// differing says in what, apart from an axis, systems differ from one baseline.
type differing struct {
	systems  []string
	baseline string
	also     bool // there is an axis
	in       string
}

func (d *differing) text() string {
	verb := "differs in "
	if len(d.systems) > 1 {
		verb = "differ in "
	}
	if d.also {
		verb = "also " + verb
	}
	return fmt.Sprintf("%s against %s: %s%s", strings.Join(d.systems, ", "), d.baseline, verb, d.in)
}

// ResidueTexts says what Residue says in fewer texts: systems that differ from
// one baseline in the same are named together.
func (c *Comparison) ResidueTexts() []string {
	var groups []*differing
	index := map[[2]string]*differing{}
	for _, d := range c.differing {
		k := [2]string{d.baseline, d.in}
		if of := index[k]; of != nil {
			of.systems = append(of.systems, d.systems...)
			continue
		}
		of := &differing{append([]string(nil), d.systems...), d.baseline, d.also, d.in}
		index[k] = of
		groups = append(groups, of)
	}
	texts := make([]string, len(groups))
	for i, d := range groups {
		texts[i] = d.text()
	}
	return texts
}

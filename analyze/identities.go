package analyze

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// What tests are known for. The profiles' own scripts make the figures; these
// are facts of what they print.
const (
	fioTitle     = "Flexible IO Tester"
	pgbenchTitle = "PostgreSQL pgbench"
	mariaTitle   = "MariaDB"
	compileTitle = "Compile Bench"
	fsMarkTitle  = "FS-Mark"
)

// identitySlack is how far an identity may be off before it is reported,
// beyond what rounding explains: tools round each run to three digits, and the
// figures of one row are means of several.
const identitySlack = 0.02

// optionValue returns the value of an option, "" if the test has none.
func optionValue(t *Test, key string) string {
	for _, o := range options(t) {
		if o.Key == key {
			return o.Value
		}
	}
	return ""
}

// relativeHalf is the rounding of a cell's value as a share of it.
func relativeHalf(c *Cell) float64 { return c.Figures.MeanHalf / c.Figures.Mean }

// positive reports whether a cell has a value above zero.
func positive(c *Cell) bool { return c.usable() && c.Figures.Mean > 0 }

// fioIdentity holds MB/s against IOPS times block size, which fio measures in
// one run. What is called MB is 1024² bytes there, or 1000 times 1024.
func (c *checker) fioIdentity() {
	for _, p := range c.siblings(fioTitle, func(t *Test) (string, bool) {
		_, others, _ := without(options(t), "Result")
		return others, t.Scale == "IOPS"
	}) {
		if p.a.Scale != "MB/s" && p.a.Scale != "MiB/s" || converted(p.a.Test) {
			continue
		}
		block, ok := parseSize(optionValue(p.a, "Block Size"))
		if !ok {
			continue
		}
		var off []*Cell
		worst := 0.0
		for i := range p.a.Cells {
			rate, ops := &p.a.Cells[i], p.b.Cell(p.a.Cells[i].System)
			if !positive(rate) || !positive(ops) {
				continue
			}
			room := identitySlack + relativeHalf(rate) + relativeHalf(ops)
			quotient := rate.Figures.Mean * 1024 / (ops.Figures.Mean * block)
			apart := math.Min(math.Abs(math.Log(quotient*1024)), math.Abs(math.Log(quotient*1000)))
			if apart > room {
				off = append(off, rate)
				c.doubt("MB/s is not IOPS times block size", rate, ops)
				worst = math.Max(worst, apart)
			}
		}
		if len(off) > 0 {
			c.add(result.SeverityWarning, p.a.Origin, "identity-iops",
				"%s: MB/s and IOPS times block size are up to %s apart, and fio measures both at once: %s",
				quotedTest(p.a), percent(math.Expm1(worst)), c.names(off))
		}
	}
}

// latencyIdentity holds transactions a second times latency against the number
// of clients. Where runs vary strongly the mean of the one is not the
// reciprocal of the other's.
func (c *checker) latencyIdentity() {
	const suffix = " - Average Latency"
	for _, p := range c.siblings(pgbenchTitle, func(t *Test) (string, bool) {
		return strings.TrimSuffix(t.Arguments, suffix), strings.HasSuffix(t.Arguments, suffix)
	}) {
		clients, ok := result.ParseNumber(optionValue(p.a, "Clients"))
		if !ok || clients <= 0 || p.a.Scale != "TPS" || p.b.Scale != "ms" {
			continue
		}
		for i := range p.a.Cells {
			tps, latency := &p.a.Cells[i], p.b.Cell(p.a.Cells[i].System)
			if !positive(tps) || !positive(latency) {
				continue
			}
			product := tps.Figures.Mean * latency.Figures.Mean / 1000
			if math.Abs(math.Log(product/clients)) > identitySlack+relativeHalf(tps)+relativeHalf(latency) {
				c.doubt("TPS times latency is not the number of clients", tps, latency)
				c.add(result.SeverityWarning, tps.Measurement.Origin, "identity-latency",
					"%s: %s: TPS times latency is %.3g, not the %g clients: the runs varied strongly", quotedTest(p.a), c.system(tps), product, clients)
			}
		}
	}
}

// siblings are two tests whose figures come from the same run.
type siblings struct{ a, b *Test }

// siblings pairs the tests of a title that have one key; the function says
// which of the two is the second.
func (c *checker) siblings(title string, of func(*Test) (key string, second bool)) []siblings {
	type id struct{ version, key string }
	first := map[id]*Test{}
	for i := range c.set.Tests {
		if t := &c.set.Tests[i]; t.Title == title {
			if key, second := of(t); !second && first[id{t.Version, key}] == nil {
				first[id{t.Version, key}] = t
			}
		}
	}
	var list []siblings
	for i := range c.set.Tests {
		if t := &c.set.Tests[i]; t.Title == title {
			if key, second := of(t); second && first[id{t.Version, key}] != nil {
				list = append(list, siblings{first[id{t.Version, key}], t})
			}
		}
	}
	return list
}

// parseSize returns the bytes of a block size such as "4KB", "2MB" or "128k".
func parseSize(text string) (float64, bool) {
	unit := strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(strings.TrimSuffix(text, unit))
	if err != nil || n <= 0 {
		return 0, false
	}
	switch strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(unit), "B"), "b")) {
	case "":
		return float64(n), true
	case "K":
		return float64(n) * 1024, true
	case "M":
		return float64(n) * 1024 * 1024, true
	}
	return 0, false
}

// Connections that the servers of the profiles accept.
const (
	postgresConnections = 100 // of version 10; later profiles raise it
	mariaConnections    = 151
)

// connections finds rows that ask for more clients than the server takes.
func (c *checker) connections() {
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		switch {
		case t.Title == mariaTitle:
			if n, ok := result.ParseNumber(optionValue(t, "Clients")); ok && n > mariaConnections {
				for j := range t.Cells {
					c.doubt("more clients than the server accepts", &t.Cells[j])
				}
				c.add(result.SeverityWarning, t.Origin, "clients-over-connections",
					"%s: %g clients, and the server accepts %d connections: the rest is refused", quotedTest(t), n, mariaConnections)
			}
		case t.Title == pgbenchTitle && strings.HasPrefix(t.Version, "10."):
			factor := map[string]int{"Normal Load": 4, "Heavy Contention": 16}[optionValue(t, "Test")]
			var over []*Cell
			most := 0
			for j := range t.Cells {
				cell := &t.Cells[j]
				clients := factor * threads(component(c.set.Systems[cell.System].System, "Processor"))
				if cell.usable() && clients > postgresConnections {
					over = append(over, cell)
					c.doubt("more clients than the server accepts", cell)
					most = max(most, clients)
				}
			}
			if len(over) > 0 {
				c.add(result.SeverityWarning, t.Origin, "clients-over-connections",
					"%s: the profile starts up to %d clients on so many threads, and the server accepts %d connections: %s",
					quotedTest(t), most, postgresConnections, c.names(over))
			}
		}
	}
}

// threads returns the number of hardware threads of a processor as published:
// "… (16 Cores / 32 Threads)" or "… (4 Cores)"; 0 if it does not say.
func threads(processor string) int {
	for _, unit := range []string{" Threads)", " Cores)"} {
		before, _, ok := strings.Cut(processor, unit)
		if !ok {
			continue
		}
		digits := before[strings.LastIndexAny(before, " (")+1:]
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && n < 1_000_000 {
			return n
		}
	}
	return 0
}

// censored finds values that are missing because of how large or small they
// are.
func (c *checker) censored() {
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		if t.Title != fioTitle || !strings.HasPrefix(t.Version, "2.1") || t.Scale != "MB/s" {
			continue
		}
		if n := len(c.file.Systems) - len(t.Cells); n > 0 && len(t.Cells) > 0 {
			c.add(result.SeverityInfo, t.Origin, "censored",
				"%s: %s without a value: fio %s prints rates from 1000 MB/s up in a unit that PTS did not read, so they may be the fastest",
				quotedTest(t), countText(n, "system"), t.Version)
		}
	}
	for _, p := range c.siblings(fioTitle, func(t *Test) (string, bool) { return t.Arguments, t.Scale == "IOPS" }) {
		block, ok := parseSize(optionValue(p.a, "Block Size"))
		if !ok || p.a.Version != "3.1" || p.a.Scale != "MB/s" {
			continue
		}
		var small []*Cell
		for i := range p.a.Cells {
			rate := &p.a.Cells[i]
			if positive(rate) && p.b.Cell(rate.System) == nil && rate.Figures.Mean*1024*1024/block < 10_500 {
				small = append(small, rate)
			}
		}
		if len(small) > 0 {
			c.add(result.SeverityInfo, p.b.Origin, "censored",
				"%s: no value below 10 000 IOPS, which this fio prints in a form that PTS did not read: %s", quotedTest(p.b), c.names(small))
		}
	}
	c.rowsLeftOut()
}

// rowsLeftOut finds tests whose second figure has no row, since on every system
// it was too small to be read.
func (c *checker) rowsLeftOut() {
	type id struct{ version, arguments string }
	counted := map[id]bool{}
	for i := range c.set.Tests {
		if t := &c.set.Tests[i]; t.Title == fioTitle && t.Scale == "IOPS" {
			counted[id{t.Version, t.Arguments}] = true
		}
	}
	var first *Test
	n := 0
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		block, ok := parseSize(optionValue(t, "Block Size"))
		if !ok || t.Title != fioTitle || t.Version != "3.1" || t.Scale != "MB/s" || counted[id{t.Version, t.Arguments}] {
			continue
		}
		any, all := false, true
		for j := range t.Cells {
			if rate := &t.Cells[j]; positive(rate) {
				any, all = true, all && rate.Figures.Mean*1024*1024/block < 10_500
			}
		}
		if !any || !all {
			continue
		}
		if n++; first == nil {
			first = t
		}
	}
	if n > 0 {
		c.add(result.SeverityInfo, first.Origin, "censored",
			"%s of %q 3.1 without a row in IOPS, such as %s: below 10 000 this fio prints them in a form that PTS did not read", countText(n, "test"), fioTitle, quotedTest(first))
	}
}

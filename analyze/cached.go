package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// sataLimit is what the fastest SATA link can carry, in MB/s.
const sataLimit = 600

// directRoom is how far above what a disk gave fio a figure may lie before it
// is said not to be the disk's: the two were measured at different times.
const directRoom = 1.1

// cached finds figures that are those of memory, or likely are.
func (c *checker) cached() {
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		switch {
		case t.Title == fioTitle && optionValue(t, "Direct") == "Yes" && strings.HasSuffix(optionValue(t, "Type"), "Read"):
			fast := c.cellsOf(t, func(cell *Cell) bool { return c.onZFS(cell.System) })
			c.doubt("it may be that of a cache", fast...)
			c.sayCached(t, fast, "ZFS before 2.3 reads through its cache whatever Direct says: these are no figures of the disk")
		case t.Title == compileTitle:
			c.compiled(t)
		case t.Title == fsMarkTitle && strings.Contains(t.Arguments, "No Sync/FSync"):
			c.sayCached(t, c.cellsOf(t, func(*Cell) bool { return true }), "without sync the page cache takes the files, and how fast the disk follows is not measured")
		}
	}
}

// cellsOf returns the cells of a test that have a value above zero and pass.
func (c *checker) cellsOf(t *Test, pass func(*Cell) bool) (list []*Cell) {
	for i := range t.Cells {
		if cell := &t.Cells[i]; positive(cell) && pass(cell) {
			list = append(list, cell)
		}
	}
	return list
}

func (c *checker) onZFS(system int) bool {
	return strings.Contains(strings.ToLower(component(c.set.Systems[system].System, "File-System")), "zfs")
}

func (c *checker) sayCached(t *Test, fast []*Cell, why string) {
	if len(fast) > 0 {
		c.add(result.SeverityInfo, t.Origin, "cache-bound", "%s: %s: %s", quotedTest(t), why, c.names(fast))
	}
}

// compiled holds figures of Compile Bench, which syncs nothing while it
// measures, against what the disks give fio past the cache.
func (c *checker) compiled(t *Test) {
	direction := "Write"
	if strings.HasSuffix(t.Arguments, "Read Compiled Tree") {
		direction = "Read"
	}
	best := c.directRates(direction)
	least, most := math.Inf(1), 0.0
	fast := c.cellsOf(t, func(cell *Cell) bool {
		limit, known := best[cell.System]
		if known && cell.Figures.Mean > directRoom*limit {
			least, most = math.Min(least, limit), math.Max(most, limit)
			return true
		}
		return false
	})
	if len(fast) > 0 {
		span := fmt.Sprintf("%.4g", least)
		if most > least {
			span += fmt.Sprintf(" to %.4g", most)
		}
		verb := "written"
		if direction == "Read" {
			verb = "read"
		}
		c.sayCached(t, fast, fmt.Sprintf("the same disks give fio %s MB/s with direct I/O, so memory was %s", span, verb))
	}
	var unknown []*Cell
	if direction == "Read" {
		unknown = c.cellsOf(t, func(cell *Cell) bool {
			_, known := best[cell.System]
			return !known && cell.Figures.Mean > sataLimit
		})
		c.sayCached(t, unknown, fmt.Sprintf("above %d MB/s, more than a SATA disk can read: unless the disk is a faster one, memory was read", sataLimit))
		// That what is written goes to memory first is how the test works.
		c.doubt("it may be that of a cache", append(fast, unknown...)...)
	}
}

// directRates returns the highest rate by system that fio reached in a
// direction with direct I/O and blocks of a megabyte or more: what its disks
// give. A system without such a figure has the highest of those with the same
// disks; those on ZFS, whose direct I/O is cached, give none.
func (c *checker) directRates(direction string) map[int]float64 {
	own, disks := map[int]float64{}, map[string]float64{}
	for i := range c.set.Tests {
		t := &c.set.Tests[i]
		block, ok := parseSize(optionValue(t, "Block Size"))
		if t.Title != fioTitle || !ok || block < 1<<20 || t.Scale != "MB/s" && t.Scale != "MiB/s" ||
			optionValue(t, "Direct") != "Yes" || !strings.HasSuffix(optionValue(t, "Type"), direction) {
			continue
		}
		for _, cell := range c.cellsOf(t, func(cell *Cell) bool { return !c.onZFS(cell.System) }) {
			rate, disk := cell.Figures.Mean, c.kinds[cell.System].disk
			own[cell.System] = math.Max(own[cell.System], rate)
			disks[disk] = math.Max(disks[disk], rate)
		}
	}
	for i := range c.set.Systems {
		if rate, ok := disks[c.kinds[i].disk]; ok && own[i] == 0 && c.kinds[i].disk != "" {
			own[i] = rate
		}
	}
	return own
}

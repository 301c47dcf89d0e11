package systable

import (
	"regexp"
	"strconv"
	"strings"
)

// Costs of breaking a rule, in nats. The letter model takes all digits as
// one, so what their values can be is told here.
const (
	never    = 16 // cannot be, unless the page is broken
	hardly   = 8
	unlikely = 4
	unusual  = 2
)

// ruleCost returns what the rules add to the letter model's cost of a value.
func ruleCost(key, v string) float32 {
	c := form(key, v) + glued(key, v)
	if makers[v] && key != "Display Driver" {
		c += hardly // the start of a longer name
	}
	switch key {
	case "Processor":
		c += processor(v)
	case "Motherboard":
		c += socName(v)
		if revisionEnd.MatchString(v) {
			c += unlikely
		}
	case "Graphics":
		c += socName(v)
	case "Chipset", "Motherboard Chipset":
		c += chipset(v)
	case "Memory", "System Memory":
		c += memory(v)
	case "Disk":
		c += disk(v)
	case "Monitor", "Network":
		c += counted(v)
	case "OS":
		c += system(v)
	case "Kernel":
		c += kernel(v)
	case "Display Server", "X.Org Server":
		c += displayServer(v)
	case "Display Driver":
		c += displayDriver(v)
	case "OpenGL":
		c += openGL(v)
	case "OpenCL":
		if !strings.HasPrefix(v, "OpenCL ") {
			c += unlikely
		}
	case "Vulkan":
		if !vulkanForm.MatchString(v) {
			c += hardly
		}
	case "Compiler":
		c += compiler(v)
	case "File-System":
		switch {
		case fileSystems[v]:
		case strings.Contains(v, " ") && !strings.HasSuffix(v, "HFS+") && !strings.HasSuffix(v, "APFS"):
			c += never
		default:
			c += hardly
		}
	case "Screen Resolution":
		c += resolution(v)
	}
	return c
}

// form judges what no value does: be a bare number, one letter or the same
// twice, begin with a zero, begin
// or end with a mark that joins, or leave a bracket open.
func form(key, v string) float32 {
	var c float32
	if half := len(v) / 2; digits(v) == v || len(v) == 1 || len(v) > 5 && len(v)%2 == 0 && v[:half] == v[half:] {
		c += never
	}
	if v[0] == '0' && len(v) > 1 && v[1] != '.' && key != "Motherboard" && !strings.HasPrefix(v, "0GB") {
		c += hardly
	}
	switch v[0] {
	case '.', ',', ')', ']', '+', '/', ':', ';', '=', '%':
		c += hardly
	case '-', '_', '(', '[', '@':
		c += unlikely
	}
	switch v[len(v)-1] {
	case '.', ',', '(', '[', '/', ':', ';', '=', '@', '-', '_':
		c += unlikely
	}
	if strings.Count(v, "(") != strings.Count(v, ")") || strings.Count(v, "[") != strings.Count(v, "]") {
		c += unlikely
	}
	return c
}

// glued judges what looks like two cells run together, or like one with the
// end or the start of its neighbour: "LS3C6000Loongson", "G96ASPEED", "Comet
// Lake PCH3".
func glued(key, v string) float32 {
	known := teach()
	var c float32
	first, _, _ := strings.Cut(v, " ")
	if !known.form(first) {
		for i := 1; i < min(len(first), 8); i++ {
			if w := letters(first[i:]); len(w) >= shortestWord && known.firsts[key][w] {
				c += unlikely
				break
			}
		}
	}
	for i := 1; i < len(v); i++ {
		if a, b := v[i-1], v[i]; b < 'A' || b > 'Z' || !(a >= '0' && a <= '9' || a >= 'A' && a <= 'Z') {
			continue
		}
		if w := letters(v[i:]); len(w) >= longName && known.names[w] {
			c += unlikely
			break
		}
	}
	last := v[strings.LastIndexByte(v, ' ')+1:]
	if word := strings.TrimRight(last, "0123456789"); word != last && !known.form(last) {
		i := len(word)
		for i > 0 && isLetter(word[i-1]) {
			i--
		}
		if word = word[i:]; len(word) >= shortestWord && known.words[word] {
			c += unlikely
		}
	}
	return c
}

// longName is the length of a name that stands in no other by chance.
const longName = 5

// letters returns the letters that s begins with.
func letters(s string) string {
	i := 0
	for i < len(s) && isLetter(s[i]) {
		i++
	}
	return s[:i]
}

func processor(v string) float32 {
	m := processorEnd.FindStringSubmatch(v)
	if m == nil {
		return unlikely
	}
	if n := v[:len(v)-len(m[0])]; strings.Contains(n, " Core)") || strings.Contains(n, " Cores)") || strings.Contains(n, " Threads)") {
		return hardly // two processors run together
	}
	return 0
}

var processorEnd = regexp.MustCompile(`\((?:Total Cores: )?\d+(?: Cores?)?(?: / \d+ Threads)?\)$`)

// processorTail finds the end of the first processor in a whole text.
var processorTail = regexp.MustCompile(`\(\d+ Cores?(?: / \d+ Threads)?\)`)

func chipset(v string) float32 {
	if i := strings.LastIndex(v, "Device "); i >= 0 {
		id := v[i+len("Device "):]
		if len(id) != 4 || strings.Trim(id, "0123456789abcdef") != "" {
			return hardly
		}
	}
	if familyEnd.MatchString(v) {
		return hardly
	}
	if m := chipsetNumber.FindStringSubmatch(v); m != nil && len(m[1]) != 2 && len(m[1]) != 3 {
		return unlikely
	}
	return 0
}

// socName judges the name of a Broadcom chip, which has four digits.
func socName(v string) float32 {
	name, _, _ := strings.Cut(v, " ")
	if n, ok := strings.CutPrefix(name, "BCM"); ok && (len(n) != 4 || digits(n) != n) {
		return hardly
	}
	return 0
}

var (
	familyEnd   = regexp.MustCompile(`(?:Family )?1[0-9]h\d+$`)
	revisionEnd = regexp.MustCompile(`Rev \d\.\d{2,}$`)
)

var chipsetNumber = regexp.MustCompile(`(?:^| )[ABHPQXZ](\d+)$`)

func memory(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		n, size, unit, rest := quantity(part)
		switch {
		case unit == "":
			c += never
			continue
		case size[0] == '0':
			c += never
		}
		c += count(n, 32)
		switch {
		case len(size) < 3 && unit == "MB", len(size) > 4 && unit != "MB":
			c += hardly
		case !memorySizes[size]:
			c += unlikely
		case len(size) < 4 && unit == "MB":
			c += unusual
		}
		if i := strings.LastIndex(rest, " F"); i >= 0 && rest[len(rest)-1] <= '9' && kitName.MatchString(rest[i+1:]) {
			c += unlikely
		}
	}
	return c
}

// kitName is the name of a kit of memory, which ends in letters.
var kitName = regexp.MustCompile(`^F[345]-\d{4}C\d{2}-\d{1,2}G[A-Z]+\d`)

func disk(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		n, size, unit, rest := quantity(part)
		if unit == "" {
			if size != "" {
				c += unusual
			}
			if gluedSize.MatchString(part) {
				c += hardly
			}
			continue
		}
		c += count(n, 64)
		switch {
		case size[0] == '0' && size != "0":
			c += never
		case diskSizes[size]:
		case rest != "":
			c += unusual
		}
		if len(size) > 5 {
			c += hardly
		}
	}
	return c
}

// gluedSize is the end of the cell before run together with a size.
var gluedSize = regexp.MustCompile(`^[^ ]*[^ \d]\d+(?:GB|TB)(?: |$)`)

// counted judges lists whose items may begin "2 x ".
func counted(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		if n, rest, ok := strings.Cut(part, " x "); ok && rest != "" && strings.Trim(n, "0123456789") == "" {
			c += count(n, 12)
		}
	}
	return c
}

// count judges the number before " x ": 2 to a limit, small ones likelier.
func count(n string, limit int) float32 {
	if n == "" {
		return 0
	}
	i, err := strconv.Atoi(n)
	switch {
	case err != nil || i < 1 || n[0] == '0':
		return never
	case i > limit:
		return hardly
	case i > 8:
		return unusual
	}
	return 0
}

// quantity divides "2 x 500GB Samsung SSD 860" into count, size, unit and
// the rest. Without a unit behind it a number is returned as size alone.
func quantity(s string) (n, size, unit, rest string) {
	num := digits(s)
	if r, ok := strings.CutPrefix(s[len(num):], " x "); ok && num != "" {
		n, s = num, r
		num = digits(s)
	}
	size, rest = num, s[len(num):]
	if size == "" {
		return n, "", "", rest
	}
	rest = strings.TrimPrefix(rest, " ")
	for _, u := range []string{"GB", "MB", "TB"} {
		if r, ok := strings.CutPrefix(rest, u); ok {
			return n, size, u, r
		}
	}
	return n, size, "", rest
}

// digits returns the digits that s begins with.
func digits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

func resolution(v string) float32 {
	w, h, ok := strings.Cut(v, "x")
	if !ok || digits(w) != w || digits(h) != h || w == "" || h == "" {
		return never
	}
	x, _ := strconv.Atoi(w)
	y, _ := strconv.Atoi(h)
	if w[0] == '0' || h[0] == '0' || len(w) > 5 || len(h) > 4 || x < 320 || y < 200 {
		return never
	}
	if !sideLengths[w] || !sideLengths[h] {
		return unlikely
	}
	return 0
}

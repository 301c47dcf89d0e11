package stats

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// statCase is one case of a testdata/*.stat file; the head of reference.stat
// describes the form.
type statCase struct {
	name, tool string
	rel, abs   float64
	data       map[string][][]float64
	evals      []statEval
}

type statEval struct {
	line   int
	name   string
	args   []string
	expect []statExpect
}

type statExpect struct {
	line int
	key  string
	want []float64
}

func readStatFile(t *testing.T, name string) []*statCase {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []*statCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "case" && len(fields) == 2 {
			cases = append(cases, &statCase{name: fields[1], data: map[string][][]float64{}})
			continue
		}
		if len(cases) == 0 || len(fields) < 2 {
			t.Fatalf("%s:%d: %q", name, n, line)
		}
		if err := cases[len(cases)-1].add(n, fields[0], fields[1:]); err != nil {
			t.Fatalf("%s:%d: %v", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.tool == "" || c.rel == 0 || len(c.evals) == 0 {
			t.Fatalf("%s: case %s lacks its tool, tolerance or eval", name, c.name)
		}
		for _, e := range c.evals {
			if len(e.expect) == 0 {
				t.Fatalf("%s:%d: nothing expected", name, e.line)
			}
		}
	}
	return cases
}

func (c *statCase) add(line int, word string, rest []string) error {
	switch word {
	case "tool":
		c.tool = strings.Join(rest, " ")
	case "tol":
		numbers, err := parseNumbers(rest[:1])
		if err != nil {
			return err
		}
		c.rel = numbers[0][0]
		if len(rest) == 3 && rest[1] == "abs" {
			numbers, err := parseNumbers(rest[2:])
			if err != nil {
				return err
			}
			c.abs = numbers[0][0]
		}
	case "data":
		rows, err := parseNumbers(rest[1:])
		if err != nil {
			return err
		}
		c.data[rest[0]] = rows
	case "eval":
		c.evals = append(c.evals, statEval{line: line, name: rest[0], args: rest[1:]})
	case "expect":
		if len(c.evals) == 0 {
			return fmt.Errorf("expect before eval")
		}
		rows, err := parseNumbers(rest[1:])
		if err != nil {
			return err
		}
		e := &c.evals[len(c.evals)-1]
		e.expect = append(e.expect, statExpect{line: line, key: rest[0], want: rows[0]})
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

func parseNumbers(fields []string) ([][]float64, error) {
	rows := [][]float64{nil}
	for _, f := range fields {
		if f == "/" {
			rows = append(rows, nil)
			continue
		}
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, err
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], x)
	}
	return rows, nil
}

// values returns the single row of numbers with the name.
func (c *statCase) values(name string) []float64 {
	rows, ok := c.data[name]
	if !ok || len(rows) != 1 {
		panic(fmt.Sprintf("case %s: no row %q", c.name, name))
	}
	return rows[0]
}

func (c *statCase) summary(name string) Summary { return toSummary(c.values(name)) }

func toSummary(v []float64) Summary { return Summary{Mean: v[0], SE: v[1], N: int(v[2])} }

// rounded reads mean, standard error, runs and the two half-units.
func (c *statCase) rounded(name string) Rounded {
	v := c.values(name)
	return Rounded{Summary: toSummary(v), MeanHalf: v[3], SEHalf: v[4]}
}

package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Report is what a driver prints in the end.
type Report struct {
	Driver  string `json:"driver"`
	Version string `json:"version"`
	// Samples are the values of the run, in SI units.
	Samples []Sample `json:"samples"`
	// Invariants are what had to hold of the run; a driver that breaks one
	// prints no report.
	Invariants []Invariant `json:"invariants"`
	// Facts are what else is worth knowing: parameters, single values
	// behind a mean, what was scaled down ("scaled"), what the driver could
	// not do ("warnings").
	Facts map[string]any `json:"facts"`
}

// Sample is one measured value.
type Sample struct {
	Metric string  `json:"metric"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"` // "B/s", "s", "" for a score
}

// Invariant is what must hold of a run for its samples to count.
type Invariant struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

// ParseReport reads what the named driver printed. It is an error where the
// document is another driver's, has trailing text, or has a sample that is no
// finite number.
func ParseReport(driver string, text []byte) (*Report, error) {
	var r Report
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("native %s: no report: %w", driver, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("native %s: text behind the report", driver)
	}
	if r.Driver != driver {
		return nil, fmt.Errorf("native %s: the report is of driver %q", driver, r.Driver)
	}
	if len(r.Samples) == 0 {
		return nil, fmt.Errorf("native %s: the report has no samples", driver)
	}
	for _, s := range r.Samples {
		if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) || s.Value < 0 {
			return nil, fmt.Errorf("native %s: %s is %v", driver, s.Metric, s.Value)
		}
	}
	return &r, nil
}

// Warnings returns the report's warnings.
func (r *Report) Warnings() []string {
	switch list := r.Facts["warnings"].(type) {
	case []string:
		return list
	case []any: // as JSON gives it
		var out []string
		for _, w := range list {
			if s, ok := w.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

func newReport(driver, version string) *Report {
	return &Report{Driver: driver, Version: version, Invariants: []Invariant{}, Facts: make(map[string]any)}
}

func (r *Report) sample(metric string, value float64, unit string) {
	r.Samples = append(r.Samples, Sample{Metric: metric, Value: value, Unit: unit})
}

// equal adds the invariant that got is want.
func (r *Report) equal(name string, got, want int64) {
	r.Invariants = append(r.Invariants, Invariant{
		Name: name, OK: got == want,
		Got: strconv.FormatInt(got, 10), Want: strconv.FormatInt(want, 10),
	})
}

// within adds the invariant that got is from low to high.
func (r *Report) within(name string, got, low, high int64) {
	r.Invariants = append(r.Invariants, Invariant{
		Name: name, OK: low <= got && got <= high,
		Got: strconv.FormatInt(got, 10), Want: fmt.Sprintf("%d to %d", low, high),
	})
}

func (r *Report) warn(format string, args ...any) {
	list, _ := r.Facts["warnings"].([]string)
	r.Facts["warnings"] = append(list, fmt.Sprintf(format, args...))
}

// broken returns an error for the first invariant that does not hold.
func (r *Report) broken() error {
	for _, v := range r.Invariants {
		if !v.OK {
			return fmt.Errorf("%s: got %s, want %s", v.Name, v.Got, v.Want)
		}
	}
	return nil
}

// mean returns the arithmetic mean of values, which must not be empty.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

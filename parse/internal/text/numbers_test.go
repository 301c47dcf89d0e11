package text

import (
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// TestNotANumber: what is said of values that are no numbers names one of
// them, not one of another kind, and counts in words that fit.
func TestNotANumber(t *testing.T) {
	for values, want := range map[string]string{
		"1.5 12x": `a value beside a bar, "12x", is no number`,
		"1,5 =1":  `a value beside a bar, "=1", is no number`,
		"=1 =2":   `2 values beside a bar, such as "=1", are no numbers`,
	} {
		a, b, _ := strings.Cut(values, " ")
		page := "Set\n\nSystem One:\n\n\tProcessor: x\n\nSystem Two:\n\n\tProcessor: y\n\n" +
			"C-Ray 1.1\nSeconds < Lower Is Better\nSystem One . " + a + " |=====\nSystem Two . " + b + " |==========\n"
		var got []string
		err := Read(source.New("n.txt", page), func(f *result.File) error {
			for _, d := range f.Diagnostics {
				if d.Code == "not-a-number" {
					got = append(got, d.Message)
				}
			}
			return nil
		})
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v, want %s", values, got, err, want)
		}
	}
}

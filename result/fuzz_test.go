package result

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// Printed numbers are read as the library reads decimal text, and their last
// place is the one that is printed.
func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"", "0", "-12.50", "+.5", "5.", ".", "1e5", "1.5E-07", "1e400", "1e-400", "0x1p-2", "1_000", "NaN", "inf", "999999999999999", "9999999999999999", "0.000000000000001", "1,5", " 1", "1e", "--1", "12.3e3", "1/3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := ParseNumber(s)
		want, err := strconv.ParseFloat(s, 64)
		decimal := err == nil && strings.Trim(s, "+-.0123456789eE") == "" && s[len(s)-1] != 'e'
		if ok != decimal || ok && (v != want || math.Signbit(v) != math.Signbit(want)) {
			t.Fatalf("%q is read as %v, %v, want %v, %v", s, v, ok, want, decimal)
		}
		half := HalfUnit(s)
		if !ok {
			if half != 0 {
				t.Errorf("half a unit of %q is %v", s, half)
			}
			return
		}
		if math.IsNaN(half) || math.IsInf(half, 0) || half < 0 {
			t.Errorf("half a unit of %q is %v", s, half)
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
		if e, _ := strconv.Atoi(exponent); len(s) < 200 && e > -200 && e < 200 {
			// Digits behind the point with the exponent: what one of the
			// last place is, in exact fractions.
			_, behind, _ := strings.Cut(mantissa, ".")
			unit, _ := new(big.Rat).SetString("5e" + strconv.Itoa(e-len(behind)-1))
			if want, _ := unit.Float64(); half != want {
				t.Errorf("half a unit of %q is %v, want %v", s, half, want)
			}
			if exponent == "" && Decimals(s) != len(behind) {
				t.Errorf("%q has %d decimals", s, Decimals(s))
			}
		}
	})
}

// Options put together again are the arguments.
func FuzzParseOptions(f *testing.F) {
	for _, s := range []string{"", " - ", "12 Clients", "Type: Random Read - Engine: Linux AIO", ": x - : ", "A: B: C - D", "a - - b", "Key: "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var parts []string
		for _, o := range ParseOptions(s) {
			if strings.Contains(o.Key, " - ") || strings.Contains(o.Value, " - ") || strings.Contains(o.Key, ": ") {
				t.Errorf("%q has the option %+v", s, o)
			}
			if o.Key != "" {
				parts = append(parts, o.Key+": "+o.Value)
			} else {
				parts = append(parts, o.Value)
			}
		}
		if got := strings.Join(parts, " - "); got != s {
			t.Errorf("%q is put together as %q", s, got)
		}
	})
}

// Groups and labels put together are the identifiers, and all systems of a file
// have a group or none has.
func FuzzSetGroups(f *testing.F) {
	f.Add("HDD: EXT4", "SSD: XFS")
	f.Add("a:b", "a: b")
	f.Add(": ", ": x")
	f.Add("A", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		systems := []System{{Identifier: a}, {Identifier: b, GroupPath: []string{"old"}}}
		SetGroups(systems)
		if (systems[0].GroupPath == nil) != (systems[1].GroupPath == nil) {
			t.Errorf("%q: %q, %q: %q", a, systems[0].GroupPath, b, systems[1].GroupPath)
		}
		for _, s := range systems {
			whole := s.Label()
			if s.GroupPath != nil {
				whole = s.Group() + ": " + s.Label()
			}
			if whole != s.Identifier {
				t.Errorf("%q is put together as %q", s.Identifier, whole)
			}
		}
	})
}

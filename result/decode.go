package result

import "fmt"

// Decode says how sure a reader is of what it read. The zero value is
// DecodeExact.
type Decode uint8

// Degrees of certainty, from sure to unknown.
const (
	// DecodeExact: the source says so, or hard rules leave one reading.
	DecodeExact Decode = iota
	// DecodeInferred: plausibility leaves one reading.
	DecodeInferred
	// DecodeAmbiguous: several readings are left.
	DecodeAmbiguous
)

var decodeNames = [...]string{"exact", "inferred", "ambiguous"}

// String returns "exact", "inferred" or "ambiguous".
func (d Decode) String() string {
	if int(d) < len(decodeNames) {
		return decodeNames[d]
	}
	return fmt.Sprintf("Decode(%d)", uint8(d))
}

// MarshalText returns d's word.
func (d Decode) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads d's word.
func (d *Decode) UnmarshalText(text []byte) error {
	for i, name := range decodeNames {
		if name == string(text) {
			*d = Decode(i)
			return nil
		}
	}
	return fmt.Errorf("unknown decode %q, want exact, inferred or ambiguous", text)
}

// Status says whether a measurement has a value. The zero value is StatusOK.
type Status uint8

// The states of a measurement.
const (
	StatusOK     Status = iota // there is a value, or an ambiguous one
	StatusFailed               // the run failed, or gave no value
)

var statusNames = [...]string{"ok", "failed"}

// String returns "ok" or "failed".
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// MarshalText returns s's word.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads s's word.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("unknown status %q, want ok or failed", text)
}

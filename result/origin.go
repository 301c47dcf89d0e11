package result

import "fmt"

// Origin is where in its source something was read, and by which rule. Line
// and Column count from 1, Column and Offset in bytes, Offset from 0. Where
// the reader had to transcode the input (UTF-16, Latin-1), Column and Offset
// are those of its UTF-8 form, and Offset counts a line end of CR LF as one
// byte. A zero Line means that the place is unknown.
type Origin struct {
	Source string `json:"source,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Offset int    `json:"offset"`
	// Rule is the reader and the rule that read it: "text/bar-row",
	// "html/svg-value", "flat/unique".
	Rule string `json:"rule,omitempty"`
}

// String returns "source:line:column".
func (o Origin) String() string {
	return fmt.Sprintf("%s:%d:%d", o.Source, o.Line, o.Column)
}

// Severity of a diagnostic.
type Severity string

// The severities. An error means that a value was lost or contradicts
// itself.
const (
	SeverityInfo    Severity = "info"
	SeverityWarning Severity = "warning"
	SeverityError   Severity = "error"
)

// Diagnostic is what a reader says about a place that it could not read, or
// that contradicts another. Readers add one and go on.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Origin   Origin   `json:"origin"`
	// Code is a stable short name ("bar-mismatch").
	Code string `json:"code"`
	// Message is one line for a person, without position.
	Message string `json:"message"`
}

// String returns "source:line:column: severity: message".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s", d.Origin, d.Severity, d.Message)
}

package result

// File is one result file: what PTS calls a result, what its site shows as
// one page. Systems and Tests stand in published order.
type File struct {
	// Title and Description as published. Where the source gives no mark
	// between them, Title holds all of TitleDescription unless a rule is
	// sure of the split, and TitleSplit says so.
	Title       string
	Description string
	// TitleDescription is the undivided source text of title and
	// description, set only where the form has no mark between them.
	TitleDescription string
	// TitleSplit says how sure the division into Title and Description is.
	// It is DecodeExact for every form that marks the division.
	TitleSplit Decode

	// Source is the input's base name, or the label the user gave it.
	Source string
	// URL is the address the page says it was exported from, if any.
	URL string
	// Identifier is the published identifier, the last path element of
	// URL ("1901281-SP-F2FSBENCH59"), if known.
	Identifier string
	// Generator is the client that wrote the source
	// ("Phoronix Test Suite v10.8.4"), if it says so.
	Generator string
	// Format is the form the file was read from.
	Format Format

	// Metadata of composite.xml and of the JSON export; empty elsewhere.
	LastModified string // as published, no zone: "2025-01-31 00:02:48"
	Notes        string
	InternalTags string
	ReferenceID  string
	Environment  string // PreSetEnvironmentVariables

	Systems     []System
	Tests       []Test
	Diagnostics []Diagnostic
}

// Format names the form a result file was read from.
type Format string

// The forms that readers know.
const (
	FormatText          Format = "text"           // PTS text export with its newlines
	FormatTextCollapsed Format = "text-collapsed" // the same with white space collapsed
	FormatHTML          Format = "html"           // PTS HTML export
	FormatFlat          Format = "flat"           // text of such a page, SVG text run together
	FormatXML           Format = "xml"            // composite.xml
	FormatJSON          Format = "json"           // PTS JSON export
	FormatRecord        Format = "record"         // this package's own JSON
	FormatCSV           Format = "csv"            // PTS CSV export
	FormatRawCSV        Format = "raw-csv"        // PTS raw CSV export
	FormatFio           Format = "fio"            // fio's JSON output
	FormatCapture       Format = "capture"        // terminal capture of a run
	FormatViewer        Format = "viewer"         // page of PTS's local viewer or its site
)

// AddSystem appends a system with the given full identifier and returns its
// index. It does not look for an equal one: duplicated identifiers stay
// apart.
func (f *File) AddSystem(identifier string) int {
	f.Systems = append(f.Systems, System{Identifier: identifier})
	return len(f.Systems) - 1
}

// SystemIndex returns the index of the first system with the identifier, or
// -1.
func (f *File) SystemIndex(identifier string) int {
	for i := range f.Systems {
		if f.Systems[i].Identifier == identifier {
			return i
		}
	}
	return -1
}

// SystemNames returns one printable name a system, in order and all
// different: the identifier as published, and for the second and later of
// equal identifiers the identifier with " #2", " #3" and so on behind it. A
// number that would make the name of another system is passed over.
func (f *File) SystemNames() []string {
	taken := make(map[string]bool, len(f.Systems))
	for i := range f.Systems {
		taken[f.Systems[i].Identifier] = true
	}
	seen := make(map[string]int, len(f.Systems))
	names := make([]string, len(f.Systems))
	for i := range f.Systems {
		id := f.Systems[i].Identifier
		seen[id]++
		names[i] = id
		for seen[id] > 1 {
			names[i] = id + " #" + itoa(seen[id])
			if !taken[names[i]] {
				break
			}
			seen[id]++
		}
		taken[names[i]] = true
	}
	return names
}

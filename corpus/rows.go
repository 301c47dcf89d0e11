package corpus

// SchemaID names the tables, their columns and what they mean. It changes
// when a reader of them would have to.
const SchemaID = "benchproof/corpus/1"

// Tables of a corpus, in the order in which they are documented.
const (
	tableFiles        = "files"
	tablePaths        = "paths"
	tableSystems      = "systems"
	tableComponents   = "components"
	tableTests        = "tests"
	tableMeasurements = "measurements"
	tableRuns         = "runs"
	tableDiagnostics  = "diagnostics"
)

// Tables returns the names of the tables of a corpus. The caller owns the list.
func Tables() []string {
	return []string{tableFiles, tablePaths, tableSystems, tableComponents, tableTests, tableMeasurements, tableRuns, tableDiagnostics}
}

// The rows below are the schema. A column tagged optional is null where the
// source does not say: its zero value is written as null. Numbers that may
// well be zero are pointers. Counts of systems, tests and measurements begin
// with 1.

// origin is where something was read; null where the place is unknown.
type origin struct {
	Source string `parquet:"origin_source,optional,dict"`
	Line   int32  `parquet:"line,optional"`
	Column int32  `parquet:"col,optional"`
	Offset int64  `parquet:"byte_offset,optional"`
	Rule   string `parquet:"rule,optional,dict"`
}

// fileRow is one result file.
type fileRow struct {
	File   int64  `parquet:"file"`         // key of all tables
	FileID string `parquet:"file_id"`      // the key as 16 hexadecimal digits
	SHA256 string `parquet:"sha256"`       // of the input's bytes
	Bytes  int64  `parquet:"input_bytes"`  // of the input
	Number int32  `parquet:"input_number"` // of the file in its input

	Title            string `parquet:"title,optional"`
	Description      string `parquet:"description,optional"`
	TitleDescription string `parquet:"title_description,optional"`
	TitleSplit       string `parquet:"title_split,dict"`
	Source           string `parquet:"source,optional"`
	URL              string `parquet:"url,optional"`
	Identifier       string `parquet:"published_identifier,optional"`
	Generator        string `parquet:"generator,optional,dict"`
	Format           string `parquet:"format,dict"`
	LastModified     string `parquet:"last_modified,optional"`
	Notes            string `parquet:"notes,optional"`
	InternalTags     string `parquet:"internal_tags,optional"`
	ReferenceID      string `parquet:"reference_id,optional"`
	Environment      string `parquet:"environment,optional"`

	// Date is the day of the result (YYYY-MM-DD), and DateFrom what says
	// so: "last-modified", "system" or "identifier".
	Date     string `parquet:"date,optional"`
	DateFrom string `parquet:"date_from,optional,dict"`

	// How many rows of the other tables are the file's. They stand together
	// in its part, in the order of this table.
	Systems      int32 `parquet:"systems"`
	Components   int32 `parquet:"components"`
	Tests        int32 `parquet:"tests"`
	Measurements int32 `parquet:"measurements"`
	Runs         int32 `parquet:"runs"`
	Diagnostics  int32 `parquet:"diagnostics"`
}

// States of a path.
const (
	pathOK         = "ok"         // its files are in this part
	pathDuplicate  = "duplicate"  // its content was known
	pathNoResult   = "no-result"  // it holds no result file
	pathUnreadable = "unreadable" // it could not be read, or not to its end
)

// pathRow is a path at which a content was found. A later part's row of a path
// takes the place of an earlier one's.
type pathRow struct {
	Path    string `parquet:"path"`
	SHA256  string `parquet:"sha256"`
	Bytes   int64  `parquet:"input_bytes"`
	MTime   int64  `parquet:"mtime_ns"` // Unix time
	Status  string `parquet:"status,dict"`
	Results int32  `parquet:"results"` // files that were read of it into this part
	Error   string `parquet:"error,optional"`
}

// systemRow is one system of a file.
type systemRow struct {
	File   int64 `parquet:"file,dict"`
	Number int32 `parquet:"system_number"`

	Identifier string   `parquet:"identifier,dict"` // as published
	Name       string   `parquet:"system,dict"`     // with " #2" where it stands twice
	Group      string   `parquet:"system_group,optional,dict"`
	GroupPath  []string `parquet:"group_path,list"`
	Decode     string   `parquet:"decode,dict"`
	Inherited  []string `parquet:"inherited_keys,list"`

	// What is asked for most, of the components.
	Processor   string `parquet:"processor,optional,dict"`
	Motherboard string `parquet:"motherboard,optional,dict"`
	Memory      string `parquet:"memory,optional,dict"`
	Disk        string `parquet:"disk,optional,dict"`
	Graphics    string `parquet:"graphics,optional,dict"`
	OS          string `parquet:"os,optional,dict"`
	Kernel      string `parquet:"kernel,optional,dict"`
	Compiler    string `parquet:"compiler,optional,dict"`
	FileSystem  string `parquet:"file_system,optional,dict"`

	User          string `parquet:"user,optional,dict"`
	Timestamp     string `parquet:"timestamp,optional"`
	ClientVersion string `parquet:"client_version,optional,dict"`
	NotesText     string `parquet:"notes_text,optional"`
	Details       string `parquet:"details,optional"` // JSON
	Origin        origin `parquet:"origin"`
}

// componentRow is one component or note of a system.
type componentRow struct {
	File      int64  `parquet:"file,dict"`
	System    int32  `parquet:"system_number"`
	Kind      string `parquet:"kind,dict"`
	Position  int32  `parquet:"position"` // within its kind, from 1
	Key       string `parquet:"key,dict"`
	Value     string `parquet:"value,dict"`
	Inherited bool   `parquet:"inherited"`
}

// optionRow is a part of a test's arguments.
type optionRow struct {
	Key   string `parquet:"key,optional"`
	Value string `parquet:"value"`
}

// unassignedRow is a figure of one of several systems.
type unassignedRow struct {
	StdError string  `parquet:"std_error"`
	Samples  int32   `parquet:"samples,optional"`
	Systems  []int32 `parquet:"systems,list"` // numbers
	Origin   origin  `parquet:"origin"`
}

// testRow is one test of a file.
type testRow struct {
	File   int64 `parquet:"file,dict"`
	Number int32 `parquet:"test_number"`
	// Key is equal for equal title, version, arguments and scale.
	Key int64 `parquet:"test_key,dict"`

	Profile          string          `parquet:"profile,optional,dict"`
	Title            string          `parquet:"test,optional,dict"`
	Version          string          `parquet:"version,optional,dict"`
	HeadDecode       string          `parquet:"head_decode,dict"`
	Arguments        string          `parquet:"arguments,optional,dict"`
	Options          []optionRow     `parquet:"options,list"`
	CommandArguments string          `parquet:"command_arguments,optional,dict"`
	Scale            string          `parquet:"scale,optional,dict"`
	Proportion       string          `parquet:"proportion,optional,dict"`
	DisplayFormat    string          `parquet:"display_format,optional,dict"`
	Footnotes        []string        `parquet:"footnotes,list"`
	Parent           string          `parquet:"parent,optional,dict"`
	Annotation       string          `parquet:"annotation,optional,dict"`
	Unassigned       []unassignedRow `parquet:"unassigned,list"`
	Origin           origin          `parquet:"origin"`
}

// measurementRow is one measurement.
type measurementRow struct {
	File        int64 `parquet:"file,dict"`
	Test        int32 `parquet:"test_number"`
	System      int32 `parquet:"system_number"`
	Measurement int32 `parquet:"measurement"` // place in its test, from 1
	TestKey     int64 `parquet:"test_key,dict"`

	Value    string   `parquet:"value,optional"` // as printed
	Number   *float64 `parquet:"number,optional"`
	HalfUnit float64  `parquet:"half_unit,optional,dict"`

	// StdError and Samples as in the record; the numbers as tables print
	// them: worked out from the runs where the record has none.
	StdError        string   `parquet:"std_error,optional"`
	StdErrorDerived bool     `parquet:"std_error_derived"`
	Samples         int32    `parquet:"samples,optional"`
	StdErrorNumber  *float64 `parquet:"std_error_number,optional"`
	N               int32    `parquet:"n,optional"`

	Min          string   `parquet:"min,optional"`
	Max          string   `parquet:"max,optional"`
	Precise      string   `parquet:"precise,optional"`
	Notes        []string `parquet:"notes,list"`
	Status       string   `parquet:"status,dict"`
	Reason       string   `parquet:"reason,optional,dict"`
	Decode       string   `parquet:"decode,dict"`
	Alternatives []string `parquet:"alternatives,list"`

	ReplayDriver   *string `parquet:"replay_driver,optional"` // null where it is no replay
	ReplayFidelity string  `parquet:"replay_fidelity,optional,dict"`
	ReplayScaling  string  `parquet:"replay_scaling,optional,dict"`

	Details string `parquet:"details,optional"` // JSON
	Origin  origin `parquet:"origin"`
}

// runRow is one single run of a measurement: its value, its time or both.
type runRow struct {
	File        int64    `parquet:"file,dict"`
	Test        int32    `parquet:"test_number"`
	System      int32    `parquet:"system_number"`
	Measurement int32    `parquet:"measurement"`
	Run         int32    `parquet:"run"` // from 1
	Value       *string  `parquet:"value,optional"`
	Number      *float64 `parquet:"number,optional"`
	Seconds     *string  `parquet:"seconds,optional"` // as printed
}

// diagnosticRow is what a reader said about a file.
type diagnosticRow struct {
	File     int64  `parquet:"file,dict"`
	Position int32  `parquet:"position"`
	Severity string `parquet:"severity,dict"`
	Code     string `parquet:"code,dict"`
	Message  string `parquet:"message"`
	Origin   origin `parquet:"origin"`
}

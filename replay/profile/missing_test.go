package profile

import (
	"testing"

	"github.com/benchproof/benchproof/result"
)

// noTools finds nothing.
type noTools struct{}

func (noTools) Find(string) (path, version string, ok bool) { return "", "", false }

// TestMissingTool: where the published tool is not there the row could be
// replayed with it, and nothing is said of how near it would be.
func TestMissingTool(t *testing.T) {
	for _, arguments := range []struct{ title, version, arguments, scale string }{
		{"Flexible IO Tester", "3.1", "Type: Random Read - IO Engine: Linux AIO - Buffered: No - Direct: Yes - Block Size: 4KB - Disk Target: Default Test Directory", "MB/s"},
		{"FS-Mark", "3.3", "Test: 1000 Files, 1MB Size", "Files/s"},
		{"Dbench", "4.0", "12 Clients", "MB/s"},
		{"SQLite", "3.22", "Timed SQLite Insertions", "Seconds"},
		{"PostMark", "1.51", "Disk Transaction Performance", "TPS"},
		{"MariaDB", "10.6.4", "Clients: 128", "Queries Per Second"},
	} {
		row := Row{Test: &result.Test{
			Title: arguments.title, Version: arguments.version, Arguments: arguments.arguments, Scale: arguments.scale,
			Options: result.ParseOptions(arguments.arguments),
		}}
		for _, p := range All() {
			if !p.Match(row) {
				continue
			}
			job, err := p.Resolve(Request{Row: row, Scale: 1, Tools: noTools{}, Root: true})
			refusal, ok := err.(*Refusal)
			if !ok || !refusal.Unavailable || refusal.Reason == "" || refusal.Hint == "" {
				t.Errorf("%s: %#v", arguments.title, err)
			}
			if job != nil && job.Fidelity != "" {
				t.Errorf("%s: %q of a tool that is not there", arguments.title, job.Fidelity)
			}
		}
	}
}

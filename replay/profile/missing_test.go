package profile

import "testing"

// noTools finds nothing.
type noTools struct{}

func (noTools) Find(string) (path, version string, ok bool) { return "", "", false }

// TestMissingTool: where the published tool is not there the row could be
// replayed with it, and nothing is said of how near it would be.
func TestMissingTool(t *testing.T) {
	for _, row := range goodRows() {
		p := Find(row)
		if !packagedTool(p) {
			continue
		}
		job, err := p.Resolve(Request{Row: row, Scale: 1, Tools: noTools{}, Root: true})
		refusal, ok := err.(*Refusal)
		if !ok || !refusal.Unavailable || refusal.Reason == "" || refusal.Hint == "" {
			t.Errorf("%s: %#v", row.Test.Title, err)
		}
		if job != nil && job.Fidelity != "" {
			t.Errorf("%s: %q of a tool that is not there", row.Test.Title, job.Fidelity)
		}
	}
}

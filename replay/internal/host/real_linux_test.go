package host

import (
	"encoding/json"
	"testing"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// place is that of a fresh directory.
func place(t *testing.T) Place {
	t.Helper()
	g, err := target.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	p, err := Look(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestThisMachine(t *testing.T) {
	p := place(t)
	text, _ := json.MarshalIndent(This().System("here", p), "", " ")
	t.Logf("%s", text)
	s, err := This().Snapshot(p)
	if err != nil {
		t.Fatal(err)
	}
	text, _ = json.MarshalIndent(s, "", " ")
	t.Logf("%s", text)
}

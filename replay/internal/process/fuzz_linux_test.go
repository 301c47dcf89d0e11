package process

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzParseStat: whatever a process calls itself, the kernel's line of it is
// read as it is: no name passes for the number, parent or start of another.
func FuzzParseStat(f *testing.F) {
	f.Add("fio", 1, 2, uint64(3))
	f.Add(") S 1 1 1 (x", 77, -1, uint64(1<<63))
	f.Add("a) R 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9", 4194304, 0, uint64(0))
	f.Add("\xff\n(", 0, 0, uint64(1))
	f.Fuzz(func(t *testing.T, name string, pid, parent int, start uint64) {
		if strings.Contains(name, "\x00") {
			return
		}
		line := fmt.Sprintf("%d (%s) S %d 11 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 %d 100 200 18446744073709551615\n", pid, name, parent, start)
		s, err := parseStat([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if want := (stat{pid: pid, name: name, state: 'S', parent: parent, group: 11, session: 12, start: start}); s != want {
			t.Errorf("%q is read as %+v", line, s)
		}
		// Any text at all is that of a process or an error.
		if s, err := parseStat([]byte(name)); err == nil && !strings.Contains(name, "("+s.name+")") {
			t.Errorf("%q is read as %+v", name, s)
		}
	})
}

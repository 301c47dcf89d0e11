package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Leftovers returns the living processes of the replay: those that carry its
// mark in their environment, and those that work in a directory of the replay's
// and are in one of the records, or of a recorded session and in the recorded
// directory; and all below them. This process and those above it are never among
// them. Without root only one's own processes can be seen to carry a mark.
//
// A record alone is not believed: it comes from a file, and any process can be
// named in one. What has wiped its environment, left its session and its directory, and lost
// its supervisor, is not found.
func Leftovers(id string, records ...Record) ([]Leftover, error) {
	if id == "" {
		return nil, fmt.Errorf("look for processes of a replay: no identifier")
	}
	return findMarked(Mark, id, false, records)
}

// KillLeftovers kills what [Leftovers] finds until nothing is left or ctx is
// done, and returns what it killed. Its error names what did not die. Shared
// memory that the recorded processes made and nobody uses is removed.
func KillLeftovers(ctx context.Context, id string, records ...Record) ([]Leftover, error) {
	if id == "" {
		return nil, fmt.Errorf("look for processes of a replay: no identifier")
	}
	wait := 10 * time.Second
	if at, ok := ctx.Deadline(); ok {
		wait = time.Until(at)
	}
	killed, err := killMarked(Mark, id, wait, false, records...)
	for _, r := range records {
		if r.ID == id {
			r.removeSharedMemory(killed)
		}
	}
	return killed, err
}

// removeSharedMemory removes what the recorded processes left of System V
// shared memory ([removeSharedMemory]), unless one of them lives. Of those that
// live, the killed ones and those that have let go of their program are about to
// end and are waited for; the others are not the replay's, whatever the record
// says.
func (r Record) removeSharedMemory(killed []Leftover) {
	if r.Boot != bootID() || r.Boot == "" || r.Began.IsZero() {
		return
	}
	// One that was killed lets go of what it used when the machine comes to it.
	for end := time.Now().Add(letGo); ; time.Sleep(25 * time.Millisecond) {
		pids, lives := map[int]bool{}, false
		for _, c := range r.Copies {
			switch s, err := readStat(c.PID); {
			case err != nil || s.dead():
				pids[c.PID] = true
			case s.start == c.Start:
				_, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", c.PID))
				lives = lives || errors.Is(err, fs.ErrNotExist) ||
					slices.ContainsFunc(killed, func(k Leftover) bool { return k.PID == c.PID && k.Start == c.Start })
			}
			// Else its number is another's, who may have made memory, too.
		}
		if used := removeSharedMemory(pids, r.Began); !used && !lives || time.Now().After(end) {
			return
		}
	}
}

// letGo is how long killed processes may hold shared memory.
const letGo = 10 * time.Second

// findMarked finds processes by a variable of their environment, and by records
// that are this program's own, or else only if the processes work for a replay
// called so.
func findMarked(variable, value string, own bool, records []Record) ([]Leftover, error) {
	all, err := processes()
	if err != nil {
		return nil, fmt.Errorf("look for processes of a replay: %w", err)
	}
	kin := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !kin[pid]; pid = all[pid].parent {
		kin[pid] = true
	}
	found := map[int]Leftover{}
	add := func(s stat, why string) {
		if _, ok := found[s.pid]; !ok && !kin[s.pid] && !s.dead() {
			found[s.pid] = Leftover{PID: s.pid, Start: s.start, Name: s.name, Why: why}
		}
	}
	boot := bootID()
	look := func(s stat) {
		for _, r := range records {
			if r.Boot != boot || boot == "" || r.ID != value {
				continue
			}
			for _, p := range append([]Started{r.Supervisor}, r.Copies...) {
				if s.pid == p.PID && s.start == p.Start && (own || worksFor(s.pid, value)) {
					add(s, "recorded")
				}
			}
			// The number of the session may be another's by now, so the
			// directory has to fit as well. A server's process may have a
			// session of its own and have written over its environment:
			// when the server is gone it is an orphan.
			session, orphan := s.session == r.Supervisor.PID, s.parent == 1 || all[s.parent].name == "systemd"
			if (session || orphan) && s.start >= r.Supervisor.Start && worksIn(s.pid, r.Dir) && (own || worksFor(s.pid, value)) {
				add(s, "in a recorded session, or left by one")
			}
		}
		if hasVariable(s.pid, variable, value) {
			add(s, "marked")
		}
	}
	seen := map[int]bool{}
	for pid, s := range all {
		seen[pid] = true
		look(s)
	}
	// A chain of processes that each start the next and end outruns a look at
	// all, not one at the few that have come since.
	for range chase {
		pids, err := newPIDs(seen)
		if err != nil {
			return nil, fmt.Errorf("look for processes of a replay: %w", err)
		}
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			if s, err := readStat(pid); err == nil {
				all[pid] = s
				look(s)
			}
		}
	}
	for pid := range found {
		for _, s := range below(pid, all) {
			add(s, "below "+all[pid].name)
		}
	}
	list := make([]Leftover, 0, len(found))
	for _, l := range found {
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b Leftover) int { return a.PID - b.PID })
	return list, nil
}

// chase is how often it is looked for processes that have come meanwhile.
const chase = 50

// newPIDs returns the processes that are not among seen, and adds them.
func newPIDs(seen map[int]bool) ([]int, error) {
	all, err := listPIDs()
	var pids []int
	for _, pid := range all {
		if !seen[pid] {
			seen[pid] = true
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// killMarked kills what findMarked finds, again and again until it finds
// nothing or the time is over.
func killMarked(variable, value string, wait time.Duration, own bool, records ...Record) ([]Leftover, error) {
	var killed []Leftover
	for end := time.Now().Add(wait); ; time.Sleep(killEvery) {
		found, err := findMarked(variable, value, own, records)
		if err != nil || len(found) == 0 {
			return killed, err
		}
		// Held first: between two looks one that is killed could leave a child
		// behind that nothing ties to it any more.
		for _, l := range found {
			_ = signalProcess(stat{pid: l.PID, start: l.Start}, unix.SIGSTOP)
		}
		if more, err := findMarked(variable, value, own, records); err == nil {
			for _, l := range more {
				if !slices.Contains(found, l) {
					found = append(found, l)
				}
			}
		}
		for _, l := range found {
			_ = signalProcess(stat{pid: l.PID, start: l.Start}, unix.SIGKILL)
			if !slices.ContainsFunc(killed, func(k Leftover) bool { return k.PID == l.PID && k.Start == l.Start }) {
				killed = append(killed, l)
			}
		}
		if time.Now().After(end) {
			var names []string
			for _, l := range found {
				names = append(names, l.String())
			}
			return killed, fmt.Errorf("these do not die: %s", strings.Join(names, ", "))
		}
	}
}

// worksFor reports whether the process's working directory is one that the
// replay made for itself, or below it: they are called .benchproof-WORD-ID.
func worksFor(pid int, id string) bool {
	at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(at, " (deleted)"), "/") {
		if strings.HasPrefix(name, ".benchproof-") && strings.HasSuffix(name, "-"+id) {
			return true
		}
	}
	return false
}

// worksIn reports whether the process's working directory is that directory or
// below it, or was before it was deleted.
func worksIn(pid int, dir string) bool {
	at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil || dir == "" || dir == "/" {
		return false
	}
	at = strings.TrimSuffix(at, " (deleted)")
	return at == dir || strings.HasPrefix(at, dir+"/")
}

// hasVariable reports whether the process was started with the variable.
func hasVariable(pid int, variable, value string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	want := []byte(variable + "=" + value)
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if bytes.Equal(v, want) {
			return true
		}
	}
	return false
}

package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/benchproof/benchproof/replay/internal/host"
	"github.com/benchproof/benchproof/replay/internal/process"
	"github.com/benchproof/benchproof/replay/profile"
)

// Files of a journal's directory.
const (
	journalFile = "journal.jsonl"
	planFile    = "plan.json"
	runsDir     = "runs"
)

// What an event of a journal is about.
const (
	evPlan        = "plan"        // the first: which plan is run
	evBlock       = "block"       // measuring begins in an environment
	evStart       = "start"       // a repetition begins
	evScratch     = "scratch"     // a scratch directory is about to be made
	evProcess     = "process"     // a program has been started
	evStep        = "step"        // a step has ended
	evDone        = "done"        // a repetition has ended and counts
	evFailed      = "failed"      // a run on a target is given up; without a repetition, with all it had in the block
	evComplete    = "complete"    // a run on a target has all its repetitions
	evInterrupted = "interrupted" // the replay was stopped
	evResumed     = "resumed"     // the replay goes on
	evEnd         = "end"         // all is done that can be
	evCleaned     = "cleaned"     // what a killed replay left is gone
	evLab         = "lab"         // a lab is about to be made, or is removed
)

// event is one line of a journal. Which fields it has depends on Event.
type event struct {
	Event string    `json:"event"`
	Time  time.Time `json:"time"`

	// plan
	ID      string `json:"id,omitempty"`     // of the replay
	Hash    string `json:"sha256,omitempty"` // of plan.json
	Version string `json:"version,omitempty"`

	// block
	Block       int                       `json:"block,omitempty"`
	Reason      string                    `json:"reason,omitempty"`
	Environment map[string]*host.Snapshot `json:"environment,omitempty"` // by target
	Facts       map[string]facts          `json:"facts,omitempty"`       // by target

	// of a repetition
	RunID   string  `json:"run_id,omitempty"`
	Target  string  `json:"target,omitempty"`
	Rep     int     `json:"repetition,omitempty"` // from 1
	Dir     string  `json:"dir,omitempty"`        // of its outputs, below the journal's
	Seconds float64 `json:"seconds,omitempty"`

	Scratch string          `json:"scratch,omitempty"`
	Lab     string          `json:"lab,omitempty"` // its directory
	Process *process.Record `json:"process,omitempty"`
	Step    string          `json:"step,omitempty"`
	Exit    string          `json:"exit,omitempty"`

	Values   []Value  `json:"values,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Value is one value of a repetition.
type Value struct {
	profile.Sample
	// Text is the value as the profile version publishes it, "" with the
	// reason where it publishes none.
	Text   string `json:"text"`
	Reason string `json:"reason,omitempty"`
}

// journal is an open journal. Every event is on the disk when write returns,
// but for those of programs that run: see add.
// It is safe for concurrent use.
type journal struct {
	dir  string
	mu   sync.Mutex
	file *os.File
	now  func() time.Time
	// fault is for tests: it is called before each write.
	fault func(event) error
}

// ErrJournalExists is returned where a directory holds a journal already.
var ErrJournalExists = errors.New("there is a journal already")

// ErrLocked is returned where another process runs a journal.
var ErrLocked = errors.New("another benchproof runs it")

// createJournal makes the directory of a journal with its plan. One that was
// killed before it said what is replayed is made anew.
func createJournal(dir string, plan *Plan) (*journal, error) {
	if err := removeUnbegun(dir); err != nil {
		return nil, err
	}
	_, statErr := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := OwnDir(dir); err != nil {
		return nil, err
	}
	if list, err := os.ReadDir(dir); err != nil {
		return nil, err
	} else if len(list) > 0 {
		return nil, fmt.Errorf("%s is not empty: a journal gets a directory of its own", dir)
	}
	var text bytes.Buffer
	if err := plan.WriteJSON(&text); err != nil {
		return nil, err
	}
	// The journal comes first: a plan alone is somebody's.
	file, err := os.OpenFile(filepath.Join(dir, journalFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	err = lockFile(file)
	if err == nil {
		err = writeSynced(filepath.Join(dir, planFile), text.Bytes())
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		// Nothing has begun, and nothing stays.
		_ = os.Remove(filepath.Join(dir, planFile))
		_ = os.Remove(file.Name())
		file.Close()
		if errors.Is(statErr, fs.ErrNotExist) {
			_ = os.Remove(dir)
		}
		return nil, err
	}
	return &journal{dir: dir, file: file, now: time.Now}, nil
}

// removeUnbegun removes a journal without an event, and the plan beside it. Its
// error is ErrJournalExists where the journal is begun, or another process is
// about to.
func removeUnbegun(dir string) error {
	name := filepath.Join(dir, journalFile)
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", dir, ErrJournalExists, err)
	}
	defer file.Close()
	if whole, err := wholeLines(file); err != nil || whole > 0 || lockFile(file) != nil {
		return fmt.Errorf("%s: %w", dir, ErrJournalExists)
	}
	if err := os.Remove(filepath.Join(dir, planFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(name)
}

// openOwnJournal is openJournal for what acts on what the journal names: it must
// be this user's.
func openOwnJournal(dir string) (*journal, error) {
	j, err := openJournal(dir)
	if err != nil {
		return nil, err
	}
	if err := ownJournal(dir, j.file); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// openJournal opens the journal of a directory to go on with it. A torn last
// line, as a crash leaves it, is cut off.
func openJournal(dir string) (*journal, error) {
	name := filepath.Join(dir, journalFile)
	// Before it is cut: through a link that would be another file.
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &ForeignError{name, "is a link: a journal is written to below its own directory alone"}
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, noJournal(dir, err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is no regular file", name))
	}
	if err := lockSoon(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	whole, err := wholeLines(file)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &journal{dir: dir, file: file, now: time.Now}, nil
}

// lockPatience is how long lockSoon waits.
const lockPatience = 2 * time.Second

// lockSoon locks a file, and waits a little where it is locked: of a process
// that was killed while it started another, that one holds the lock until it has
// become the other program.
func lockSoon(file *os.File) error {
	for end := time.Now().Add(lockPatience); ; time.Sleep(20 * time.Millisecond) {
		err := lockFile(file)
		if err == nil || !errors.Is(err, ErrLocked) || time.Now().After(end) {
			return err
		}
	}
}

// MissingError says that a directory does not hold what it was named for.
// errors.Is finds fs.ErrNotExist in it.
type MissingError struct {
	Dir  string
	What string // "journal of a replay"
}

// Error returns what the directory lacks.
func (e *MissingError) Error() string { return fmt.Sprintf("%s holds no %s", e.Dir, e.What) }

// Is reports whether target is fs.ErrNotExist.
func (e *MissingError) Is(target error) bool { return target == fs.ErrNotExist }

// ForeignError says that a journal, or a directory for one, is nothing to act on:
// it is another user's, everybody may write to it, or what is in it leads
// elsewhere.
type ForeignError struct {
	Path   string
	Reason string // "belongs to user 7, and this is user 0"
}

// Error returns the path and the reason.
func (e *ForeignError) Error() string { return e.Path + " " + e.Reason }

// noJournal says that a directory has no journal, where that is it.
func noJournal(dir string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{dir, "journal of a replay"}
	}
	return err
}

// wholeLines returns how many bytes of a file are lines that end.
func wholeLines(file *os.File) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	end := info.Size()
	buf := make([]byte, 4096)
	for at := end; at > 0; {
		n := min(int64(len(buf)), at)
		at -= n
		if _, err := file.ReadAt(buf[:n], at); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return at + int64(i) + 1, nil
		}
	}
	return 0, nil
}

// write adds an event and waits until the disk has it.
func (j *journal) write(e event) error {
	return j.add(e, true)
}

// add adds an event, and waits until the disk has it if it is to last. One that
// need not is lost at most with the machine's power, and what comes after it
// keeps it.
func (j *journal) add(e event, last bool) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Time = j.now().UTC()
	if j.fault != nil {
		if err := j.fault(e); err != nil {
			return err
		}
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if !last {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// maxEventLine is the longest line of a journal.
const maxEventLine = 16 << 20

// readJournal calls use for every event of a directory's journal, in order. A
// last line without its end is none; any other line that cannot be read is an
// error that names it.
func readJournal(dir string, use func(event)) error {
	name := filepath.Join(dir, journalFile)
	file, err := openRegular(name)
	if err != nil {
		return noJournal(dir, err)
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	for line := 1; ; line++ {
		text, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			var e event
			if err = json.Unmarshal(text, &e); err == nil {
				err = e.check()
			}
			if err == nil {
				use(e)
				continue
			}
		}
		return fmt.Errorf("%s:%d: %w", name, line, err)
	}
}

// readLine returns the next line that ends, and io.EOF behind the last.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxEventLine:
			return nil, fmt.Errorf("the line is over the limit of %s", ByteText(maxEventLine))
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return line, err
	}
}

// writeSynced writes a file and waits until the disk has it.
func writeSynced(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

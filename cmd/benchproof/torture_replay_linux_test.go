package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/benchproof/benchproof/internal/torture"
	"github.com/benchproof/benchproof/result"
)

// replayPatience is how long a replay of a moment may take on a busy machine.
const replayPatience = 3 * time.Minute

// replayPublished is what is replayed: by a driver of the program's own, so that
// no tool is needed, and so small that a repetition is some milliseconds.
const replayPublished = `{"schema":"benchproof/result/1","files":[{"title":"p","source":"p","format":"record","systems":[{"identifier":"A"}],"tests":[
{"title":"IOzone","version":"3.405","arguments":"Record Size: 4Kb - File Size: 512MB - Disk Test: Write Performance","scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"120"}]},
{"title":"IOzone","version":"3.405","arguments":"Record Size: 1MB - File Size: 512MB - Disk Test: Read Performance","scale":"MB/s","proportion":"HIB","measurements":[{"system_index":0,"value":"120"}]}]}]}`

// replayLab is a real replay of two targets on the disk, and its whole journal.
type replayLab struct {
	disk    string // d and o, the targets, and elsewhere, which must stay
	journal torture.Dir
	shape   map[string]int // raw values, by test and system
}

// makeReplayLab runs the replay, undisturbed.
func (w *tortureWorker) makeReplayLab() error {
	l := &replayLab{disk: w.Disk}
	if err := l.lay(); err != nil {
		return err
	}
	if err := os.WriteFile("in/published.json", []byte(replayPublished), 0o666); err != nil {
		return err
	}
	ran := w.spawned("replay", "run", "in/published.json", "--target", "d="+filepath.Join(w.Disk, "d"), "--target", "o="+filepath.Join(w.Disk, "o"),
		"--scale", "0.0005", "--runs", "2", "--journal", "in/replay", "--lock-dir", "tmp", "-q")
	if ran.code != exitOK {
		return fmt.Errorf("replay: code %d, %s", ran.code, ran.stderr)
	}
	var err error
	if l.journal, err = readDir("in/replay"); err != nil {
		return err
	}
	if l.shape, _, err = rawValues("in/replay/result.json"); err != nil {
		return err
	}
	w.replays = l
	return emptyDir("in")
}

// lay makes the disk what it was.
func (l *replayLab) lay() error {
	if err := emptyDir(l.disk); err != nil {
		return err
	}
	for _, name := range []string{"d/keep/file", "o/keep/file", "elsewhere/file", "elsewhere/" + ".benchproof-scratch.json"} {
		path := filepath.Join(l.disk, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte("keep"), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// rawValues returns how many raw values a result has, by test and system, and
// the values themselves.
func rawValues(path string) (shape map[string]int, values map[string]int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil {
		return nil, nil, err
	}
	shape, values = map[string]int{}, map[string]int{}
	for _, f := range files {
		for i := range f.Tests {
			for _, m := range f.Tests[i].Measurements {
				shape[f.Tests[i].Arguments+" "+f.Systems[m.System].Identifier] += len(m.RawValues)
				for _, v := range m.RawValues {
					values[v]++
				}
			}
		}
	}
	return shape, values, nil
}

// spawnedRun is a process that has ended.
type spawnedRun struct {
	code           int // -1 where it was killed, for its time was over
	stdout, stderr []byte
	cpu            float64
	peak           int // KiB
}

// spawned runs the command in a process of its own, which is what its drivers
// are begun from.
func (w *tortureWorker) spawned(args ...string) spawnedRun {
	ctx, cancel := context.WithTimeout(context.Background(), replayPatience)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(w.Dir, "bin", "benchproof"), args...)
	c.Args[0] = "benchproof"
	c.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if c.ProcessState == nil {
		return spawnedRun{code: -1, stderr: []byte(err.Error())}
	}
	ran := spawnedRun{code: c.ProcessState.ExitCode(), stdout: out.Bytes(), stderr: errs.Bytes(), peak: int(peakMiB(c.ProcessState) * 1024)}
	ran.cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if ctx.Err() != nil {
		ran.code = -1
	}
	return ran
}

// replayed wears a journal, goes on with it, and looks at what came of it.
func (w *tortureWorker) replayed(i uint64) (tortureLine, error) {
	l := w.replays
	if err := l.lay(); err != nil {
		return tortureLine{}, err
	}
	// A process that a forged journal names, and that must live on.
	bystander := exec.Command("/bin/sleep", "600")
	if err := bystander.Start(); err != nil {
		return tortureLine{}, err
	}
	defer func() {
		_ = bystander.Process.Kill()
		_ = bystander.Wait()
	}()
	worn := w.g.Wear(l.journal, i/dirEvery)
	size := 0
	for name, data := range worn.Dir {
		text := strings.ReplaceAll(string(data), torture.Elsewhere, filepath.Join(w.Disk, "elsewhere"))
		text = strings.ReplaceAll(text, torture.Process, strconv.Itoa(bystander.Process.Pid))
		worn.Dir[name] = []byte(text)
		size += len(text)
		path := filepath.Join("in", "replay", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return tortureLine{}, err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return tortureLine{}, err
		}
	}
	if err := l.around(&worn); err != nil {
		return tortureLine{}, err
	}
	before, err := snapshot(w.Disk, "out", filepath.Join("in", "replay"))
	if err != nil {
		return tortureLine{}, err
	}
	kind := "replay " + worn.Kind
	t := &tortureInput{kind: kind, size: size, path: filepath.Join("in", "replay"), dir: true, what: "replay"}
	s := tortureStep{name: "resume", form: "txt", codes: "0345", args: []string{"replay", "run", "--resume", "--journal", "in/replay", "--lock-dir", "tmp"}}
	first := w.spawned(s.args...)
	o := &tortureOutcome{w: w, t: t, s: &s, code: first.code, stdout: first.stdout, stderr: first.stderr}
	if first.code < 0 {
		o.fault("does not end: %.300s", first.stderr)
	} else {
		o.ending()
		o.messages()
		if err := o.whole(first.stdout); len(first.stdout) > 0 && err != nil {
			o.fault("stdout: %v", err)
		}
	}
	after, err := snapshot(w.Disk, "out", filepath.Join("in", "replay"))
	if err != nil {
		return tortureLine{}, err
	}
	o.untouched(&worn, before, after)
	if syscall.Kill(bystander.Process.Pid, 0) != nil {
		o.fault("ended a process that is not its own")
	}
	switch {
	case worn.Fate == torture.GoesOn && first.code != exitOK:
		o.fault("%s: code %d, and it can go on: %.300s", worn.How, first.code, first.stderr)
	case worn.Fate == torture.Refused && first.code != exitRefused:
		o.fault("%s: code %d, and it is to be refused: %.300s", worn.How, first.code, first.stderr)
	case worn.Fate == torture.Unread && first.code != exitUnread:
		o.fault("%s: code %d, and it is no journal: %.300s", worn.How, first.code, first.stderr)
	}
	runs := []tortureRun{{Command: "resume", Args: append(s.args, worn.How), Code: first.code, CPU: first.cpu, Peak: first.peak, Spawned: true}}
	if first.code == exitOK {
		w.recorded(o, &worn)
		runs = append(runs, w.twiceResumed(o, s.args))
	}
	runs[0].Faults = o.faults
	return tortureLine{Index: i, Kind: kind, Bytes: size, Runs: runs}, w.keepFaults(i, t, runs)
}

// around changes what is around a journal.
func (l *replayLab) around(worn *torture.Worn) error {
	o, elsewhere := filepath.Join(l.disk, "o"), filepath.Join(l.disk, "elsewhere")
	var id struct{ ID string }
	first, _, _ := bytes.Cut(worn.Dir["journal.jsonl"], []byte("\n"))
	_ = json.Unmarshal(first, &id) // of a sound line
	scratch := filepath.Join(l.disk, "d", ".benchproof-replay-"+id.ID)
	switch worn.Around {
	case "target-gone":
		return os.RemoveAll(o)
	case "target-link":
		return errors.Join(os.RemoveAll(o), os.Symlink(elsewhere, o))
	case "target-file":
		return errors.Join(os.RemoveAll(o), os.WriteFile(o, []byte("keep"), 0o666))
	case "target-anew":
		return errors.Join(os.RemoveAll(o), os.Mkdir(o, 0o777))
	case "foreign":
		if os.Geteuid() != 0 {
			worn.Fate = torture.GoesOn
			return nil
		}
		return os.Chown("in/replay/journal.jsonl", 65534, 65534)
	case "links":
		for name := range worn.Dir {
			if strings.HasPrefix(name, "runs/") {
				path := filepath.Join("in", "replay", filepath.FromSlash(name))
				return errors.Join(os.Remove(path), os.Symlink(filepath.Join(elsewhere, "file"), path))
			}
		}
		return errors.New("the replay has no outputs")
	case "left":
		journal, err := filepath.Abs("in/replay")
		if err != nil {
			return err
		}
		boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
		if err != nil {
			return err
		}
		marker, err := json.Marshal(map[string]any{
			"schema": "benchproof/scratch/1", "id": id.ID, "pid": 1, "boot": strings.TrimSpace(string(boot)), "started": time.Now().UTC(), "program": "benchproof", "journal": journal,
		})
		return errors.Join(err, os.MkdirAll(filepath.Join(scratch, "w", "deep"), 0o700), os.Chmod(scratch, 0o700),
			os.WriteFile(filepath.Join(scratch, ".benchproof-scratch.json"), marker, 0o600),
			os.WriteFile(filepath.Join(scratch, "w", "deep", "file"), []byte("x"), 0o600),
			os.Symlink(elsewhere, filepath.Join(scratch, "w", "link")), os.Symlink(elsewhere, filepath.Join(scratch, "w", "deep", "link")))
	case "unmarked":
		return errors.Join(os.Mkdir(scratch, 0o777), os.WriteFile(filepath.Join(scratch, "file"), []byte("keep"), 0o666))
	case "":
		return nil
	}
	return fmt.Errorf("around a replay nothing is %s", worn.Around)
}

// snapshot returns what is at and below some paths: what each is, and holds.
func snapshot(roots ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			all[path] = info.Mode().String()
			switch {
			case info.Mode().IsRegular():
				text, err := os.ReadFile(path)
				all[path] += " " + string(text)
				return err
			case info.Mode()&fs.ModeSymlink != 0:
				to, err := os.Readlink(path)
				all[path] += " " + to
				return err
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// untouched looks for what was changed that is not the journal's: on the disk
// nothing but the scratch directory may go. Where a replay is refused or its
// journal is none, that stays too.
func (o *tortureOutcome) untouched(worn *torture.Worn, before, after map[string]string) {
	journal := filepath.Join("in", "replay")
	own := func(path string) bool {
		if strings.HasPrefix(path, journal) {
			return o.code != exitUnread && o.code != exitRefused
		}
		return worn.Around == "left" && strings.Contains(path, ".benchproof-replay-") && o.code != exitRefused && o.code != exitUnread
	}
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, path := range slices.Sorted(maps.Keys(names)) {
		old, was := before[path]
		now, is := after[path]
		if old == now && was == is || own(path) {
			continue
		}
		o.fault("%s: changed %s: %.60q, now %.60q", worn.How, path, old, now)
		break
	}
	if o.code == exitOK || o.code == exitFailed {
		for path := range after {
			if strings.Contains(path, ".benchproof-replay-") && worn.Around != "unmarked" {
				o.fault("%s: left %s behind", worn.How, path)
				break
			}
		}
	}
}

// recorded compares the record of a replay that has ended with that of the one
// that nobody disturbed, and with its journal.
func (w *tortureWorker) recorded(o *tortureOutcome, worn *torture.Worn) {
	shape, values, err := rawValues("in/replay/result.json")
	if err != nil {
		o.fault("%s: no record: %v", worn.How, err)
		return
	}
	switch {
	case worn.Fate == torture.GoesOn && !maps.Equal(shape, w.replays.shape):
		o.fault("%s: the record has %v, undisturbed %v", worn.How, shape, w.replays.shape)
	case worn.Fate == torture.Any: // a later block is a system of its own
		have := 0
		for _, n := range shape {
			have += n
		}
		if want := len(w.replays.shape) * 2; have < want && !bytes.Contains(o.stderr, []byte("warning: ")) {
			o.fault("%s: %d of %d values and no word of it", worn.How, have, want)
		}
	}
	if worn.Fate != torture.GoesOn {
		return
	}
	// What the journal still had is in the record, as it stood there.
	seen := map[string]bool{}
	for line := range bytes.Lines(worn.Dir["journal.jsonl"]) {
		var e struct {
			Event, RunID string
			Repetition   int
			Values       []struct{ Text string }
		}
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(bytes.ReplaceAll(line, []byte("run_id"), []byte("RunID")), &e) != nil || e.Event != "done" {
			continue
		}
		key := fmt.Sprint(e.RunID, " ", e.Repetition)
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, v := range e.Values {
			if v.Text == "" {
				continue
			}
			if values[v.Text]--; values[v.Text] < 0 {
				o.fault("%s: the value %q of the journal is not in the record", worn.How, v.Text)
			}
		}
	}
}

// twiceResumed goes on once more, where there is nothing to do.
func (w *tortureWorker) twiceResumed(o *tortureOutcome, args []string) tortureRun {
	record, err := os.ReadFile("in/replay/result.json")
	if err != nil {
		o.fault("%v", err)
	}
	starts := func() int {
		text, err := os.ReadFile("in/replay/journal.jsonl")
		if err != nil {
			o.fault("%v", err)
		}
		return bytes.Count(text, []byte(`{"event":"start"`))
	}
	begun := starts()
	again := w.spawned(args...)
	now, err := os.ReadFile("in/replay/result.json")
	switch {
	case again.code != exitOK:
		o.fault("once more: code %d: %.300s", again.code, again.stderr)
	case starts() != begun:
		o.fault("once more: a repetition was begun, and all were done")
	case err != nil || !sameRecord(record, now):
		o.fault("once more: the record is another: %v", err)
	}
	var status struct {
		State       string
		Done, Total int
	}
	said := w.spawned("replay", "status", "in/replay", "--json")
	if said.code != exitOK || json.Unmarshal(said.stdout, &status) != nil || status.State != "ended" || status.Done != status.Total {
		o.fault("status: code %d, %+v", said.code, status)
	}
	return tortureRun{Command: "resume", Args: args, Code: again.code, CPU: again.cpu, Peak: again.peak, Spawned: true}
}

// sameRecord compares two records but for the time of the last change.
func sameRecord(a, b []byte) bool {
	cut := func(text []byte) string {
		var lines []string
		for l := range strings.Lines(string(text)) {
			if !strings.Contains(l, `"last_modified"`) {
				lines = append(lines, l)
			}
		}
		return strings.Join(lines, "")
	}
	return cut(a) == cut(b)
}

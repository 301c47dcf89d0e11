package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// resultFile is the result of an element, in its journal's directory.
const resultFile = "result.json"

// Missing is an element of which there is no result.
type Missing struct {
	Element int
	Host    string
	Targets []string
	// Failed says that it ended without any result, and will not have one.
	Failed bool
	Reason string
}

// Gathered is what the elements of a job have given.
type Gathered struct {
	Job *Job
	// Files are the elements' results, in their order. Systems are called by
	// their host, of a job of several targets by host and target, and have
	// both in their notes: those of several hosts are never one, and each
	// keeps its own repetitions.
	Files   []*result.File
	Missing []Missing
	// Incomplete counts runs that were given up on some host.
	Incomplete int
}

// Gather checks every file of every element that is done against its manifest,
// and reads the results. Elements that are not done are Missing. The error is a
// [*DamageError] for a file that is not what its element wrote.
func Gather(dir string) (*Gathered, error) {
	j, p, err := ReadJob(dir)
	if err != nil {
		return nil, err
	}
	g := &Gathered{Job: j}
	for i, e := range j.Elements {
		m, err := j.readManifest(dir, i)
		if errors.Is(err, fs.ErrNotExist) {
			g.Missing = append(g.Missing, j.missing(dir, i))
			continue
		}
		if err == nil {
			err = m.check(dir)
		}
		if err != nil {
			return nil, err
		}
		f, err := readResult(filepath.Join(ElementDir(dir, i), resultFile))
		if err != nil {
			return nil, err
		}
		g.Incomplete += m.Failed
		e.name(f, len(p.Targets) > 1)
		for _, n := range m.Notes {
			f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Severity: result.SeverityWarning, Code: "cluster-host", Message: n})
		}
		for k := range f.Diagnostics {
			f.Diagnostics[k].Message = e.Host + ": " + f.Diagnostics[k].Message
		}
		g.Files = append(g.Files, f)
	}
	return g, nil
}

// missing says why an element has no result.
func (j *Job) missing(dir string, i int) Missing {
	m := Missing{Element: i, Host: j.Elements[i].Host, Targets: j.Elements[i].Targets, Reason: "it has not begun"}
	last, err := readGo(dir, i)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m
	case err != nil:
		m.Reason = "how far it came cannot be read: " + err.Error()
		return m
	}
	switch last.State {
	case failed:
		m.Failed, m.Reason = true, last.Reason
	case stopped:
		m.Reason = "it was stopped: " + last.Reason
	default:
		m.Reason = "it has begun and not ended"
	}
	return m
}

// name calls the systems of an element's result by its host.
func (e Element) name(f *result.File, several bool) {
	for i := range f.Systems {
		s := &f.Systems[i]
		label := s.Identifier
		// Behind the label a later block has its number.
		s.Identifier = e.Host + strings.TrimPrefix(label, e.Targets[0])
		if several {
			s.Identifier = e.Host + ": " + label
		}
		s.Notes = append(s.Notes, result.Component{Key: result.HostNote, Value: e.Host}, result.Component{Key: result.ConfigurationNote, Value: label})
	}
	result.SetGroups(f.Systems)
}

func readResult(name string) (*result.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	files, err := result.DecodeJSON(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("%s holds %s, expected 1", name, phrase.Count(len(files), "result file"))
	}
	return files[0], nil
}

package replay

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/replay/profile"
)

// withLog adds the last line that a program printed, where it says why.
func withLog(failure string, o *output) string {
	for _, name := range []string{o.stderr, o.stdout} {
		if line := lastLine(name); line != "" {
			return failure + ": " + line
		}
	}
	return failure
}

// lastLine returns the last line of a file that is not empty, cut.
func lastLine(name string) string {
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	const most = 2048
	tail, _ := io.ReadAll(io.NewSectionReader(file, max(info.Size()-most, 0), most))
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(tail), "?")), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if r := []rune(line); len(r) > 200 {
		line = string(r[:200]) + "…"
	}
	return line
}

// load reads the outputs and the files that are to be kept with them.
func (w *worker) load(list []*output) (*profile.Outputs, error) {
	out := &profile.Outputs{}
	for _, o := range list {
		var err error
		if o.Stdout, err = readOutput(o.stdout); err != nil {
			return nil, err
		}
		if o.Stderr, err = readOutput(o.stderr); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(w.job.Steps, func(s profile.Step) bool { return s.Name == o.Name })
		for _, name := range w.job.Steps[i].Collect {
			if err := w.collect(o, name); err != nil {
				return nil, err
			}
		}
		out.Steps = append(out.Steps, o.Output)
	}
	return out, nil
}

func readOutput(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// maxCollect is the longest file that is kept with the output.
const maxCollect = 64 << 20

// collect keeps a file below the scratch directory with the output. One that is
// not there is left to the parser to miss.
func (w *worker) collect(o *output, name string) error {
	path, err := below(name)
	if err != nil {
		return failStep("%s: %v", o.Name, err)
	}
	file, err := w.site.scratch.Root().Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return failStep("%s: %v", o.Name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxCollect {
		return failStep("%s: %s is no file that can be kept", o.Name, name)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxCollect))
	if err != nil {
		return failStep("%s: %v", o.Name, err)
	}
	if o.Files == nil {
		o.Files = make(map[string][]byte)
	}
	o.Files[name] = text
	return writeSynced(strings.TrimSuffix(o.stdout, ".out")+"-"+fileName(name), text)
}

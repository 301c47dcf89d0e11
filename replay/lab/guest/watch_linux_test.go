package guest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
)

// A program that does what a guest does, or does not, by a shell's script.
// Times are long where the guest is to do something, short where it is not.
func TestWatch(t *testing.T) {
	const long = time.Minute
	tests := []struct {
		name, script string
		stop         bool // the host asks it to end
		patience     patience
		want         string // why it should be ended, or the error of its end
		said         []string
	}{
		{
			name:   "ends its work",
			script: `echo 1 >alive; echo '{"n":1}' >>progress.jsonl; echo '{"n":2}' >>progress.jsonl; echo '{"result":7}' >end.json`,
			said:   []string{`{"n":1}`, `{"n":2}`}, patience: patience{long, long, long, long},
		},
		{
			name: "dies", script: `echo 1 >alive; echo oops >log; exit 3`, patience: patience{long, long, long, long},
			want: "it ended before its work did (qemu-system-x86_64: exit code 3): oops",
		},
		{
			name: "never up", script: `exec sleep 100`, patience: patience{time.Millisecond, long, long, long},
			want: "it was not up after 1ms",
		},
		{
			name: "falls silent", script: `echo 1 >alive; exec sleep 100`, patience: patience{long, time.Millisecond, long, long},
			want: "it showed no sign of life for 1ms",
		},
		{
			name: "does not listen", script: `echo 1 >alive; exec sleep 100`, stop: true, patience: patience{long, long, time.Millisecond, long},
			want: "it was told to end",
		},
		{
			name: "listens", script: `echo 1 >alive; until [ -e stop ]; do sleep 0.1; done; echo '{"result":1}' >end.json`, stop: true,
			patience: patience{long, long, long, long},
		},
		{
			name: "does not go off", script: `echo 1 >alive; echo '{"result":1,"error":"odd"}' >end.json; exec sleep 100`,
			patience: patience{long, long, long, time.Millisecond}, want: "odd",
		},
		{
			name: "leaves half an end", script: `echo 1 >alive; printf '{"result":' >end.json`, patience: patience{long, long, long, long},
			want: "what it says of its end cannot be read: unexpected end of JSON input",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, err := process.Start(t.Context(), process.Command{ID: "watchtest", Argv: []string{"/bin/sh", "-c", test.script}, Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			w := &watcher{patience: test.patience, talk: dir, tell: func(line []byte) { said = append(said, strings.TrimSpace(string(line))) }, began: time.Now()}
			if test.stop {
				for { // it is up
					if _, err := os.Stat(filepath.Join(dir, aliveFile)); err == nil {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
				cancel()
			}
			why := w.watch(ctx, p)
			res, err := p.Stop(0, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.said()
			end, err := readEnd(dir, filepath.Join(dir, "log"), filepath.Join(dir, "out"), why, res)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimPrefix(end.Died, "the guest died: ") + end.Failed
			if got != test.want {
				t.Errorf("it ended: %q, want %q", got, test.want)
			}
			if (end.Died == "") != (len(end.Result) > 0) {
				t.Errorf("died %q with result %s", end.Died, end.Result)
			}
			if !slices.Equal(said, test.said) {
				t.Errorf("said %q, want %q", said, test.said)
			}
			if err := forget(dir); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{aliveFile, stopFile, endFile, progressFile} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					t.Errorf("%s stays", name)
				}
			}
		})
	}
}

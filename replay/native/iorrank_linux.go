package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// rankName is the name by which Main knows a rank of ior. A rank reads what to
// do from stdin, a line each, and answers each with a line on stdout: times
// and bytes, or an error. It ends with its stdin, so that no rank outlives the
// parent.
const rankName = "ior-rank"

// What a rank can be told.
const (
	rankWrite = "write"
	rankRead  = "read"
)

// rankTimes are when a rank opened, had opened, had transferred and had
// closed, by the monotonic clock, and the bytes transferred.
type rankTimes struct {
	at    [4]time.Duration
	bytes int64
}

// rank is a child process.
type rank struct {
	index int
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

// startRank starts a rank and waits until it is ready.
func startRank(ctx context.Context, self string, index int, block int64) (*rank, error) {
	r := &rank{index: index, cmd: exec.CommandContext(ctx, self, rankArgs(index, block)...)}
	in, err := r.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.in, r.out = in, bufio.NewReader(out)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := r.out.ReadString('\n')
	if err == nil && line != "ready\n" {
		err = fmt.Errorf("it says %q", line)
	}
	if err != nil {
		r.end()
		return nil, fmt.Errorf("rank %d does not start: %w", index, err)
	}
	return r, nil
}

// tell has the rank do something.
func (r *rank) tell(what string) error {
	if _, err := io.WriteString(r.in, what+"\n"); err != nil {
		return fmt.Errorf("rank %d is gone: %w", r.index, err)
	}
	return nil
}

// answer waits until the rank has done what it was told.
func (r *rank) answer() (rankTimes, error) {
	line, err := r.out.ReadString('\n')
	if err != nil {
		return rankTimes{}, fmt.Errorf("rank %d is gone: %w", r.index, err)
	}
	if text, ok := strings.CutPrefix(line, "error "); ok {
		return rankTimes{}, fmt.Errorf("rank %d: %s", r.index, strings.TrimSpace(text))
	}
	var t rankTimes
	if _, err := fmt.Sscan(line, &t.at[0], &t.at[1], &t.at[2], &t.at[3], &t.bytes); err != nil {
		return rankTimes{}, fmt.Errorf("rank %d says %q: %w", r.index, line, err)
	}
	return t, nil
}

// end ends the rank and waits for it.
func (r *rank) end() {
	_ = r.in.Close()
	gone := time.AfterFunc(time.Second, func() { _ = r.cmd.Process.Kill() })
	defer gone.Stop()
	_ = r.cmd.Wait() // how it ends says nothing that its answers did not
}

// rankMain is the process of a rank.
func rankMain(args []string, stdout, stderr io.Writer) int {
	if err := serveRank(args, os.NewFile(0, "stdin"), stdout); err != nil {
		fmt.Fprintf(stderr, "benchproof: error: native %s: %s\n", rankName, err)
		return exitFailed
	}
	return exitOK
}

// serveRank does what the lines of in say until they end.
func serveRank(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("want the rank's number and its bytes")
	}
	index, err := strconv.Atoi(args[0])
	if err != nil || index < 0 {
		return fmt.Errorf("rank %q", args[0])
	}
	block, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil || block <= 0 || block%iorTransfer != 0 {
		return fmt.Errorf("block %q", args[1])
	}
	buf, err := aligned(iorTransfer)
	if err != nil {
		return err
	}
	for i := range buf {
		buf[i] = byte(index + i)
	}
	if _, err := io.WriteString(out, "ready\n"); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		what := lines.Text()
		if what != rankWrite && what != rankRead {
			return fmt.Errorf("told %q", what)
		}
		t, err := transferBlock(what, index, buf, block)
		if err != nil {
			_, err = fmt.Fprintf(out, "error %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			_, err = fmt.Fprintf(out, "%d %d %d %d %d\n", t.at[0], t.at[1], t.at[2], t.at[3], t.bytes)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchproof/benchproof/replay/internal/target"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case fakeArg:
			os.Exit(fakeTool(os.Args[2], os.Args[3:]))
		case runnerArg:
			os.Exit(fakeRunner(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// fakeTool is the program of the fake profile. Its working directory is
// {scratch}/data for the measured step.
func fakeTool(mode string, args []string) int {
	switch mode {
	case "prepare":
		if err := os.WriteFile(filepath.Join(args[0], "prepared"), []byte("yes\n"), 0o644); err != nil {
			return 3
		}
		return 0
	case "serve", "load":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
		name := mode
		if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
			return 3
		}
		<-stop
		return 0
	case "deaf": // a server that does not hear that it is to end
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
		if err := os.WriteFile("serve", nil, 0o644); err != nil {
			return 3
		}
		time.Sleep(time.Hour)
		return 0
	case "ready":
		if _, err := os.Stat("serve"); err != nil {
			return 1
		}
		return 0
	}
	if len(args) > 1 && args[1] != "" {
		if d, err := time.ParseDuration(args[1]); err == nil {
			time.Sleep(d)
		}
	}
	size := args[0]
	values := fmt.Sprintf("rate %s.50\ncount %s\nheld yes\n", size, size)
	switch mode {
	case "ok", "server", "deafserver", "last":
		if _, err := os.Stat("../prepared"); err != nil && mode == "ok" {
			return 4
		}
		fmt.Print(values)
	case "noisy":
		// 100, 90, 110 and over again.
		past, _ := os.ReadFile("../count") // not there at first
		fmt.Printf("rate %d\nheld yes\n", []int{100, 90, 110}[len(past)%3])
		if err := os.WriteFile("../count", append(past, 'x'), 0o644); err != nil {
			return 3
		}
	case "files":
		if err := os.WriteFile("out.txt", []byte(values), 0o644); err != nil {
			return 3
		}
	case "hang":
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		time.Sleep(time.Hour)
	case "wipe":
		// A child that nothing in its environment tells of.
		child := exec.Command(os.Args[0], fakeArg, "hang", size, "")
		child.Env = []string{}
		if err := child.Start(); err != nil {
			return 3
		}
		if err := os.WriteFile("child", []byte(strconv.Itoa(child.Process.Pid)), 0o644); err != nil {
			return 3
		}
		time.Sleep(time.Hour)
	case "fork":
		// A child that outlives its parent, in a session of its own.
		child := exec.Command(os.Args[0], fakeArg, "hang", size, "")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			return 3
		}
		fmt.Print(values)
	case "flood":
		line := strings.Repeat("x", 1<<20)
		for range 1 << 12 {
			fmt.Println(line)
		}
	case "garbage":
		fmt.Print("\x00\xff\x1b[2J rate not-a-number\n")
	case "exit":
		fmt.Print(values)
		fmt.Fprintln(os.Stderr, "fake: device on fire")
		return 7
	case "invariant":
		fmt.Print(strings.Replace(values, "held yes", "held no", 1))
	case "unmark":
		// The directory of the replay is not known as such any more.
		if err := os.Remove(filepath.Join("..", "..", target.MarkerName)); err != nil {
			return 3
		}
		fmt.Print(values)
	case "lose", "losethenfail":
		if _, err := os.Stat("../lost"); err == nil {
			return 7
		}
		if mode == "losethenfail" {
			if err := os.WriteFile("../lost", nil, 0o644); err != nil {
				return 3
			}
		}
		// Written to the page cache, and from there to the disk or not.
		file, err := os.Create("big")
		if err == nil {
			_, err = file.Write(make([]byte, 8<<20))
		}
		if err != nil {
			return 3
		}
		_ = file.Sync() // the tool does not look
		fmt.Print(values)
	case "detach":
		dir, err := os.Getwd() // three below the target
		if err == nil {
			err = syscall.Unmount(filepath.Join(dir, "..", "..", ".."), syscall.MNT_DETACH)
		}
		if err != nil {
			return 3
		}
		fmt.Print(values)
	case "fill":
		file, err := os.Create("big")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 3
		}
		block := make([]byte, 1<<20)
		for range 1 << 14 {
			if _, err := file.Write(block); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
	}
	return 0
}

// fakeRunner runs or goes on with a replay of the fake profile: the journal's
// directory, then targets, then rows after "--", then "-pause" of the tool.
func fakeRunner(args []string) int {
	journal, pause := args[0], args[1]
	var targets []TargetSpec
	for i, dir := range args[2:] {
		targets = append(targets, TargetSpec{Label: string(rune('a' + i)), Dir: dir})
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_, err := runFake(ctx, journal, pause, targets)
	switch {
	case errors.Is(err, context.Canceled):
		return 130
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	return 0
}

// modeVariable names the mode of the one row that fakeRunner replays in place of
// killRows.
const modeVariable = "FAKE_MODE"

// killRows are what fakeRunner replays.
var killRows = []Row{
	fakeRow("Mode: ok - Size: 4", "MB/s"),
	fakeRow("Mode: ok - Size: 4", "Files/s"),
	fakeRow("Mode: server - Size: 5", "MB/s"),
	fakeRow("Mode: files - Size: 6", "Files/s"),
}

// runFake runs the replay of killRows, or goes on with it where there is a
// journal.
func runFake(ctx context.Context, journal, pause string, specs []TargetSpec) (Outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return Outcome{}, err
	}
	targets, err := InspectTargets(specs)
	if err != nil {
		return Outcome{}, err
	}
	o := fakeOptions(targets...)
	o.Request.Set = map[string]string{"pause": pause}
	run := RunOptions{Journal: journal, Self: self, Version: "test", LockDir: filepath.Dir(journal)}
	if _, err := os.Stat(filepath.Join(journal, journalFile)); err == nil {
		plan, err := JournalPlan(journal)
		if err == nil {
			plan, err = plan.Again(o)
			if err != nil {
				return Outcome{}, err
			}
			return Resume(ctx, plan, run)
		}
		// Killed before the journal said what is replayed: begun anew.
	}
	rows := killRows
	if mode := os.Getenv(modeVariable); mode != "" {
		rows = []Row{fakeRow("Mode: "+mode+" - Size: 4", "MB/s")}
	}
	plan, err := NewPlan(rows, o)
	if err != nil {
		return Outcome{}, err
	}
	return Run(ctx, plan, run)
}

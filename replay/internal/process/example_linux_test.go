package process_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/benchproof/benchproof/replay/internal/process"
)

// A tool is run in its directory, and what it left running is ended.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out")
	res, err := process.Run(context.Background(), process.Command{
		ID:      "20260101-example",
		Argv:    []string{"sh", "-c", "echo $HOME | wc -l; sleep 1000 & until grep -q sleep /proc/$!/comm; do :; done"},
		Dir:     dir,
		Stdout:  out,
		Timeout: time.Minute,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(out)
	fmt.Printf("%s%v\n", text, err)
	fmt.Println(res.Code, res.Failure())
	// Output:
	// 1
	// <nil>
	// 0 left processes running: sleep
}

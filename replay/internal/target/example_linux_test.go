package target_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/benchproof/benchproof/replay/internal/target"
)

// A replay works below a scratch directory of its own and leaves nothing.
func ExampleTarget_NewScratch() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	t, err := target.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer t.Close()
	s, err := t.NewScratch(target.Marker{ID: "20260101-example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(filepath.Base(s.Dir()))
	if err := s.Mkdir("fio/job"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(s.Check(), s.Remove())
	names, err := os.ReadDir(dir)
	fmt.Println(len(names), err)
	// Output:
	// .benchproof-replay-20260101-example
	// <nil> <nil>
	// 0 <nil>
}

// What is no directory is refused, and nobody can insist.
func ExampleOpen() {
	_, err := target.Open("/dev/null")
	fmt.Println(err)
	// Output:
	// target "/dev/null" is a character device
}

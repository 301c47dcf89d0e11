package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// together runs f n times at once and returns the errors.
func together(n int, f func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// TestWritersAtOnce: of many that write one file without leave to replace it,
// one does; the others are told, and leave nothing.
func TestWritersAtOnce(t *testing.T) {
	const writers = 8
	for range 12 {
		d := t.TempDir()
		path := filepath.Join(d, "out")
		texts := make([]string, writers)
		errs := together(writers, func(i int) error {
			texts[i] = strings.Repeat(fmt.Sprint(i), 100_000)
			return write(t, path, false, texts[i])
		})
		won := -1
		for i, err := range errs {
			switch {
			case err == nil && won >= 0:
				t.Fatalf("writers %d and %d both wrote it", won, i)
			case err == nil:
				won = i
			case !errors.Is(err, ErrExists) || err.Error() != path+": it exists already":
				t.Errorf("writer %d: %v", i, err)
			}
		}
		if won < 0 {
			t.Fatal("nobody wrote it")
		}
		if read(t, path) != texts[won] || len(dir(t, d)) != 1 {
			t.Errorf("the file is not that of %d; directory %v", won, dir(t, d))
		}
	}
}

// TestLinkNew: where a system cannot rename without replacing, a second name
// does it.
func TestLinkNew(t *testing.T) {
	d := t.TempDir()
	from, to := filepath.Join(d, "from"), filepath.Join(d, "to")
	for i, want := range []string{"first", "second"} {
		if err := os.WriteFile(from, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		err := linkNew(from, to)
		if i == 0 && err != nil {
			t.Fatal(err)
		}
		if i == 1 && !errors.Is(err, os.ErrExist) {
			t.Errorf("onto a file: %v", err)
		}
		if got := read(t, to); got != "first" {
			t.Errorf("it holds %q", got)
		}
	}
	if got := dir(t, d); len(got) != 2 {
		t.Errorf("%v, want the one that was refused, and the other", got)
	}
}

// TestDirectoriesAtOnce: many that replace one directory all do, and at no moment is
// there anything but a whole one.
func TestDirectoriesAtOnce(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, "out")
	const parts = 5
	fill := func(i int, replace bool) error {
		d, err := CreateDir(path, replace, func(string) bool { return true })
		if err != nil {
			return err
		}
		for k := range parts {
			if err := os.WriteFile(filepath.Join(d.Path(), fmt.Sprint(k)), []byte(fmt.Sprint(i)), 0o644); err != nil {
				return err
			}
		}
		return d.Commit()
	}
	whole := func() error {
		entries, err := os.ReadDir(path)
		if err != nil || len(entries) != parts {
			return fmt.Errorf("it holds %d files: %w", len(entries), err)
		}
		return nil
	}
	won := 0
	for i, err := range together(6, func(i int) error { return fill(i, false) }) {
		if err == nil {
			won++
		} else if !errors.Is(err, ErrExists) {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if won != 1 {
		t.Fatalf("%d wrote the directory, want one", won)
	}
	for i, err := range together(6, func(i int) error {
		for range 12 {
			if err := fill(i, true); err != nil {
				return err
			}
			if runtime.GOOS != "linux" {
				continue // it has no way to exchange two directories
			}
			// There is one at any moment.
			if _, err := os.Stat(path); err != nil {
				return err
			}
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if err := whole(); err != nil {
		t.Error(err)
	}
	text := ""
	for k := range parts {
		text += read(t, filepath.Join(path, fmt.Sprint(k)))
	}
	if text != strings.Repeat(text[:1], parts) {
		t.Errorf("the directory is a mixture: %s", text)
	}
	if got := dir(t, top); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

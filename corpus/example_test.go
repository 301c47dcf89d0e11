package corpus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/benchproof/benchproof/corpus"
	"github.com/benchproof/benchproof/result"
)

func Example() {
	dir, err := os.MkdirTemp("", "corpus-example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	set := filepath.Join(dir, "set")
	report, err := corpus.Add(context.Background(), set, corpus.Walk("../samples/optane-900p-raid.txt"), corpus.AddOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Files, "file came in")
	c, err := corpus.Open(set)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = c.Each(func(_ string, f *result.File) error {
		fmt.Println(f.Source, "has", len(f.Systems), "systems")
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 file came in
	// optane-900p-raid.txt has 15 systems
}

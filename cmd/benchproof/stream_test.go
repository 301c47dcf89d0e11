package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is written while a large file is read is what is written of the same
// file read whole, as it is from stdin, filters included.
func TestStreamedIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "composite.xml")
	largeFile(t, path, 400, 12)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Systems that entries name, one of a name twice, a failure.
	raw = bytes.Replace(raw, []byte("<Identifier>System 3</Identifier>\n        <Value>"), []byte("<Identifier>Stranger</Identifier>\n        <Value>"), 1)
	raw = bytes.Replace(raw, []byte("<Identifier>System 5</Identifier>\n        <Value>"), []byte("<Identifier>System 4</Identifier>\n        <Value>"), 1)
	raw = bytes.Replace(raw, []byte("<Value>1017.1</Value>"), []byte("<Value></Value>"), 1)
	if len(raw) < 1<<20 {
		t.Fatalf("only %d bytes", len(raw))
	}
	if err := os.WriteFile(path, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	convert := func(stdin io.Reader, args ...string) string {
		var out, messages bytes.Buffer
		e := &env{stdin: stdin, stdout: &out, stderr: &messages, getenv: func(string) string { return "" }}
		if code := run(context.Background(), e, append([]string{"convert"}, args...)); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, messages.String())
		}
		return out.String()
	}
	for _, flags := range []string{
		"", "--format=ndjson", "--format=json --table=results", "--format=parquet", "--format=sqlite",
		"--test=4KB", "--system=System.[34]|Stranger", "--format=ndjson --test=KB --system=Stranger", "--format=sqlite --system=Stranger",
	} {
		args := strings.Fields(flags)
		parts := convert(strings.NewReader(""), append(args, path)...)
		whole := convert(bytes.NewReader(raw), append(args, "composite.xml=-")...)
		if parts != whole {
			t.Errorf("%s: %d bytes in parts, %d whole", flags, len(parts), len(whole))
		}
		if whole == "" {
			t.Errorf("%s: nothing", flags)
		}
	}
}

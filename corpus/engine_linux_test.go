package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeEngine writes an engine that is a shell script, and returns a corpus to
// ask with it. The script has its request in $request.
func fakeEngine(t *testing.T, script string) (*Corpus, QueryOptions) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nrequest=$(cat)\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := &Corpus{dir: t.TempDir(), manifest: &Manifest{Parts: []Part{{}}}}
	for _, table := range Tables() { // which the engine does not read
		file := c.Files(table)[0]
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return c, QueryOptions{Engine: path}
}

// TestEngineEnds: whatever becomes of the engine, it is asked to end, nothing
// of it is left, and the error is that of who ended the question.
func TestEngineEnds(t *testing.T) {
	const columns = `echo '{"columns":[{"name":"n","type":"T"}],"engine":"fake"}'`
	const spill = `temp=$(printf '%s' "$request" | sed 's/.*"temp":"\([^"]*\)".*/\1/'); mkdir "$temp/spilt"; `
	errStop := errors.New("no more")
	tests := []struct {
		name, script string
		interrupt    bool  // the caller's context
		row          error // of the caller
		want         error
		text         string
	}{
		{"interrupted, ends by itself", spill + `trap 'echo "{\"error\":\"stopped\",\"kind\":\"sql\"}"; exit 1' INT; ` + columns + `; while :; do sleep 0.05; done`, true, nil, context.Canceled, ""},
		{"interrupted, heeds nothing", spill + `trap '' INT; ` + columns + `; while :; do sleep 0.05; done`, true, nil, context.Canceled, ""},
		{"caller has enough", spill + columns + `; while :; do echo '["1"]'; done`, false, errStop, errStop, ""},
		{"engine interrupted alone", spill + columns + `; echo '{"error":"x","kind":"interrupted"}'; exit 1`, false, nil, context.Canceled, ""},
		{"engine killed", spill + columns + `; kill -9 $$`, false, nil, errCut, "signal: killed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			c, o := fakeEngine(t, tt.script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			begun := time.Now()
			_, err := c.Query(ctx, "SELECT 1", nil, o, func(*Answer) error {
				if list, err := filepath.Glob(filepath.Join(temp, "*", "spilt")); err != nil || len(list) != 1 {
					t.Errorf("the engine was given no directory: %v, %v", list, err)
				}
				if tt.interrupt {
					cancel()
				}
				return nil
			}, func([]json.RawMessage) error { return tt.row })
			switch {
			case tt.text != "":
				if err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("%v, want %s", err, tt.text)
				}
			case !errors.Is(err, tt.want):
				t.Errorf("%v, want %v", err, tt.want)
			}
			if took := time.Since(begun); took > 20*engineGrace {
				t.Errorf("it took %v", took)
			}
			if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
				t.Errorf("left behind: %v, %v", list, err)
			}
		})
	}
	t.Run("no place", func(t *testing.T) {
		t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "gone"))
		c, o := fakeEngine(t, "exit 1")
		_, err := c.Query(t.Context(), "SELECT 1", nil, o, nil, nil)
		if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("%v", err)
		}
	})
}

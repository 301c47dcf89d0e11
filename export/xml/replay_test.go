package xml_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/export/xml"
	"github.com/benchproof/benchproof/result"
)

// TestReplaySchema: the outcome of a replay is written so that PTS loads it,
// with its failures, its hostile names and its repetitions.
func TestReplaySchema(t *testing.T) {
	replay := &result.Replay{Driver: "fio 3.33", Fidelity: result.NativeOtherVersion, Scaling: "size 1g -> 64m"}
	f := &result.File{
		Title: "Replay of dump.txt", Description: "1 of 2 published rows", Source: "replay-x", Identifier: "replay-x",
		Generator: "benchproof 1.0", Format: result.FormatRecord, LastModified: "2026-11-30 14:00:00",
		Systems: []result.System{
			{Identifier: "ssd", Hardware: []result.Component{{Key: "Processor", Value: "AMD <X> & Y"}}, Software: []result.Component{{Key: "File-System", Value: "ext4"}}, Timestamp: "2026-11-30 13:00:00"},
			{Identifier: "ssd (block 2)"},
		},
		Tests: []result.Test{{
			Title: "Flexible IO Tester", Version: "3.1", Profile: "pts/fio-1.11.5", Scale: "MB/s", Proportion: result.HIB,
			Arguments: "Type: Random Read; rm -rf $(id) </Value>",
			Measurements: []result.Measurement{
				{System: 0, Value: "116.50", RawValues: []string{"116", "117.0"}, RunTimes: []string{"31.2", "31.4"}, Samples: 2, StdError: "0.5", StdErrorDerived: true, Replay: replay, Notes: []string{"not comparable: scaled"}},
				{System: 1, Status: result.StatusFailed, Reason: "fio: exit code 1: \x1b[2J", Replay: replay},
			},
		}},
		Diagnostics: []result.Diagnostic{{Severity: result.SeverityWarning, Code: "replay-warning", Message: "others used the disk meanwhile"}},
	}
	var b bytes.Buffer
	w := xml.New(&b)
	if err := w.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := checkSchema(b.String()); err != nil {
		t.Errorf("%v\n%s", err, b.String())
	}
	if !strings.Contains(b.String(), "<RawString>116:117.0</RawString>") {
		t.Errorf("the repetitions are not there:\n%s", b.String())
	}
}

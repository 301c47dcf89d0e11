package flat

import (
	"path/filepath"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

// TestSamples compares the page texts of the samples with their truth.
func TestSamples(t *testing.T) {
	for _, name := range []string{"f2fs-xfs-ext4-hdd-ssd", "ssd-vs-zfs-hdds"} {
		t.Run(name, func(t *testing.T) {
			want := oracle.Truth(t, oracle.Shared(t, "samples", "truth", name+".flat.json"))
			got := readFlat(t, oracle.Shared(t, "samples", name+".flat.txt"))
			var tally oracle.Tally
			for _, d := range oracle.Diff(got, want, oracle.Options{Order: true, SkipXMLFields: true, Tally: &tally}) {
				t.Error(d)
			}
			t.Log(tally)
		})
	}
}

// TestForms compares the flattened form of all five samples, as PTS renders
// them, with their composite.xml.
func TestForms(t *testing.T) {
	for _, p := range oracle.Glob(t, "samples", "forms", "*.flat.txt") {
		name := filepath.Base(p)
		t.Run(name, func(t *testing.T) {
			want := oracle.XML(t, p[:len(p)-len("flat.txt")]+"xml")
			got := readFlat(t, p)
			var tally oracle.Tally
			for _, d := range oracle.Diff(got, want, oracle.Options{
				NumericValues: true, SkipSource: true, SkipXMLFields: true, SkipMissingTests: true, Tally: &tally,
				SkipComponents: true, SkipNotes: true, JoinHead: true, SkipFootnotes: true, SkipAmbiguous: true,
			}) {
				t.Error(d)
			}
			t.Log(tally)
		})
	}
}

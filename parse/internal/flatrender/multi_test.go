package flatrender

import (
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestIsMulti(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  bool
	}{
		{[]string{"HDD: EXT4", "SSD: EXT4"}, true},
		{[]string{"HDD: EXT4", "HDD: XFS"}, true},
		{[]string{"HDD:EXT4", "SSD:XFS"}, true},
		{[]string{"HDD: EXT4"}, false},
		{[]string{"HDD: EXT4", "XFS"}, false},
		{[]string{"HDD: EXT4: 4k", "HDD: XFS: 4k"}, false},
		{[]string{"2020-01-02 10:30", "2020-01-02 11:30"}, false},
	} {
		if got := isMulti(tt.names); got != tt.want {
			t.Errorf("%q: %v", tt.names, got)
		}
	}
}

func TestIsTracker(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  bool
	}{
		{[]string{"v1", "v2", "v3", "v4", "v5", "v6"}, true},
		{[]string{"v1", "v2", "v3", "v4", "v5"}, false},
		{[]string{"A: 6.1", "A: 6.2", "A: 6.3", "B: 6.1", "B: 6.2", "B: 6.3"}, true},
		{[]string{"A: x", "A: y", "A: z", "B: x", "B: y", "B: z"}, false},
	} {
		var f result.File
		for _, n := range tt.names {
			f.AddSystem(n)
		}
		if got := isTracker(f.Systems); got != tt.want {
			t.Errorf("%q: %v", tt.names, got)
		}
	}
}

func TestRowLabel(t *testing.T) {
	for _, tt := range []struct{ profile, arguments, want string }{
		{"pts/fio-1.11.2", "Type: Random Read - IO Engine: Linux AIO - Direct: Yes", "fio: Rand Read - Linux AIO - Yes"},
		{"pts/pjdfstest-1.0.1", "", "pjdfstest: "},
		{"pts/sqlite-2.0.1", "Timed SQLite Insertions", "sqlite: Timed SQLite Insertions"},
		{"local/compress-7zip-1.9.0", "Test: Compression Rating", "compress-7zip: Compression Rating"},
		{"pts/fs-mark-1.0.2", "Test: 1000 Files, 1MB Size", "fs-mark: 1000 Files, 1MB Size"},
		{"pts/x", "Case: Sequential", "x: Seq"},
	} {
		if got := rowLabel(&result.Test{Profile: tt.profile, Arguments: tt.arguments}); got != tt.want {
			t.Errorf("%q %q: got %q, want %q", tt.profile, tt.arguments, got, tt.want)
		}
	}
}

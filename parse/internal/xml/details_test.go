package xml

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/result"
)

func TestNotes(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"disk", `{"disk-scheduler":"MQ-DEADLINE","disk-mount-options":"relatime,rw","disk-details":"Block Size: 4096"}`, "Disk=MQ-DEADLINE / relatime,rw / Block Size: 4096"},
		{"a scheduler alone", `{"disk-scheduler":"DEADLINE"}`, "Disk Scheduler=DEADLINE"},
		{"mount options alone", `{"disk-mount-options":"rw","disk-details":"x"}`, "Disk Mount Options=rw|Disk Details=x"},
		{"processor", `{"cpu-microcode":"0x417","cpu-scaling-governor":"intel_cpufreq performance"}`, "Processor=Scaling Governor: intel_cpufreq performance - CPU Microcode: 0x417"},
		{"microcode alone", `{"cpu-microcode":"0x1000065"}`, "Processor=CPU Microcode: 0x1000065"},
		{"thermald and profile", `{"cpu-thermald":"2.4.6","platform-profile":"balanced"}`, "Processor=Platform Profile: balanced - Thermald 2.4.6"},
		{"a platform profile alone", `{"platform-profile":"balanced"}`, "Platform Profile=balanced"},
		{"threads do not replace the governor", `{"cpu-scaling-governor":"g","cpu-smt":"2"}`, "Processor=Scaling Governor: g - SMT (threads per core): 2"},
		{"kernel", `{"kernel-extra-details":"Transparent Huge Pages: always","kernel-parameters":"quiet"}`, "Kernel=quiet - Transparent Huge Pages: always"},
		{"graphics", `{"graphics-aa":"4x","vbios-version":"1.2"}`, "Graphics=4x - vBIOS Version: 1.2"},
		{"cores", `{"graphics-compute-cores":"384"}`, "OpenCL=GPU Compute Cores: 384"},
		{"the order of a page", `{"security":"s","python":"p","cpu-microcode":"m","compiler-configuration":"c","environment-variables":"e"}`, "Environment=e|Compiler=c|Processor=CPU Microcode: m|Security=s|Python=p"},
		{"other types", `{"a-b_c":5,"d":null,"e":"","f":[],"g":{"x":1},"h":false,"i":true}`, `A B C=5|G={"x":1}|I=true`},
		{"a key with letters of other scripts", `{"élan-день":"x"}`, "Élan День=x"},
		{"escapes", `{"security":"usercopy\/swapgs \u00e9"}`, "Security=usercopy/swapgs é"},
	} {
		f := readOne(t, doc("<System><Identifier>A</Identifier><JSON>"+test.in+"</JSON></System>"))
		var list []string
		for _, n := range f.Systems[0].Notes {
			list = append(list, n.Key+"="+n.Value)
		}
		if got := strings.Join(list, "|"); got != test.want || len(f.Diagnostics) > 0 {
			t.Errorf("%s\n got %s\nwant %s\n%v", test.name, got, test.want, f.Diagnostics)
		}
	}
}

func TestSystemDetailsThatAreNone(t *testing.T) {
	f := readOne(t, doc(`<System><Identifier>A</Identifier><JSON>{"a":"b"</JSON></System>`))
	if codes(f) != "warning/bad-json" || len(f.Systems[0].Notes) != 0 || string(f.Systems[0].Details) != `{"a":"b"` {
		t.Errorf("notes %v, details %s, %v", f.Systems[0].Notes, f.Systems[0].Details, f.Diagnostics)
	}
}

var (
	svgText = regexp.MustCompile(`<text[^>]*>(.*?)</text>`)
	svgTag  = regexp.MustCompile(`<[^>]*>`)
)

// The pages that PTS itself made of the same files show the same notes and
// footnotes, word by word.
func TestNotesAgainstPages(t *testing.T) {
	paths := sharedFiles(t, "corpus/real/*/composite.xml", "flat/*.xml", "samples/forms/*.xml")
	notes, footnotes := 0, 0
	for _, path := range paths {
		page := filepath.Join(filepath.Dir(path), "pts.html")
		if !strings.HasSuffix(path, "composite.xml") {
			page = strings.TrimSuffix(path, "xml") + "html"
		}
		raw, err := os.ReadFile(page)
		if err != nil {
			continue
		}
		var b strings.Builder
		headings := make(map[string]bool)
		for _, m := range svgText.FindAllStringSubmatch(string(raw), -1) {
			// Long texts are wrapped into several tspans.
			text := strings.Join(strings.Fields(html.UnescapeString(svgTag.ReplaceAllString(m[1], ""))), " ")
			if key, ok := strings.CutSuffix(text, " Details"); ok {
				headings[key] = true
			}
			b.WriteString(text + "\n")
		}
		f := readFile(t, path)
		for i := range f.Systems {
			for _, n := range f.Systems[i].Notes {
				if !headings[n.Key] {
					continue // PTS leaves out what it finds of no interest
				}
				if !strings.Contains(b.String(), strings.Join(strings.Fields(n.Value), " ")) {
					t.Errorf("%s: the page does not show %s: %.200s", path, n.Key, n.Value)
				}
				notes++
			}
		}
		for i := range f.Tests {
			for _, note := range f.Tests[i].Footnotes {
				if len(f.Tests[i].Footnotes) > 1 || failed(&f.Tests[i]) || tracker(b.String()) {
					continue // it shows what several compilers have in common
				}
				if !strings.Contains(b.String(), "1. "+strings.Join(strings.Fields(note), " ")+"\n") {
					t.Errorf("%s: the page does not show footnote %.200s", path, note)
				}
				footnotes++
			}
		}
	}
	t.Logf("%d notes, %d footnotes", notes, footnotes)
}

// tracker reports whether the page draws all systems as points of a line, as
// PTS does for a series of versions: then there are no footnotes.
func tracker(page string) bool {
	return strings.Contains(page, "Min\nAvg\nMax\n") && !strings.Contains(page, "options:")
}

func failed(t *result.Test) bool {
	for i := range t.Measurements {
		if t.Measurements[i].Status == result.StatusFailed {
			return true
		}
	}
	return false
}

package parse

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/benchproof/benchproof/parse/internal/source"
)

// forms are texts that are known and not read, each with a mark that it has
// near its beginning. The first that fits counts.
var forms = []struct {
	mark *regexp.Regexp
	is   string
}{
	{regexp.MustCompile(`^\s*\{[\s\S]*?"schema"\s*:\s*"benchproof/([a-z]+)/`), "a benchproof document of another kind ($1)"},
	{regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*[\[{"\]])`), "JSON that is no benchproof record"},
	{regexp.MustCompile(`(?i)^\s*<(!doctype\s+html|html|head|body)\b`), "an HTML page without a result in it"},
	{regexp.MustCompile(`^\s*<(?:\?[^>]*>\s*<|!--[\s\S]*?-->\s*<|![^>]*>\s*<)*([A-Za-z][\w.:-]*)`), "markup with the element $1"},
	{regexp.MustCompile(`^(?:source,(?:system,group|test,version|line,column)|test,version,arguments,scale,proportion,(?:baseline|system_group)|kind,test),`), "a table of benchproof that holds no results"},
	{regexp.MustCompile(`(?m)^To run this test with the Phoronix Test Suite, the basic command is`), "an OpenBenchmarking page about a test, which is no result file"},
	{regexp.MustCompile(`(?m)^Compare your own system\(s\) to this result file`), "an OpenBenchmarking result page without its graphs (its export as text, HTML or XML can be read)"},
	{regexp.MustCompile(`^(SYSTEM|From|MIME-Version|Content-Type): .*\n`), "a mail or a saved web archive"},
}

// unknown returns the error for a text that no reader reads: what it is, as
// far as that can be told, else how it begins.
func unknown(doc *source.Doc) error {
	head := doc.Text[:min(len(doc.Text), 64<<10)]
	start := len(head) - len(strings.TrimLeftFunc(head, unicode.IsSpace))
	for _, f := range forms {
		if m := f.mark.FindStringSubmatch(head); m != nil {
			is := f.is
			if len(m) > 1 {
				is = strings.ReplaceAll(is, "$1", clip(m[1], 40))
			}
			return syntaxError(doc, start, is)
		}
	}
	line, _, _ := strings.Cut(head[start:], "\n")
	return syntaxError(doc, start, fmt.Sprintf("text that begins with %q", clip(strings.TrimSpace(line), 60)))
}

// clip shortens a text to at most n characters.
func clip(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

package parse

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFormsAreNamed: every form that a record may say it was read from is in the
// JSON Schema of records; a new one is easily forgotten there.
func TestFormsAreNamed(t *testing.T) {
	code, err := os.ReadFile("../result/file.go")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := os.ReadFile("../result/schema/result-1.json")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(schema), `"The form the file was read from."`)
	list, _, ends := strings.Cut(list, "]")
	forms := regexp.MustCompile(`\tFormat\w+ +Format = "([a-z-]+)"`).FindAllStringSubmatch(string(code), -1)
	if !found || !ends || len(forms) < 12 {
		t.Fatalf("%d forms in result/file.go", len(forms))
	}
	for _, m := range forms {
		if !strings.Contains(list, `"`+m[1]+`"`) {
			t.Errorf("add the form %q to the examples of format in result/schema/result-1.json", m[1])
		}
	}
}

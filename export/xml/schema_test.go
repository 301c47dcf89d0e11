package xml_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// schema lists the children of every element in the order in which PTS 10.8
// writes them: "?" marks those that may be absent, "*" those of any number.
// Elements that are not keys hold text alone.
var schema = map[string]string{
	"":                                    "PhoronixTestSuite",
	"PhoronixTestSuite":                   "Generated System* Result*",
	"PhoronixTestSuite/Generated":         "Title LastModified TestClient Description Notes? InternalTags? ReferenceID? PreSetEnvironmentVariables?",
	"PhoronixTestSuite/System":            "Identifier Hardware Software User TimeStamp TestClientVersion Notes JSON? CostValueForComparison*",
	"PhoronixTestSuite/Result":            "Identifier Title AppVersion Arguments Description Scale Proportion DisplayFormat Annotation? Parent? Data",
	"PhoronixTestSuite/Result/Data":       "Entry*",
	"PhoronixTestSuite/Result/Data/Entry": "Identifier Value RawString JSON?",
}

// checkSchema reports the first place where a document is no XML, or has an
// element, attribute or text that the schema does not have there.
func checkSchema(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	type open struct {
		path string
		next []string // what may come
	}
	stack := []open{{"", strings.Fields(schema[""])}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at := &stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if len(token.Attr) > 0 {
				return fmt.Errorf("attributes of %s", name)
			}
			for {
				if len(at.next) == 0 {
					return fmt.Errorf("%s/%s: not here", at.path, name)
				}
				want := strings.TrimRight(at.next[0], "?*")
				if want == name {
					if !strings.HasSuffix(at.next[0], "*") {
						at.next = at.next[1:]
					}
					break
				}
				if want == at.next[0] {
					return fmt.Errorf("%s/%s: expected %s", at.path, name, want)
				}
				at.next = at.next[1:]
			}
			path := strings.TrimPrefix(at.path+"/"+name, "/")
			stack = append(stack, open{path, strings.Fields(schema[path])})
		case xml.EndElement:
			for _, n := range at.next {
				if !strings.HasSuffix(n, "?") && !strings.HasSuffix(n, "*") {
					return fmt.Errorf("%s: no %s", at.path, n)
				}
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if _, parent := schema[at.path]; parent && strings.TrimSpace(string(token)) != "" {
				return fmt.Errorf("text %q in %s", token, at.path)
			}
		case xml.Comment, xml.Directive:
			return errors.New("a comment or directive")
		}
	}
}

// The check itself finds what is wrong.
func TestCheckSchema(t *testing.T) {
	const head = "<PhoronixTestSuite><Generated><Title/><LastModified/><TestClient/><Description/></Generated>"
	for _, bad := range []string{
		"<PhoronixTestSuite/>",
		head,
		"<PhoronixTestSuite><Generated><LastModified/><Title/><TestClient/><Description/></Generated></PhoronixTestSuite>",
		head + "<Result/></PhoronixTestSuite>",
		head + "x</PhoronixTestSuite>",
		head + "<Foo/></PhoronixTestSuite>",
		head + "</PhoronixTestSuite><PhoronixTestSuite/>",
		strings.Replace(head, "<Title/>", `<Title a="b"/>`, 1) + "</PhoronixTestSuite>",
		strings.Replace(head, "<Title/>", "<Title><b/></Title>", 1) + "</PhoronixTestSuite>",
	} {
		if checkSchema(bad) == nil {
			t.Errorf("passed: %s", bad)
		}
	}
	if err := checkSchema(head + "</PhoronixTestSuite>"); err != nil {
		t.Error(err)
	}
}

package xml_test

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/parse/internal/xml"
	"github.com/benchproof/benchproof/result"
)

func ExampleRead() {
	const composite = `<PhoronixTestSuite>
  <Generated><Title>Two disks</Title></Generated>
  <System><Identifier>HDD</Identifier></System>
  <System><Identifier>SSD</Identifier></System>
  <Result>
    <Title>SQLite</Title>
    <Scale>Seconds</Scale>
    <Data>
      <Entry><Identifier>HDD</Identifier><Value>12.5</Value><RawString>12:12.5:13</RawString></Entry>
      <Entry><Identifier>SSD</Identifier><Value></Value><JSON>{"error":"no space"}</JSON></Entry>
    </Data>
  </Result>
</PhoronixTestSuite>`
	err := xml.Read(strings.NewReader(composite), "two.xml", source.DefaultLimits(), func(f *result.File) error {
		for _, t := range f.Tests {
			for _, m := range t.Measurements {
				fmt.Printf("%s %s %s %q ± %q of %d %q\n", t.Title, f.Systems[m.System].Identifier, m.Status, m.Value, m.StdError, m.Samples, m.Reason)
			}
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// SQLite HDD ok "12.5" ± "0.288675" of 3 ""
	// SQLite SSD failed "" ± "" of 0 "no space"
	// <nil>
}

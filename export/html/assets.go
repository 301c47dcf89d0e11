package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// echarts draws the charts of single tests. It is kept as published, with its
// licence beside it.
//
//go:embed assets/echarts.min.js
var echarts []byte

// notice is the attribution that goes with echarts.
//
//go:embed assets/echarts.NOTICE
var notice string

//go:embed assets/page.css
var style string

//go:embed assets/page.tmpl
var markup string

//go:embed assets/js/*.js
var scripts embed.FS

// scriptOrder is the order in which the parts of the page's script stand. They
// share one scope.
var scriptOrder = []string{"figure", "data", "state", "dom", "summary", "table", "options", "charts", "download", "controls", "main"}

// assets are the fixed parts of every page.
type assets struct {
	script, style string
	// library is echarts compressed, as text: as it is it would be three
	// quarters of the page. The page's script inflates it, and puts it in as
	// an inline script, which the policy allows by its hash.
	library     string
	librarySize int // bytes, before base 85
	policy      string
}

var fixed = sync.OnceValue(func() assets {
	var b strings.Builder
	b.WriteString("\"use strict\";\n(() => {\nconst digits85 = \"" + digits85 + "\";\n")
	for _, name := range scriptOrder {
		part, err := scripts.ReadFile("assets/js/" + name + ".js")
		if err != nil {
			panic(err) // it is embedded
		}
		b.Write(part)
	}
	b.WriteString("})();\n")
	a := assets{script: lean(b.String()), style: lean(style)}
	a.library, a.librarySize = compressed(echarts)
	a.policy = "default-src 'none'; script-src " + hash(a.script) + " " + hash(string(echarts)) +
		"; style-src " + hash(a.style) + "; img-src data: blob:; base-uri 'none'; form-action 'none'"
	return a
})

// lean returns a script or a style without indentation, and without the lines
// that are comments.
func lean(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// digits85 are letters that neither HTML nor scripts read as anything else.
const digits85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_{|"

// compressed returns data as gzip without a time, and that in base 85, with the
// number of its bytes: five letters for four bytes, the first the highest, with
// zero bytes at the end to fill the last four. Base 64 would be a sixteenth
// longer.
func compressed(data []byte) (encoded string, size int) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = z.Write(data)                                  // a buffer's writes do not fail
	_ = z.Close()
	size = b.Len()
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
	text := make([]byte, 0, b.Len()/4*5)
	for four := range slices.Chunk(b.Bytes(), 4) {
		x := binary.BigEndian.Uint32(four)
		for _, unit := range []uint32{85 * 85 * 85 * 85, 85 * 85 * 85, 85 * 85, 85, 1} {
			text = append(text, digits85[x/unit%85])
		}
	}
	return string(text), size
}

// hash returns the source expression of the policy for an inline script or
// style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

package source

import (
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	"regexp"
	"strings"
)

// A page that a browser saves as one file (MHTML, RFC 2557) is a mail of many
// parts, of which the first HTML is the page. It is read as what is packed is: the
// places of values are those in the page. The packages of the standard library for
// mail would bring the network in, so its few rules stand here.

// mhtmlBegins matches the fields that browsers and mail programs write first. A
// text that somebody pasted out of a mail is no mail of many parts.
var mhtmlBegins = regexp.MustCompile(`^(?i)(From|Subject|Date|MIME-Version|Content-Type|Snapshot-Content-Location|X-[a-z-]+):`)

var mhtmlPacker = &packer{"MHTML", openMHTML}

// maxField is how long a field of a mail may grow, in bytes: no kind or boundary is
// longer, and each further line costs the length of all before it.
const maxField = 8 << 10

var errNoPage = errors.New("no part of it is an HTML page")

// mhtmlBoundary returns what divides the parts of an MHTML file, "" of other data.
func mhtmlBoundary(data string) string {
	head := data[:min(len(data), headSize)]
	if !mhtmlBegins.MatchString(head) {
		return ""
	}
	fields, _ := mailFields(head)
	kind, params, err := mime.ParseMediaType(fields["content-type"])
	if err != nil || kind != "multipart/related" {
		return ""
	}
	return params["boundary"]
}

// mailFields reads the fields that a mail or a part of it begins with, by their
// names in small letters, and returns what follows the empty line behind them.
// The first field of a name counts.
func mailFields(text string) (fields map[string]string, body string) {
	fields = map[string]string{}
	last := ""
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			return fields, text
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last != "" && len(fields[last]) < maxField {
				fields[last] += " " + strings.TrimSpace(line)
			}
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		last = strings.ToLower(name)
		if _, twice := fields[last]; !ok || twice {
			last = ""
			continue
		}
		fields[last] = strings.TrimSpace(value)
	}
	return fields, ""
}

// openMHTML returns the page of an MHTML file.
func openMHTML(data string) (io.Reader, error) {
	mark := "\n--" + mhtmlBoundary(data)
	_, rest, more := strings.Cut(data, mark)
	for more && !strings.HasPrefix(rest, "--") {
		_, rest, _ = strings.Cut(rest, "\n") // blanks may stand behind the mark
		var part string
		part, rest, more = strings.Cut(rest, mark)
		fields, body := mailFields(part)
		kind, _, err := mime.ParseMediaType(fields["content-type"])
		if err != nil || kind != "text/html" && kind != "application/xhtml+xml" {
			continue
		}
		var page io.Reader = strings.NewReader(strings.TrimSuffix(body, "\r"))
		switch strings.ToLower(fields["content-transfer-encoding"]) {
		case "base64":
			page = base64.NewDecoder(base64.StdEncoding, page)
		case "quoted-printable":
			page = quotedprintable.NewReader(page)
		}
		if !more {
			page = io.MultiReader(page, cutOff{})
		}
		return page, nil
	}
	return nil, errNoPage
}

// cutOff is the end of what ends early.
type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

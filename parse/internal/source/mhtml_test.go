package source

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// saved is a page as browsers save it in one file.
func saved(encoding, page string) string {
	return "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://openbenchmarking.org/result/1\r\nSubject: =?utf-8?Q?SSD?=\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----MultipartBoundary--x----\"\r\n\r\n\r\n" +
		"------MultipartBoundary--x----\r\nContent-Type: text/css\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: cid:css\r\n\r\nbody { color: red }\r\n" +
		"------MultipartBoundary--x----\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: " + encoding + "\r\nContent-Location: https://openbenchmarking.org/result/1\r\n\r\n" +
		page + "\r\n------MultipartBoundary--x------\r\n"
}

// TestLoadMHTML: the page of a web archive is what is read, however it is encoded,
// in gzip too; a mail of another kind stays what it is.
func TestLoadMHTML(t *testing.T) {
	const want = `<p class="é">86.08 = 1</p>`
	quoted := "<p class=3D\"=C3=A9\">86.=\r\n08 =3D 1</p>"
	for name, raw := range map[string]string{
		"quoted-printable": saved("quoted-printable", quoted),
		"base64":           saved("base64", base64.StdEncoding.EncodeToString([]byte(want))),
		"as it is":         saved("binary", want),
		"line ends":        strings.ReplaceAll(saved("quoted-printable", quoted), "\r\n", "\n"),
		"gzip":             pack(t, "gzip", saved("quoted-printable", quoted)),
	} {
		if got, notes, err := load(raw, Limits{}); got != want || notes != nil || err != nil {
			t.Errorf("%s: got %q, %v, %v", name, got, notes, err)
		}
	}
	for name, raw := range map[string]string{
		"plain mail":  "From: a\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nSSD 86.08\r\n",
		"mixed":       strings.Replace(saved("binary", want), "multipart/related", "multipart/mixed", 1),
		"no boundary": strings.Replace(saved("binary", want), "boundary", "border", 1),
		"quoted":      "> " + saved("binary", want),
	} {
		if got, _, err := load(raw, Limits{}); got != raw || err != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// TestLoadMHTMLDamaged: what is cut is read as far as it goes, and said; without a
// page there is nothing to read; limits hold.
func TestLoadMHTMLDamaged(t *testing.T) {
	whole := saved("quoted-printable", "<p>first</p>"+strings.Repeat("<p>more</p>", 20))
	got, notes, err := load(whole[:strings.Index(whole, "more")], Limits{})
	if !strings.HasPrefix(got, "<p>first</p>") || err != nil || len(notes) != 1 || notes[0].Code != "truncated" {
		t.Errorf("cut: got %q, %v, %v", got, notes, err)
	}
	if _, _, err := load(strings.ReplaceAll(whole, "text/html\r\nContent-Tr", "image/png\r\nContent-Tr"), Limits{}); !errors.Is(err, errNoPage) {
		t.Errorf("no page: %v", err)
	}
	for name, page := range map[string]string{"empty": "", "picture": "\x89PNG\r\n\x1a\n"} {
		var s *SyntaxError
		if _, _, err := load(saved("binary", page), Limits{}); !errors.As(err, &s) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A million lines of one field, of which each would cost all before it.
	folded := strings.Replace(saved("binary", "<p>x</p>"), "text/css\r\n", "text/css;\r\n"+strings.Repeat(" a\r\n", 1<<20), 1)
	if got, _, err := load(folded, Limits{}); got != "<p>x</p>" || err != nil {
		t.Errorf("folded: got %.20q, %v", got, err)
	}
	var limit *LimitError
	if _, _, err := load(saved("binary", strings.Repeat("x", 5000)), Limits{Input: 4000}); !errors.As(err, &limit) {
		t.Errorf("limit: %v", err)
	}
}

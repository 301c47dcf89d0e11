package source

import (
	"fmt"
	"strings"

	"github.com/benchproof/benchproof/result"
)

// Expected says in words what a reader wants to find, for errors.
const Expected = "a PTS text, HTML, JSON or CSV export, page text, composite.xml, fio's JSON, a terminal capture or a benchproof record"

// What to do with an input that is of another form, for errors.
const (
	// HintPage is for whatever holds no result.
	HintPage = "save a result's page as HTML, or select all of it, copy, and paste it into a file"

	hintPicture = "no text is read from pictures: " + HintPage
	hintPrinted = "no printed page is read: " + HintPage
	hintArchive = "unpack it first, and name what was in it"
	hintOffice  = "save its text or its sheet as a file of its own: " + HintPage
	hintTables  = "the JSON and the CSV of the same result are read"
	hintUTF32   = "iconv -f UTF-32 -t UTF-8 makes a text of it that is read"
	hintEmpty   = "nothing is in it: paste the text of a result's page into it, or save the page"
)

// hint returns what to do with an input that is no text but found.
func hint(found string) string {
	has := func(word string) bool { return strings.Contains(found, word) }
	switch {
	case has(" image"):
		return hintPicture
	case has("PDF"), has("PostScript"), has("RTF"):
		return hintPrinted
	case has("Office"):
		return hintOffice
	case has("database"), has("Parquet"):
		return hintTables
	case has("UTF-32"):
		return hintUTF32
	case has("web archive"):
		return HintPage
	case has("archive"), has("bzip2"), has("LZ4"), has("package"):
		return hintArchive
	case found == "an empty input":
		return hintEmpty
	}
	return ""
}

// office is what a zip archive is whose first file is named as in those.
const office = "an Office document (XLSX, ODS or the like)"

// magics are the beginnings of files that are no text, with what they are.
var magics = []struct {
	at    int
	magic string
	is    string
}{
	{0, "\x89PNG\r\n\x1a\n", "a PNG image"},
	{0, "\xff\xd8\xff", "a JPEG image"},
	{0, "GIF87a", "a GIF image"},
	{0, "GIF89a", "a GIF image"},
	{8, "WEBP", "a WebP image"},
	{0, "II*\x00", "a TIFF image"},
	{0, "MM\x00*", "a TIFF image"},
	{0, "%PDF-", "a PDF document"},
	{0, "%!PS", "a PostScript document"},
	{0, "{\\rtf", "an RTF document"},
	{0, "\x7fELF", "an ELF program"},
	{0, "MZ\x90\x00", "a Windows program"},
	{0, "\xcf\xfa\xed\xfe", "a macOS program"},
	{0, "\xca\xfe\xba\xbe", "a macOS program or Java class"},
	{0, "\x00asm", "a WebAssembly program"},
	// The first file of a zip archive has its name here.
	{30, "[Content_Types].xml", office},
	{30, "_rels/.rels", office},
	{30, "docProps/", office},
	{30, "xl/", office},
	{30, "mimetypeapplication/vnd.oasis.opendocument", office},
	{0, "PK\x03\x04", "a zip archive"},
	{0, "bplist00", "a binary property list, such as a web archive of Safari"},
	{0, "PK\x05\x06", "an empty zip archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "Rar!\x1a\x07", "a RAR archive"},
	{257, "ustar", "a tar archive"},
	{0, "!<arch>\n", "an ar archive"},
	{0, "\xed\xab\xee\xdb", "an RPM package"},
	{0, "BZh", "bzip2 data"},
	{0, "\x04\x22\x4d\x18", "LZ4 data"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"},
	{0, "SQLite format 3\x00", "a SQLite database"},
	{0, "PAR1", "a Parquet file"},
	{4, "ftyp", "a video"},
	{0, "OggS", "an Ogg file"},
	{0, "\xff\xfe\x00\x00", "UTF-32 text"},
	{0, "\x00\x00\xfe\xff", "UTF-32 text"},
}

// checkKind returns a *SyntaxError for an input that is no text by its first
// bytes, and nil for what may be text.
func checkKind(name, head string) error {
	found := ""
	for _, m := range magics {
		if len(head) >= m.at && strings.HasPrefix(head[m.at:], m.magic) {
			found = m.is
			break
		}
	}
	switch {
	case found != "":
	case head == "":
		found = "an empty input"
	case utf16Order(head) != nil:
		return nil
	default:
		at := controlByte(head)
		if at < 0 {
			return nil
		}
		found = fmt.Sprintf("binary data (byte 0x%02x at offset %d)", head[at], at)
	}
	return &SyntaxError{Origin: result.Origin{Source: name, Line: 1, Column: 1}, Found: found, Expected: Expected, Hint: hint(found)}
}

// controlByte returns the offset of the first control character of text that has
// too many of them, -1 for others: more than one byte in 32 is not of the
// kind that texts and terminals use. NULs count as such where they stand
// among text; runs of them at the end are what a crash leaves in a log.
func controlByte(head string) int {
	first, n := -1, 0
	body := strings.TrimRight(head, "\x00")
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c >= ' ' && c != 0x7f || c >= '\a' && c <= '\r' || c == 0x1b {
			continue
		}
		if first < 0 {
			first = i
		}
		n++
	}
	switch {
	case body == "":
		return 0 // nothing but NULs
	case n > len(body)/32:
		return first
	}
	return -1
}

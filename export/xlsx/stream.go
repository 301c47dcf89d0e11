package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// stream writes the rows of one sheet, compressed, to a spool. The sheet's
// frame (set-up before the rows and behind them) is the library's; rows are
// written here, since most of a large workbook is rows.
type stream struct {
	*part
	tail    []byte
	columns []string // "A", "B", …
}

// newStream begins the sheet that was added last, after all of its set-up, with
// columns of the given widths.
func (w *Writer) newStream(widths []int, rows int) (*stream, error) {
	columns := len(widths)
	name := fmt.Sprintf("xl/worksheets/sheet%d.xml", w.sheets)
	frame, err := w.frame(name)
	if err != nil {
		return nil, err
	}
	head, tail, ok := bytes.Cut(frame, []byte("<sheetData></sheetData>"))
	if !ok {
		if head, tail, ok = bytes.Cut(frame, []byte("<sheetData/>")); !ok {
			return nil, fmt.Errorf("the empty sheet %s has no place for rows", name)
		}
	}
	p, err := w.newPart(name)
	if err != nil {
		return nil, err
	}
	s := &stream{part: p}
	for i := range columns {
		name, err := excelize.ColumnNumberToName(i + 1)
		if err != nil {
			return nil, err
		}
		s.columns = append(s.columns, name)
	}
	if columns > 0 {
		used := fmt.Sprintf(`<dimension ref="A1:%s%d"`, s.columns[columns-1], rows)
		head = bytes.Replace(head, []byte(`<dimension ref="A1"`), []byte(used), 1)
	}
	s.buf = append(appendWidths(append(s.buf, head...), widths), "<sheetData>"...)
	s.tail = append([]byte("</sheetData>"), tail...)
	return s, nil
}

// appendWidths appends the widths of columns, with a margin, neighbours of one
// width together. The library would go through all columns for each.
func appendWidths(b []byte, widths []int) []byte {
	if len(widths) == 0 {
		return b
	}
	b = append(b, "<cols>"...)
	for first := 0; first < len(widths); {
		last := first
		for last+1 < len(widths) && widths[last+1] == widths[first] {
			last++
		}
		b = fmt.Appendf(b, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, first+1, last+1, min(widths[first]+margin, excelize.MaxColumnWidth))
		first = last + 1
	}
	return append(b, "</cols>"...)
}

// frame returns a part of the workbook as it would be written now.
func (w *Writer) frame(part string) ([]byte, error) {
	var b bytes.Buffer
	if err := w.book.Write(&b); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return nil, err
	}
	r, err := z.Open(part)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// begin begins row n, of a height in points; 0 leaves it to the program. The
// height is where a program begins: it stays free to fit it to its own letters,
// and to what stands in the row after a sort.
func (s *stream) begin(n, height int) {
	s.buf = append(s.buf, `<row r="`...)
	s.buf = strconv.AppendInt(s.buf, int64(n), 10)
	if height > 0 {
		s.buf = append(s.buf, `" ht="`...)
		s.buf = strconv.AppendInt(s.buf, int64(height), 10)
	}
	s.buf = append(s.buf, `">`...)
}

// cell writes a cell of column i, from 0, in row n.
func (s *stream) cell(i, n, style int, formula string, value any) {
	s.buf = append(append(s.buf, `<c r="`...), s.columns[i]...)
	s.buf = strconv.AppendInt(s.buf, int64(n), 10)
	s.buf = append(s.buf, `" s="`...)
	s.buf = strconv.AppendInt(s.buf, int64(style), 10)
	text, isText := value.(string)
	switch _, isBool := value.(bool); {
	case isText && formula != "":
		s.buf = append(s.buf, `" t="str">`...)
	case isText:
		s.buf = append(s.buf, `" t="inlineStr">`...)
	case isBool:
		s.buf = append(s.buf, `" t="b">`...)
	default:
		s.buf = append(s.buf, `">`...)
	}
	if formula != "" {
		s.buf = append(s.buf, `<f>`...)
		s.buf = appendText(s.buf, formula)
		s.buf = append(s.buf, `</f>`...)
	}
	if isText && formula == "" {
		s.buf = append(s.buf, `<is><t`...)
		if spaced(text) {
			s.buf = append(s.buf, ` xml:space="preserve"`...)
		}
		s.buf = append(s.buf, '>')
		s.buf = appendText(s.buf, literal(text))
		s.buf = append(s.buf, `</t></is></c>`...)
		return
	}
	s.buf = append(s.buf, `<v>`...)
	switch v := value.(type) {
	case string:
		s.buf = appendText(s.buf, literal(v))
	case float64:
		s.buf = appendNumber(s.buf, v)
	case int:
		s.buf = strconv.AppendInt(s.buf, int64(v), 10)
	case bool:
		s.buf = strconv.AppendInt(s.buf, map[bool]int64{true: 1}[v], 10)
	}
	s.buf = append(s.buf, `</v></c>`...)
}

// end ends a row.
func (s *stream) end() error {
	s.buf = append(s.buf, `</row>`...)
	return s.spill()
}

// close ends the sheet.
func (s *stream) close() error {
	s.buf = append(s.buf, s.tail...)
	return s.part.close()
}

// appendNumber appends v so that reading gives v back.
func appendNumber(b []byte, v float64) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e15) {
		return strconv.AppendFloat(b, v, 'E', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendText appends text with what XML needs escaped. Text holds no control
// character but tab and newline; bytes that are no UTF-8 become U+FFFD.
func appendText(b []byte, text string) []byte {
	start := 0
	for i := 0; i < len(text); i++ {
		var as string
		switch c := text[i]; {
		case c == '&':
			as = "&amp;"
		case c == '<':
			as = "&lt;"
		case c == '>':
			as = "&gt;"
		case c < utf8.RuneSelf:
			continue
		default:
			r, n := utf8.DecodeRuneInString(text[i:])
			if r != utf8.RuneError || n > 1 {
				i += n - 1
				continue
			}
			as = "\ufffd"
		}
		b = append(append(b, text[start:i]...), as...)
		start = i + 1
	}
	return append(b, text[start:]...)
}

// spaced reports whether programs would take space away from text.
func spaced(text string) bool {
	first, last := text[0], text[len(text)-1]
	return first <= ' ' || last <= ' ' || strings.Contains(text, "\n") || strings.Contains(text, "  ")
}

// literal returns text so that what looks like the code of a character in
// it, "_x000D_", is shown as it stands.
func literal(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '_' && isCode(text[i:]) {
			b.WriteString("_x005F")
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func isCode(s string) bool {
	if len(s) < 7 || s[:2] != "_x" || s[6] != '_' {
		return false
	}
	for _, c := range []byte(s[2:6]) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'F') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

package html

import (
	"bufio"
	"bytes"
	"encoding/json"
	"html/template"
	"io"
	"strconv"
	"sync"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"plural": phrase.Count[int]}).Parse(markup))
})

// Write writes the page as UTF-8.
func (p *Page) Write(w io.Writer) error {
	var data bytes.Buffer
	// The encoder writes <, >, & and the line separators U+2028 and U+2029
	// as escapes: no text ends the element, and none is a comment in it.
	if err := json.NewEncoder(&data).Encode(p.data()); err != nil {
		return err
	}
	a := fixed()
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta http-equiv=\"Content-Security-Policy\" content=\"" + template.HTMLEscapeString(a.policy) + "\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
		template.HTMLEscapeString(visible(p.title)) + "</title>\n<style>" + a.style + "</style>\n</head>\n")
	if err := pageTemplate().Execute(out, p.view()); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	out.Write(term.EscapeJSON(bytes.TrimRight(data.Bytes(), "\n")))
	out.WriteString("</script>\n<script type=\"text/plain\" id=\"library\" data-bytes=\"" + strconv.Itoa(a.librarySize) + "\">")
	out.WriteString(a.library)
	out.WriteString("</script>\n<script>")
	out.WriteString(a.script)
	out.WriteString("</script>\n</body>\n</html>\n")
	return out.Flush()
}

package main

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/net/html"

	"github.com/benchproof/benchproof/internal/torture"
)

// urlAttributes are those that a browser follows.
var urlAttributes = map[string]bool{"href": true, "src": true, "xlink:href": true, "action": true, "formaction": true, "srcset": true, "data": true, "poster": true, "background": true, "style": true, "content": true, "http-equiv": true, "srcdoc": true, "ping": true}

// soundPage parses a page as a browser does and looks for text of an input
// that is more than text in it.
func soundPage(data []byte) error {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return err
	}
	var wrong error
	note := func(format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf(format, args...)
		}
	}
	scripts, last := 0, false
	for n := range doc.Descendants() {
		switch n.Type {
		case html.CommentNode:
			if strings.Contains(n.Data, torture.Marker) {
				note("a comment: %.80q", n.Data)
			}
		case html.ElementNode:
			if strings.Contains(n.Data, torture.Marker) {
				note("an element <%.80s>", n.Data)
			}
			plain := true
			switch n.Data {
			case "iframe", "object", "embed", "base", "link", "frame", "portal":
				note("an element <%s>", n.Data)
			case "script":
				scripts++
				for _, a := range n.Attr {
					plain = plain && (a.Key != "type" || !strings.Contains(a.Val, "json"))
				}
				if n.FirstChild != nil && plain && strings.Contains(n.FirstChild.Data, torture.Marker) {
					note("a script with text of the input")
				}
				last = plain
			case "style":
				if n.FirstChild != nil && strings.Contains(n.FirstChild.Data, torture.Marker) {
					note("a style with text of the input")
				}
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(strings.ToLower(a.Key), "on") || strings.Contains(a.Key, torture.Marker) || urlAttributes[a.Key] && strings.Contains(a.Val, torture.Marker) {
					note("an attribute %s=%.80q of <%s>", a.Key, a.Val, n.Data)
				}
				if a.Key == "href" && !strings.HasPrefix(a.Val, "#") || a.Key == "src" {
					note("a link to %.80q", a.Val)
				}
			}
		}
	}
	if wrong == nil && (scripts != 3 || !last) {
		return fmt.Errorf("%d scripts, so it is not whole", scripts)
	}
	if wrong == nil && !bytes.HasSuffix(bytes.TrimSpace(data), []byte("</html>")) {
		return errors.New("no end")
	}
	return wrong
}

// soundPicture reads an SVG.
func soundPicture(data []byte) error {
	if err := soundXML(data); err != nil {
		return err
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "script", "a", "image", "use", "foreignObject", "iframe", "animate", "set":
			return fmt.Errorf("an element <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") || a.Name.Local == "href" || a.Name.Local == "style" && strings.Contains(a.Value, torture.Marker) {
				return fmt.Errorf("an attribute %s=%.80q", a.Name.Local, a.Value)
			}
		}
	}
}

// pictures reads what is in a report's folder.
func (o *tortureOutcome) pictures() error {
	list, err := os.ReadDir("out/r")
	if err != nil {
		if o.code == exitOK {
			return err
		}
		return nil
	}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join("out/r", e.Name()))
		if err != nil {
			return err
		}
		switch filepath.Ext(e.Name()) {
		case ".svg":
			err = soundPicture(data)
		case ".png":
			_, err = png.DecodeConfig(bytes.NewReader(data))
		case ".html":
			err = soundPage(data)
		case ".csv":
			err = soundCSV(data)
		default:
			err = noHidden(data, "\n")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return nil
}

// soundWorkbook reads all parts of a workbook as XML and looks for formulas
// and links that come from an input.
func soundWorkbook(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		part, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if strings.HasSuffix(f.Name, ".xml") || strings.HasSuffix(f.Name, ".rels") {
			if err := soundPart(part); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return nil
}

func soundPart(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	in := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			in = t.Name.Local
			if in == "Relationship" {
				for _, a := range t.Attr {
					if a.Name.Local == "TargetMode" || a.Name.Local == "Target" && strings.Contains(a.Value, torture.Marker) {
						return fmt.Errorf("a link %q", a.Value)
					}
				}
			}
		case xml.EndElement:
			in = ""
		case xml.CharData:
			if (in == "f" || in == "formula" || in == "definedName") && bytes.Contains(t, []byte(torture.Marker)) {
				return fmt.Errorf("a formula %.80q", t)
			}
		}
	}
}

func soundParquet(data []byte) error {
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, g := range f.RowGroups() {
		rows := g.Rows()
		buf := make([]parquet.Row, 64)
		for {
			_, err := rows.ReadRows(buf)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				rows.Close()
				return err
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return nil
}

func soundSQLite(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	var said string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return errors.New(said)
	}
	return nil
}

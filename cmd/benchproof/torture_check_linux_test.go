package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/benchproof/benchproof/internal/torture"
)

const (
	// A worker begins with so much memory, in KiB, and lets twice the garbage
	// lie that a process of its own does.
	tortureMemory  = 350 << 10
	tortureGarbage = 2
	// torturePatience is how much processor time a command may take, in
	// seconds, and tortureSlow how much more a MiB of its input.
	torturePatience = 10
	tortureSlow     = 4
)

// tortureOutcome is what one command did.
type tortureOutcome struct {
	w              *tortureWorker
	t              *tortureInput
	s              *tortureStep
	code           int
	stdout, stderr []byte
	peak           int
	cpu            float64
	faults         []string
}

func (o *tortureOutcome) fault(format string, args ...any) {
	o.faults = append(o.faults, fmt.Sprintf(format, args...))
}

// check returns what is wrong.
func (o *tortureOutcome) check() []string {
	o.ending()
	o.messages()
	o.places()
	o.output()
	// Both inputs of a command that has two may be that one.
	said := memoryBase + memoryEach*2*o.t.size
	if limit := tortureMemory + tortureGarbage*said>>10; o.peak > limit && !o.t.Heavy {
		o.fault("memory: %d MiB for %d KiB of input", o.peak>>10, o.t.size>>10)
	}
	switch {
	case o.s.name == "corpus values":
		o.answered()
	case o.t.what == "job" && o.s.name == "replay status":
		o.t.unread = o.code == exitUnread
	case o.t.what == "job" && o.s.name == "replay gather" && o.t.unread && o.code != exitUnread:
		o.fault("code %d of a job whose status could not be read: %.200s", o.code, o.stderr)
	case !o.t.dir:
		o.believe()
	}
	return o.faults
}

// refusals are what a command may say with 2 or 4 of an input: what it was
// asked for cannot be had of that input.
var refusals = regexp.MustCompile(`(?i)cannot hold|one by one|not of several hosts|has \d+ (rows|columns|sheets)|at most|too many|is no plan|no corpus|holds no |no file|several files|is not empty|not a corpus|benchproof-sql|a job of many hosts|want 2 systems|want two|want as many|want one|no test is left|no baseline|is the name of several`)

// labelled matches an error of an input that has another name.
var labelled = regexp.MustCompile(`(error: |")([abxy]|page.txt):`)

// ending looks at the exit code.
func (o *tortureOutcome) ending() {
	text := string(o.stderr)
	if strings.Contains(text, "internal error") {
		o.fault("panic: %.400s", text)
		return
	}
	code := strconv.Itoa(o.code)
	if len(code) > 1 || !strings.Contains(o.s.codes, code) {
		if (o.code == exitUsage || o.code == exitFailed) && refusals.MatchString(text) {
			return
		}
		o.fault("code %d: %.300s", o.code, text)
	}
	errs := 0
	named := false
	name := o.t.Name
	if slices.Contains(o.s.args, "-") {
		name = "stdin"
	}
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "benchproof: error: ") || strings.HasPrefix(l, "{") && strings.Contains(l, `"error":`) {
			errs++
			named = named || strings.Contains(l, name) || strings.Contains(l, "sound.dat") || labelled.MatchString(l)
		}
	}
	switch {
	case (o.code == exitOK || o.code == exitNo) && errs > 0 && o.code != exitNo:
		o.fault("an error, and code %d: %.300s", o.code, text)
	case o.code > exitNo && errs == 0:
		o.fault("code %d without an error", o.code)
	case o.code == exitUnread && !named && o.t.what != "several" && strings.HasPrefix(name, "in") && o.s.name != "corpus add":
		o.fault("no error names the input: %.300s", text)
	}
}

// messages looks at stderr.
func (o *tortureOutcome) messages() {
	if at := hiddenIn(o.stderr, "\n"); at >= 0 {
		o.fault("stderr: a hidden character: %.120q", o.stderr[max(0, at-40):])
	}
	for l := range bytes.Lines(o.stderr) {
		if !bytes.HasPrefix(l, []byte("benchproof: ")) && !(l[0] == '{' && json.Valid(l)) {
			o.fault("stderr: a line that is no message: %.200q", l)
			break
		}
		if len(l) > 6000 {
			o.fault("stderr: a line of %d bytes", len(l))
		}
	}
}

// hiddenIn returns where text has a character that a terminal obeys or that
// hides from the eye, -1 if nowhere. What pass has is none. Joiners, which emoji
// need, are not looked for.
func hiddenIn(text []byte, pass string) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		bad := r < 0x20 || r >= 0x7f && r <= 0x9f || r == utf8.RuneError && n == 1
		switch {
		case r == 0xad, r == 0x61c, r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
			r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
			bad = true
		}
		if bad && !strings.ContainsRune(pass, r) {
			return i
		}
		i += n
	}
	return -1
}

// places looks for files where none may be.
func (o *tortureOutcome) places() {
	if _, err := os.Lstat(torture.Escape); err == nil {
		o.fault("wrote to %s", torture.Escape)
		_ = os.RemoveAll(torture.Escape)
	}
	list, err := os.ReadDir(".")
	if err != nil {
		o.fault("%v", err)
	}
	for _, e := range list {
		if !slices.Contains([]string{"in", "out", "tmp", "bin"}, e.Name()) {
			o.fault("wrote %s", e.Name())
			_ = os.RemoveAll(e.Name())
		}
	}
	if list, err := os.ReadDir("tmp"); err == nil && !o.s.writes && len(list) > 0 {
		o.fault("left %s behind", list[0].Name())
	}
	if o.t.dir {
		keep, err := os.ReadFile("in/target/keep/file")
		if err != nil || string(keep) != "keep" {
			o.fault("touched what is in the target: %v", err)
		}
	} else {
		data, err := os.ReadFile(o.t.path)
		if err != nil || !bytes.Equal(data, o.t.Data) {
			o.fault("changed its input: %v", err)
		}
		if list, err := os.ReadDir("in"); err == nil && len(list) != 2 {
			o.fault("wrote beside its input: %v", list)
		}
	}
	var wrong []string
	_ = filepath.WalkDir("out", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(path)
		switch {
		case err != nil, d.IsDir():
		case name == o.s.out:
		case o.s.form == "pictures" && strings.HasPrefix(name, "out/r/") && !strings.Contains(name[6:], "/") && ofReport(name[6:]):
		case o.s.form == "set" && strings.HasPrefix(name, "out/set/"):
		default:
			wrong = append(wrong, name)
		}
		return nil
	})
	if len(wrong) > 0 {
		o.fault("wrote %q", wrong)
	}
}

// output looks at what was written, which must be whole, or not there.
func (o *tortureOutcome) output() {
	data := o.stdout
	if o.s.out != "" && o.s.form != "pictures" {
		if len(o.stdout) > 0 {
			o.fault("stdout beside a file: %.100q", o.stdout)
		}
		file, err := os.ReadFile(o.s.out)
		switch {
		case err != nil && (o.code == exitOK || o.code == exitNo):
			o.fault("no output: %v", err)
			return
		case err == nil && o.code != exitOK && o.code != exitNo && o.code != exitUnread && !o.s.writes:
			o.fault("an output in spite of code %d", o.code)
		case err != nil:
			return
		}
		data = file
	} else if o.s.form != "pictures" && o.s.form != "set" {
		switch {
		case len(data) == 0 && o.code == exitOK && len(o.stderr) == 0 && o.s.form != "pts" && !strings.HasPrefix(o.s.form, "ndjson"):
			o.fault("no output")
			return
		case len(data) == 0:
			return
		case o.code == exitUsage:
			o.fault("output with code %d: %.100q", o.code, data)
		}
	}
	if err := o.whole(data); err != nil {
		o.fault("%s: %v", o.s.form, err)
	}
}

// whole reads data back by what others wrote for its form.
func (o *tortureOutcome) whole(data []byte) error {
	switch o.s.form {
	case "json":
		return soundJSON(data)
	case "ndjson":
		for l := range bytes.Lines(data) {
			if err := soundJSON(l); err != nil {
				return err
			}
		}
		return noHidden(data, "\n")
	case "json terminal", "ndjson terminal":
		return noHidden(data, "\n\t")
	case "csv":
		return soundCSV(data)
	case "csv terminal":
		return noHidden(data, "\n\t\r")
	case "txt", "md", "pts":
		return noHidden(data, "\n\t")
	case "ascii":
		return noHidden(data, "\n")
	case "xml":
		return soundXML(data)
	case "html":
		return soundPage(data)
	case "xlsx":
		return soundWorkbook(data)
	case "parquet":
		return soundParquet(data)
	case "sqlite":
		return soundSQLite(o.s.out)
	case "pictures":
		return o.pictures()
	}
	return nil
}

func noHidden(data []byte, pass string) error {
	if at := hiddenIn(data, pass); at >= 0 {
		return fmt.Errorf("a hidden character: %.100q", data[max(0, at-50):])
	}
	return nil
}

func soundJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more behind the end")
	}
	if bytes.Contains(data, []byte("<script")) {
		return errors.New("an element")
	}
	return noHidden(data, "\n\t")
}

// figureText is what a cell may begin with a sign for.
var figureText = regexp.MustCompile(`^[-+]?[0-9.][-+0-9.,;eE ]*$|^[-+]?(?i:nan|inf|infinity)([;,].*)?$`)

func soundCSV(data []byte) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = 0
	rows := 0
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		rows++
		for i, c := range row {
			if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) && !figureText.MatchString(c) {
				return fmt.Errorf("a formula in column %d: %.80q", i+1, c)
			}
		}
	}
	if rows == 0 {
		return errors.New("no header")
	}
	return noHidden(data, "\n\t\r")
}

func soundXML(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	elements := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			elements++
			if strings.Contains(t.Name.Local, torture.Marker) {
				return fmt.Errorf("an element of the input: %s", t.Name.Local)
			}
		case xml.Directive:
			return fmt.Errorf("a directive: %.80s", t)
		case xml.Comment:
			if bytes.Contains(t, []byte(torture.Marker)) {
				return fmt.Errorf("a comment: %.80s", t)
			}
		}
	}
	if elements == 0 {
		return errors.New("no element")
	}
	return nil
}

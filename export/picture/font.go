package picture

import (
	"os"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"

	"github.com/benchproof/benchproof/internal/term"
)

// fonts measures and wraps text, and finds fonts for its letters. Measures are
// those of the bundled font, and of the widths of letters where that has none,
// so that they do not depend on the system.
type fonts struct {
	faces   [2]font.Face // regular, bold
	advance [2]map[rune]float64
	buffer  sfnt.Buffer
	// rasters are fonts as they are set in PNG.
	rasters map[rasterKey]xfont.Face
	// others are fonts of the system, looked for where they are needed.
	others []*opentype.Font
	looked bool
	dirs   []string
	// missing are letters that no font has.
	missing map[rune]bool
}

type rasterKey struct {
	font *opentype.Font
	size float64
}

// raster returns a font of a size in points for setting in PNG.
func (f *fonts) raster(font *opentype.Font, size float64) xfont.Face {
	key := rasterKey{font, size}
	face, ok := f.rasters[key]
	if !ok {
		var err error
		// Hinting would move letters to whole pixels.
		face, err = opentype.NewFace(font, &opentype.FaceOptions{Size: size, DPI: dpi})
		if err != nil {
			panic("a font without faces: " + err.Error())
		}
		f.rasters[key] = face
	}
	return face
}

// systemFonts are files of fonts with letters of many scripts, in the places
// where the distributions of Linux keep them.
var systemFonts = []string{
	"opentype/noto/NotoSansCJK-Regular.ttc",
	"google-noto-cjk/NotoSansCJK-Regular.ttc",
	"noto-cjk/NotoSansCJK-Regular.ttc",
	"truetype/droid/DroidSansFallbackFull.ttf",
	"truetype/wqy/wqy-microhei.ttc",
	"wenquanyi/wqy-microhei/wqy-microhei.ttc",
	"truetype/dejavu/DejaVuSans.ttf",
	"dejavu-sans-fonts/DejaVuSans.ttf",
	"TTF/DejaVuSans.ttf",
}

var fontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// newFonts returns the bundled fonts; those of the system are looked for in
// dirs.
func newFonts(dirs []string) *fonts {
	cache := font.NewCache(liberation.Collection())
	f := &fonts{dirs: dirs, missing: map[rune]bool{}, rasters: map[rasterKey]xfont.Face{}}
	for i, weight := range []xfont.Weight{xfont.WeightNormal, xfont.WeightBold} {
		f.faces[i] = cache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}, 10)
		f.advance[i] = map[rune]float64{}
	}
	return f
}

// shown returns published text as it is set: one line, nothing hidden, letters
// and their marks joined where there is a letter for both.
func shown(text string) string { return norm.NFC.String(term.Visible(text)) }

func (f *fonts) index(bold bool) int {
	if bold {
		return 1
	}
	return 0
}

// width returns the width of text in points.
func (f *fonts) width(text string, s textStyle) float64 {
	w := 0.0
	for _, r := range text {
		w += f.letter(r, s.bold)
	}
	return w * s.size
}

// letter returns the width of a letter in sizes of the font.
func (f *fonts) letter(r rune, bold bool) float64 {
	at := f.index(bold)
	if w, ok := f.advance[at][r]; ok {
		return w
	}
	w := 0.6
	face := f.faces[at].Face
	if g, err := face.GlyphIndex(&f.buffer, r); err == nil && g != 0 {
		em := fixed.Int26_6(face.UnitsPerEm())
		if a, err := face.GlyphAdvance(&f.buffer, g, em, xfont.HintingNone); err == nil {
			w = float64(a) / float64(em)
		}
	} else if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		w = 0
	} else if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		w = 1
	}
	f.advance[at][r] = w
	return w
}

// part is a piece of text that one font has all letters of.
type part struct {
	text string
	font *opentype.Font
}

// box is drawn for a letter that no font has.
const box = "□"

// parts divides text by the fonts that have its letters.
func (f *fonts) parts(text string, bold bool) []part {
	main := f.faces[f.index(bold)].Face
	var parts []part
	add := func(text string, font *opentype.Font) {
		if n := len(parts); n > 0 && parts[n-1].font == font {
			parts[n-1].text += text
			return
		}
		parts = append(parts, part{text, font})
	}
	for _, r := range text {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			continue // joins and chooses, and shows nothing itself
		}
		switch font := f.find(r, main); {
		case font != nil:
			add(string(r), font)
		case unicode.In(r, unicode.Mn, unicode.Me):
			f.missing[r] = true
		default:
			f.missing[r] = true
			add(box, main)
		}
	}
	return parts
}

// find returns a font that has a letter, the main one rather than another; nil
// if there is none.
func (f *fonts) find(r rune, main *opentype.Font) *opentype.Font {
	if has(main, &f.buffer, r) {
		return main
	}
	f.look()
	for _, font := range f.others {
		if has(font, &f.buffer, r) {
			return font
		}
	}
	return nil
}

func has(font *opentype.Font, b *sfnt.Buffer, r rune) bool {
	g, err := font.GlyphIndex(b, r)
	if err != nil || g == 0 {
		return false
	}
	// A glyph that is a picture (an emoji in colour) cannot be drawn.
	_, err = font.LoadGlyph(b, g, fixed.I(64), nil)
	return err == nil
}

// look reads the fonts of the system, once.
func (f *fonts) look() {
	if f.looked {
		return
	}
	f.looked = true
	for _, dir := range f.dirs {
		for _, name := range systemFonts {
			data, err := os.ReadFile(dir + "/" + name)
			if err != nil {
				continue
			}
			if c, err := opentype.ParseCollection(data); err == nil {
				if font, err := c.Font(0); err == nil {
					f.others = append(f.others, font)
				}
			}
		}
	}
}

// lost returns the letters that no font has, for a note; "" if there are none.
func (f *fonts) lost() string {
	const most = 20
	var letters []rune
	for r, yes := range f.missing {
		if yes {
			letters = append(letters, r)
		}
	}
	if len(letters) == 0 {
		return ""
	}
	sortRunes(letters)
	text := string(letters[:min(len(letters), most)])
	if len(letters) > most {
		text += " …"
	}
	return text
}

// wrap divides text into lines of at most width points: at spaces, else behind
// one of ,-/:;_ and else in a word, never between a letter and its marks. More
// than most lines are cut, 0 for any number; then the last ends in "…".
func (f *fonts) wrap(text string, s textStyle, width float64, most int) []string {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	var lines []string
	for text != "" {
		end := f.fit(text, s, width)
		line := strings.TrimRight(text[:end], " ")
		text = strings.TrimLeft(text[end:], " ")
		lines = append(lines, line)
		if most > 0 && len(lines) == most && text != "" {
			end := f.fit(line, s, width-f.width("…", s))
			lines[most-1] = strings.TrimRight(line[:end], " ") + "…"
			break
		}
	}
	return lines
}

// fit returns how many bytes of text a line of width points takes, at least one
// letter with its marks.
func (f *fonts) fit(text string, s textStyle, width float64) int {
	used, space, soft, hard := 0.0, 0, 0, 0
	for i, r := range text {
		whole := !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
		if i > 0 && whole {
			hard = i
		}
		used += f.letter(r, s.bold) * s.size
		if used > width+1e-9 && r != ' ' && hard > 0 {
			switch {
			case space > 0:
				return space
			case soft > i/2:
				return soft
			}
			return hard
		}
		switch {
		case r == ' ' && strings.TrimSpace(text[:i]) != "":
			space = i + 1
		case strings.ContainsRune(",-/:;_", r):
			soft = i + 1
		}
	}
	return len(text)
}

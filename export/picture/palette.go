package picture

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// farthest is by how much all parts of a colour together may change, of 3*255.
const farthest = 48

// paletted returns a picture in at most 256 colours: the most frequent ones as
// they are, and others as one that is near. Charts have few colours, and at
// their edges as many shades as the eye does not tell apart. The file is then a
// third as large. Where nothing is near enough the picture stays as it is.
func paletted(from image.Image) image.Image {
	rgba, ok := from.(*image.RGBA)
	if !ok {
		b := from.Bounds()
		rgba = image.NewRGBA(b)
		draw.Draw(rgba, b, from, b.Min, draw.Src)
	}
	counts := map[color.RGBA]int{}
	runs(rgba, func(_ int, c color.RGBA, n int) { counts[c] += n })
	colors := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		colors = append(colors, c)
	}
	code := func(c color.RGBA) int { return int(c.R)<<24 | int(c.G)<<16 | int(c.B)<<8 | int(c.A) }
	slices.SortFunc(colors, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(code(a), code(b)))
	})
	index, palette := choose(colors)
	if palette == nil {
		return from
	}
	to := image.NewPaletted(rgba.Bounds(), palette)
	runs(rgba, func(at int, c color.RGBA, n int) {
		i := index[c]
		for k := range n {
			to.Pix[at+k] = i
		}
	})
	return to
}

// choose returns a palette of colors, the first of which it prefers, and the
// place of every colour in it; nil if 256 do not stand for all of them.
func choose(colors []color.RGBA) (map[color.RGBA]uint8, color.Palette) {
	for _, near := range []int{0, 6, 12, 24, farthest} {
		index := make(map[color.RGBA]uint8, len(colors))
		var kept []color.RGBA
		for _, c := range colors {
			best := -1
			for i := range kept {
				if d := distance(c, kept[i]); d <= near && (best < 0 || d < distance(c, kept[best])) {
					best = i
				}
			}
			if best < 0 {
				if best = len(kept); best == 256 {
					index = nil
					break
				}
				kept = append(kept, c)
			}
			index[c] = uint8(best)
		}
		if index == nil {
			continue
		}
		palette := make(color.Palette, len(kept))
		for i, c := range kept {
			palette[i] = c
		}
		return index, palette
	}
	return nil, nil
}

func distance(a, b color.RGBA) int {
	part := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return part(a.R, b.R) + part(a.G, b.G) + part(a.B, b.B)
}

// runs calls use for every run of pixels of one colour, row by row, with the
// place of its first pixel counted from the first of all.
func runs(m *image.RGBA, use func(at int, c color.RGBA, n int)) {
	wide, high := m.Rect.Dx(), m.Rect.Dy()
	for y := range high {
		row := m.Pix[y*m.Stride:][:4*wide]
		for x := 0; x < wide; {
			c := color.RGBA{row[4*x], row[4*x+1], row[4*x+2], row[4*x+3]}
			n, pixel := 1, binary.LittleEndian.Uint32(row[4*x:])
			for x+n < wide && binary.LittleEndian.Uint32(row[4*(x+n):]) == pixel {
				n++
			}
			use(y*wide+x, c, n)
			x += n
		}
	}
}

package systable

import "strings"

// canCut reports whether a cell may begin or end at an offset: not inside a
// letter of several bytes, nor inside a run of blanks.
func (l *lattice) canCut(i int) bool {
	if i == 0 || i == len(l.text) {
		return true
	}
	a, b := l.text[i-1], l.text[i]
	if b >= 0x80 && b < 0xc0 || a == ' ' && b == ' ' {
		return false
	}
	// Between two small letters only words that are known begin and end.
	return !isLower(a) || !isLower(b) || l.atSmallWord(i)
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// smallWords are the words in small letters that values begin or end with, or
// are.
var smallWords = func() []string {
	words := strings.Fields(`llvmpipe softpipe swrast modesetting intel radeon amdgpu nouveau nvidia
		fglrx nv vesa fbdev fbturbo vmware vboxvideo vboxdrmfb qxl cirrus ast mga openchrome freedreno
		openSUSE elementary macOS neon bcm2835 vc4 tegra qxldrmfb astdrmfb mgadrmfb mgag200drmfb drmfb
		virtio simple hyperv efifb jetson quill sun docker systemd nspawn lxc wsl container parallels
		microsoft amazon bhyve xen podman none i3 sway eVGA iMac iBook nVidia nForce deepin siduction
		rv64 awesome dwm bspwm labwc niri joyent omnios udl dummy armsoc omap ati apple hdmi`)
	for w := range fileSystems {
		words = append(words, w)
	}
	return words
}()

// atSmallWord reports whether a word of small letters begins or ends at an
// offset.
func (l *lattice) atSmallWord(i int) bool {
	for _, w := range smallWords {
		if strings.HasPrefix(l.text[i:], w) || strings.HasSuffix(l.text[:i], w) {
			return true
		}
	}
	return false
}

// tornWords marks the offsets inside words that values.txt has: a boundary
// there is unlikely.
func tornWords(text string) []bool {
	known := teach().words
	torn := make([]bool, len(text)+1)
	for i := range text {
		if !isLetter(text[i]) {
			continue
		}
		for n := longestWord; n >= shortestWord; n-- {
			if i+n > len(text) || i+n < len(text) && isLetter(text[i+n]) || !known[text[i:i+n]] {
				continue
			}
			for j := i + 1; j < i+n; j++ {
				torn[j] = true
			}
			break
		}
	}
	return torn
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// tear is the cost of a boundary at an offset by the words there.
func (l *lattice) tear(i int) float32 {
	if l.torn[i] {
		return tornWord
	}
	return 0
}

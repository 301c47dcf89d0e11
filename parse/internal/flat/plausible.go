package flat

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plausibility is what tells readings apart that the page's hard rules allow.
// Costs are negative logarithms of likelihoods: a reading that costs ln 1000
// more than another is a thousand times less likely.

// decisive is the lead, as a cost, that makes a reading inferred rather than
// ambiguous.
var decisive = math.Log(1000)

// startWords begin identifiers in published results more often than they
// continue one.
var startWords = wordSet(`
 EXT2 EXT3 EXT4 ext4 XFS xfs Btrfs BTRFS btrfs F2FS f2fs ZFS zfs OpenZFS JFS NILFS2 NTFS NTFS3 exFAT ReiserFS Reiser4
 Bcachefs bcachefs OverlayFS Overlayfs Stratis HAMMER2 UFS APFS FAT32 tmpfs GlusterFS Glusterfs CephFS NFS SSHFS EROFS SquashFS OCFS2 GFS2
 Core Ryzen EPYC Xeon Threadripper Athlon Phenom FX Atom Celeron Pentium Apple Ampere POWER8 POWER9 POWER10 Graviton
 Graviton2 Graviton3 Graviton4 Raspberry Opteron Intel AMD ARM Cortex Neoverse Snapdragon Altra Kunpeng Loongson
 ThinkPad MacBook Dell Lenovo HP ASUS MSI Gigabyte ODROID Jetson Orange Pine64 Rock
 RX R9 R7 HD RTX GTX GT TITAN Vega Arc Radeon GeForce Quadro NVIDIA Tesla Iris UHD
 Ubuntu Fedora Debian openSUSE SUSE SLES Arch Manjaro Clear CentOS RHEL Rocky AlmaLinux Gentoo Solus Mint Linux FreeBSD
 OpenBSD NetBSD DragonFlyBSD Windows macOS Oracle Amazon Solaris OpenIndiana Void Alpine Antergos CachyOS Pop!_OS elementary
 Kernel Mesa AMDVLK RADV Gallium3D
 GCC Clang LLVM AOCC ICC ICX Zapcc PGI
 SSD HDD NVMe SATA USB RAID RAIDZ mdadm Native LVM LUKS dm-crypt VM KVM VMware VirtualBox Docker Podman Xen Hyper-V QEMU WSL WSL2
 Bare bare-metal Before After before after Default default Stock stock Baseline baseline Base Patched patched
 Test test Run run Trial OC Overclocked mitigations=off no No My x86_64 arm64 aarch64 With Without with
 Samsung WD Crucial Kingston SanDisk Seagate Toshiba Corsair Optane Micron Hitachi
 CFQ cfq deadline noop none bfq BFQ kyber mq-deadline MQ-DEADLINE schedutil ondemand performance powersave
`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// innerWords are words that mix letters of both cases or digits within.
var innerWords = wordSet(`vCPU vCPUs pCPU iGPU dGPU eMMC NVMe PCIe ReiserFS Btrfs exFAT OpenZFS GlusterFS OverlayFS CephFS SquashFS
 AlmaLinux CachyOS ThinkPad MacBook GeForce FreeBSD OpenBSD NetBSD DragonFlyBSD macOS openSUSE CentOS VirtualBox VMware
 PC VM OS SanDisk GHz MHz DeepCool McAfee LibreOffice OpenCL OpenGL`)

// firstWord returns text up to its first blank.
func firstWord(text string) string {
	if i := strings.IndexByte(text, ' '); i >= 0 {
		return text[:i]
	}
	return text
}

// startsKnown reports whether text begins with a start word that may end
// there: no letter of the same case follows it.
func startsKnown(text string) (word string, ok bool) {
	for n := min(len(text), 16); n >= 2; n-- {
		if startWords[text[:n]] {
			return text[:n], true
		}
	}
	return "", false
}

// nameLead is the lead, in the costs of identifiers, from which on names are
// inferred. It was measured: of some thousand random sets of real
// identifiers run together none whose cheapest division led by so much was
// divided wrong.
const nameLead = 5

type letterKind int

const (
	kindOther letterKind = iota
	kindLower
	kindUpper
	kindDigit
)

func kindOf(r rune) letterKind {
	switch {
	case unicode.IsLower(r):
		return kindLower
	case unicode.IsUpper(r):
		return kindUpper
	case unicode.IsDigit(r):
		return kindDigit
	}
	return kindOther
}

// boundaryCost is the cost of an identifier's end between a and b.
func boundaryCost(a, b rune) float64 {
	ka, kb := kindOf(a), kindOf(b)
	switch {
	case a == ')' || a == ']':
		return 0.3
	case ka == kindLower && kb == kindUpper:
		return 0.7
	case ka == kindDigit && kb == kindUpper:
		return 1
	case ka == kindUpper && kb == kindUpper:
		return 2
	case ka == kindUpper && kb == kindDigit:
		return 3
	case ka == kindLower && kb == kindDigit:
		return 2.5
	case ka == kindDigit && kb == kindDigit:
		return 4
	case ka == kindDigit && kb == kindLower:
		return 3.5
	case ka == kindUpper && kb == kindLower:
		return 3.5
	case ka == kindLower && kb == kindLower:
		return 4
	case kb == kindOther || ka == kindOther:
		return 6
	}
	return 4
}

// joinCost is the cost of no end between a and b within an identifier.
func joinCost(a, b rune) float64 {
	ka, kb := kindOf(a), kindOf(b)
	switch {
	case a == ')' && b != ' ':
		return 3
	case ka == kindLower && kb == kindUpper:
		return 1
	case ka == kindDigit && kb == kindUpper:
		return 0.7
	}
	return 0
}

// segmentCost is the cost of an identifier by itself: the joins within it,
// its words, its brackets. cells is the text of the systems table's cells,
// in which identifiers that name a component stand again.
func segmentCost(name, cells string) float64 {
	cost := 0.0
	var prev rune
	depth := 0
	for i, r := range name {
		if i > 0 && !innerWords[wordAround(name, i)] {
			cost += joinCost(prev, r)
			// A known word that begins without a blank before it is
			// likely another identifier.
			if prev != ' ' && prev != '-' && prev != '/' && prev != '(' {
				if w, ok := startsKnown(name[i:]); ok && len(w) >= 3 && kindOf(rune(w[0])) == kindUpper {
					if kindOf(prev) == kindUpper && len(w) == 3 {
						cost += 2.5
					} else if kindOf(prev) == kindUpper {
						cost += 4
					} else {
						cost += 3
					}
				} else if ok && len(w) >= 4 && kindOf(prev) == kindUpper {
					cost += 2.5
				}
			}
		}
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
			if depth < 0 {
				cost += 6
			}
		}
		prev = r
	}
	if depth > 0 {
		cost += 6
	}
	first, _ := utf8.DecodeRuneInString(name)
	if startWords[firstWord(name)] {
		cost -= 3
	} else if w, ok := startsKnown(name); ok && len(w) > 2 {
		cost--
	} else if k := kindOf(first); k == kindDigit && !startsLikeVersion(name) {
		cost += 1.5
	} else if k == kindOther {
		cost += 8
	}
	if len(name) >= 4 && strings.Contains(name, " ") && containsWords(cells, name) {
		cost -= 4
	}
	if n := utf8.RuneCountInString(name); n == 1 {
		cost += 2.5
	} else if n == 2 && !startWords[name] {
		cost++
	}
	return cost
}

// splitWordCost returns for each offset of run the cost of an identifier's
// end there for the known word that it would cut.
func splitWordCost(run string) []float64 {
	cost := make([]float64, len(run)+1)
	for i := range run {
		for n := min(len(run)-i, 16); n >= 2; n-- {
			w := run[i : i+n]
			if !startWords[w] && !innerWords[w] || n == 2 && (i == 0 || run[i-1] != ' ') {
				continue
			}
			// A word that goes on in lower case is another word.
			if i+n < len(run) && kindOf(rune(run[i+n])) == kindLower && kindOf(rune(w[n-1])) == kindLower {
				continue
			}
			for k := i + 1; k < i+n; k++ {
				cost[k] = math.Max(cost[k], math.Min(4, float64(n)))
			}
			break
		}
	}
	return cost
}

// wordAround returns the word of name that offset i is in.
func wordAround(name string, i int) string {
	begin := strings.LastIndexByte(name[:i], ' ') + 1
	end := len(name)
	if j := strings.IndexByte(name[i:], ' '); j >= 0 {
		end = i + j
	}
	return name[begin:end]
}

// startsLikeVersion reports whether name begins with a version ("5.16-rc1",
// "6.1.0") or a count ("2 x EPYC", "1 vCPU").
func startsLikeVersion(name string) bool {
	i := 0
	for i < len(name) && isDigit(name[i]) {
		i++
	}
	if i == 0 || i == len(name) {
		return false
	}
	switch name[i] {
	case '.':
		return i <= 2 && i+1 < len(name) && isDigit(name[i+1])
	case ' ', '-':
		return true
	case 'x':
		return i+1 < len(name) && name[i+1] == ' '
	}
	return false
}

// containsWords reports whether name stands in text at word boundaries.
func containsWords(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		before := i == 0 || !isWord(text[i-1])
		after := end == len(text) || !isWord(text[end])
		if before && after {
			return true
		}
		from = i + 1
	}
}

func isWord(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// samplesCost is the cost of N runs: 3 by PTS's rule, up to 15 by its
// dynamic run count, rarely more.
func samplesCost(n int) float64 {
	switch {
	case n == 3:
		return 0.5
	case n == 2:
		return 5
	case n >= 4 && n <= 15:
		return 3
	case n <= 60:
		return 9
	}
	return 14
}

// spreadCost is the cost of a value beside the largest of its test.
func spreadCost(v, hi float64) float64 {
	if v <= 0 || hi <= 0 {
		return 4
	}
	l := math.Log(hi / v)
	return math.Min(5, 0.2*l*l)
}

// stdErrorCost is the cost of a standard error beside its value.
func stdErrorCost(se, v float64) float64 {
	switch {
	case v <= 0:
		return 6
	case se > v:
		return 8
	case se > 0.4*v:
		return 3.5
	case se > 0.15*v:
		return 1
	}
	return 0
}

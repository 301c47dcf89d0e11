package lab

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/result"
)

// Proposal is what configuration a published system seems to have been.
type Proposal struct {
	System string `json:"system"` // its identifier
	// Spec is the configuration, "" with the reason where there is none.
	Spec   string `json:"spec"`
	Reason string `json:"reason,omitempty"`
	// Doubt says what was guessed and could be otherwise, "" for nothing.
	Doubt string `json:"doubt,omitempty"`

	spec Spec
}

var (
	raidLevel = regexp.MustCompile(`\braid[ -]?(10|[0156])\b`)
	raidZ     = regexp.MustCompile(`\braid-?z([123]?)\b`)
	numbered  = regexp.MustCompile(`\b(\d{1,2}) ?x `)
	words     = regexp.MustCompile(`[\p{L}\p{N}]+`)
)

// numbers are words for a number of disks.
var numbers = map[string]int{"dual": 2, "two": 2, "triple": 3, "three": 3, "quad": 4, "four": 4}

// remote are words of what no lab on one machine is, as parts of a name.
var remote = []string{"gluster", "nfs", "ceph", "cifs", "smb", "iscsi", "lustre", "drbd", "crypt", "luks", "bcache"}

// foreign are file-systems that the lab does not make.
var foreign = []string{"bcachefs", "exfat", "ext2", "ext3", "jfs", "nilfs2", "ntfs", "reiser4", "reiserfs", "ufs"}

// propose finds out what configuration a published system was, by its
// identifier and by its File-System and Disk.
func propose(s *result.System) Proposal {
	p := Proposal{System: s.Identifier}
	name := strings.ToLower(s.Identifier)
	tokens := words.FindAllString(name, -1)
	for _, word := range remote {
		if strings.Contains(name, word) {
			p.Reason = fmt.Sprintf("%q is none of the lab's: mount it, and name it with --target", word)
			return p
		}
	}
	if i := slices.IndexFunc(tokens, func(t string) bool { return slices.Contains(foreign, t) }); i >= 0 {
		p.Reason = tokens[i] + " is no file-system of the lab"
		return p
	}
	var doubts []string
	doubt := func(format string, args ...any) { doubts = append(doubts, fmt.Sprintf(format, args...)) }

	var said []string
	for fs := range fileSystems {
		if slices.Contains(tokens, fs) {
			said = append(said, fs)
		}
	}
	component := strings.ToLower(strings.TrimSpace(of(s.Software, "File-System")))
	switch {
	case len(said) > 1:
		slices.Sort(said)
		p.Reason = "its name has several file-systems: " + strings.Join(said, ", ")
		return p
	case len(said) == 1:
		p.spec.FS = said[0]
		if component != "" && component != said[0] {
			doubt("its File-System is %s", component)
		}
	case fileSystems[component] > 0:
		p.spec.FS = component
	case component != "":
		p.Reason = component + " is no file-system of the lab"
		return p
	default:
		p.Reason = "neither its name nor a File-System tells one"
		return p
	}
	p.level(name, tokens, doubt)
	p.disks(name, tokens, strings.ToLower(of(s.Hardware, "Disk")), doubt)
	p.Spec, p.Doubt = p.spec.String(), strings.Join(doubts, "; ")
	return p
}

// level finds the level, and whose it is.
func (p *Proposal) level(name string, tokens []string, doubt func(string, ...any)) {
	s := &p.spec
	md := slices.Contains(tokens, "mdadm") || slices.Contains(tokens, "md")
	if m := raidZ.FindStringSubmatch(name); m != nil && s.FS == "zfs" {
		s.Level = "raidz"
		switch m[1] {
		case "2":
			s.Level = "raidz2"
		case "3":
			s.Level = "raidz2"
			doubt("raidz3 is none of the lab's")
		}
		return
	}
	level := ""
	switch {
	case raidLevel.MatchString(name):
		level = "raid" + raidLevel.FindStringSubmatch(name)[1]
	case slices.Contains(tokens, "mirror"):
		level = "raid1"
	case slices.Contains(tokens, "stripe") || slices.Contains(tokens, "striped"):
		level = "raid0"
	default:
		return
	}
	switch {
	case s.FS == "zfs":
		own := map[string]string{"raid0": "stripe", "raid1": "mirror", "raid5": "raidz", "raid6": "raidz2"}
		if s.Level = own[level]; s.Level == "" {
			s.Level = "mirror"
			doubt("%s of zfs is none of the lab's", level)
		}
	case md:
		s.Array, s.Level = "md", level
	case levels[s.FS] != nil:
		s.Level = level
		if !slices.Contains(tokens, "native") {
			doubt("%s's own %s is taken, and no md:%s:%s", s.FS, level, level, s.FS)
		}
	default:
		s.Array, s.Level = "md", level
		doubt("what makes the array is not said: mdadm is taken")
	}
}

// disks finds the number of disks.
func (p *Proposal) disks(name string, tokens []string, disk string, doubt func(string, ...any)) {
	s := &p.spec
	said, has := 0, 0
	for _, t := range tokens {
		said = max(said, numbers[t])
	}
	if m := numbered.FindStringSubmatch(name); m != nil {
		said, _ = strconv.Atoi(m[1])
	}
	for _, m := range numbered.FindAllStringSubmatch(disk, -1) {
		n, _ := strconv.Atoi(m[1])
		has = max(has, n)
	}
	switch {
	case s.Level == "" && said > 1:
		doubt("its name has %d disks, and no level: one disk is taken", said)
	case s.Level == "" && s.FS == "zfs" && has > 1:
		doubt("the machine has %d equal disks, and no level is said: one disk is taken", has)
	case s.Level == "":
	case s.Level == "mirror" && said == 0 && has > 2:
		doubt("the machine has %d equal disks: one mirror of 2 is taken", has)
	case said == 0 && has == 0:
	default:
		n := said
		if n == 0 {
			n = has
		}
		if n < s.least() || n > maxDisks {
			doubt("the lab makes no %s of %s", s.Level, phrase.Count(n, "disk"))
			return
		}
		s.Disks = n
	}
}

// of returns the value of a component, "" where there is none.
func of(list []result.Component, key string) string {
	for _, c := range list {
		if c.Key == key {
			return c.Value
		}
	}
	return ""
}

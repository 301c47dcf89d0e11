package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/replay"
	"github.com/benchproof/benchproof/replay/lab"
	"github.com/benchproof/benchproof/replay/lab/guest"
	"github.com/benchproof/benchproof/result"
)

// labFlags say what a lab is made of.
type labFlags struct {
	lab, imageDir, imageSize, disk, guest string
	maps                                  []string

	wanted    []lab.Spec
	all       bool // every published system
	size      int64
	limit     lab.Limit
	published []*result.System
}

func (l *labFlags) addFlags(f *pflag.FlagSet) {
	f.StringVar(&l.lab, "lab", "", "make file-systems on images and measure them: `SPECS` such as ext4,xfs,btrfs:raid1,md:raid5:ext4, or published for those of all published systems; needs root unless --lab-guest is given")
	f.StringVar(&l.imageDir, "image-dir", "", "make the lab's images in `DIR`, on a disk with room")
	f.StringVar(&l.imageSize, "image-size", "8G", "make every disk of the lab `SIZE` large, such as 512M; the images take room only as they fill")
	f.StringVar(&l.disk, "lab-disk", "", "limit every disk of the lab to `LIMIT`: iops=N, bps=SIZE a second, or both with a comma between them (default no limit)")
	f.StringVar(&l.guest, "lab-guest", "", "make the whole lab in a guest under QEMU, for file-systems and arrays that this kernel lacks; `HOW` is tcg or kvm (default tcg)")
	f.Lookup("lab-guest").NoOptDefVal = guest.TCG
	completes(f, "lab-guest", guest.TCG, guest.KVM)
	f.StringArrayVar(&l.maps, "map", nil, "let a configuration, or the target of that name, stand for a published system, as `PUBLISHED=SPEC`")
}

// labNames are the flags of a lab.
var labNames = []string{"lab", "image-dir", "image-size", "lab-disk", "lab-guest", "map"}

func (l *labFlags) validate(given func(string) bool) error {
	if l.lab == "" {
		if given("lab") {
			return usage("--lab ext4,xfs", fmt.Errorf("--lab %q names no configuration", l.lab))
		}
		for _, name := range labNames {
			if name != "map" && name != "lab" && given(name) && l.lab == "" {
				return usage("--lab SPECS", fmt.Errorf("--%s goes with --lab alone", name))
			}
		}
		return nil
	}
	if l.imageDir == "" {
		return usage("--image-dir DIR, on a disk with room", errors.New("--lab needs a directory for its images"))
	}
	if given("lab-guest") {
		if given("target") {
			return usage("replay the directories apart", errors.New("--lab-guest: a guest has no directories of this machine for --target"))
		}
		if err := oneOf("--lab-guest", l.guest, guest.TCG, guest.KVM); err != nil {
			return err
		}
	}
	var err error
	if l.all = l.lab == lab.Published; !l.all {
		if l.wanted, err = lab.ParseSpecs(l.lab); err != nil {
			return specError("--lab", err)
		}
	}
	if l.size, err = lab.ParseSize(l.imageSize); err != nil {
		return usage("", fmt.Errorf("--image-size %w", err))
	}
	if l.size < lab.MinSize || l.size > lab.MaxSize {
		return usage("", fmt.Errorf("--image-size %s: want 16M to 64T", l.imageSize))
	}
	if given("lab-disk") {
		if l.limit, err = lab.ParseLimit(l.disk); err != nil {
			return usage("--lab-disk iops=200,bps=50M", fmt.Errorf("--lab-disk %w", err))
		}
	}
	return nil
}

// specError gives the error of a configuration its exit code and hint.
func specError(flag string, err error) error {
	hint := "benchproof help replay plan"
	var e *lab.SpecError
	if errors.As(err, &e) && len(e.Known) > 0 {
		hint = didYouMean(nearest(e.Text, e.Known))
	}
	return usage(hint, fmt.Errorf("%s: %w", flag, err))
}

// mappings divides --map into those of configurations and those of targets,
// which are given the published names in specs.
func (l *labFlags) mappings(specs []replay.TargetSpec) ([]lab.Mapping, error) {
	var list []lab.Mapping
	taken := make(map[string]bool)
	for _, text := range l.maps {
		// No configuration has an equals sign; a published name may.
		i := strings.LastIndexByte(text, '=')
		if i < 1 || i == len(text)-1 {
			return nil, usage(`--map "EXT4 900p=ext4"`, fmt.Errorf("--map %q: want PUBLISHED=SPEC", text))
		}
		name, what := text[:i], text[i+1:]
		if taken[name] {
			return nil, usage("", fmt.Errorf("--map %q: %q is mapped twice", text, name))
		}
		taken[name] = true
		if at := slices.IndexFunc(specs, func(s replay.TargetSpec) bool { return s.Label == what }); at >= 0 {
			if !slices.ContainsFunc(l.published, func(s *result.System) bool { return s.Identifier == name }) {
				return nil, l.noSystem(name)
			}
			specs[at].Label = name
			continue
		}
		s, err := lab.ParseSpec(what)
		switch {
		case err != nil:
			return nil, specError("--map", err)
		case l.lab == "":
			return nil, usage("--lab SPECS", fmt.Errorf("--map %q: there is no lab, and no target of that name", text))
		}
		list = append(list, lab.Mapping{System: name, Spec: s})
	}
	return list, nil
}

func (l *labFlags) noSystem(name string) error {
	var names []string
	for _, s := range l.published {
		names = append(names, s.Identifier)
	}
	hint := didYouMean(nearest(name, names))
	if hint == "" {
		hint = "benchproof show lists the systems"
	}
	return usage(hint, fmt.Errorf("--map: no published system is called %q", name))
}

// specs returns the targets with those of the lab behind them, and what all
// published systems seem to have been.
func (l *labFlags) specs(targets []replay.TargetSpec) ([]replay.TargetSpec, []lab.Proposal, error) {
	specs := slices.Clone(targets)
	maps, err := l.mappings(specs)
	if err != nil || l.lab == "" {
		return specs, nil, err
	}
	choices, proposals, err := lab.Choose(l.wanted, l.all, l.published, maps)
	var unknown *lab.NameError
	switch {
	case errors.As(err, &unknown):
		return nil, nil, l.noSystem(unknown.Name)
	case err != nil:
		return nil, nil, usage("", err)
	case len(choices) == 0:
		return nil, nil, usage("--map NAME=SPEC, or --lab ext4,xfs", errors.New("no published system is known to be of a configuration of the lab"))
	}
	for _, c := range choices {
		specs = append(specs, replay.TargetSpec{Label: c.Label, Lab: &lab.Config{
			Spec: c.Spec.String(), Disks: c.Spec.Number(), Dir: l.imageDir, Size: l.size, Limit: l.limit, Guest: l.guest, Note: c.Note,
		}})
	}
	return specs, proposals, nil
}

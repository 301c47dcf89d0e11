package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Images are the disks of a lab that stands in a guest: files in a directory of
// the lab's own, which [Clean] and [Sweep] remove like any other lab's.
type Images struct {
	lab   *Lab
	files [][]*os.File // by configuration
}

// OpenImages makes the images of a lab, all zeros and sparse. The error is a
// [*DirError] where they may not lie in their directory; then nothing is left.
func OpenImages(ctx context.Context, s Setup) (*Images, error) {
	l, err := begin(ctx, s)
	if err != nil {
		return nil, err
	}
	i := &Images{lab: l}
	for n, at := range l.sites {
		var files []*os.File
		for d := range at.Disks {
			img, err := newImage(filepath.Join(l.dir, fmt.Sprintf("c%dd%d.img", n, d)), at.Size)
			if err != nil {
				_, closeErr := i.Close(context.WithoutCancel(ctx))
				return nil, errors.Join(fmt.Errorf("make the disks of %s: %w", at.Label, err), closeErr)
			}
			files = append(files, img.file)
			at.images = append(at.images, img)
		}
		i.files = append(i.files, files)
	}
	return i, nil
}

// Dir returns the directory of the lab.
func (i *Images) Dir() string { return i.lab.dir }

// Path returns the file of a disk of a configuration, both counted from 0.
func (i *Images) Path(config, disk int) string { return i.files[config][disk].Name() }

// Reset makes all disks zeros again: those of an array must be, to be in sync
// from the beginning.
func (i *Images) Reset() error {
	for n, at := range i.lab.sites {
		for _, f := range i.files[n] {
			if err := errors.Join(f.Truncate(0), f.Truncate(at.Size)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close removes the lab. It returns what it did in words.
func (i *Images) Close(ctx context.Context) ([]string, error) { return i.lab.Close(ctx) }

// OpenOn makes a lab on disks that are there for nothing else: those of a guest,
// which is asked for the path of each by its configuration and number from 0.
// All must be zeros. What makes them limits them. The lab's directory is dir,
// which must not exist; nothing of it is removed, for it ends with the guest.
func OpenOn(ctx context.Context, s Setup, dir string, disk func(config, disk int) (string, error)) (*Lab, error) {
	if s.Tell == nil {
		s.Tell = func(string) {}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	l := &Lab{setup: s, dir: dir}
	for n, c := range s.Configs {
		spec, err := ParseSpec(c.Spec)
		if err != nil {
			return nil, err
		}
		at := &site{Named: c, spec: spec, outside: true, point: filepath.Join(dir, fmt.Sprintf("c%d", n))}
		var devices []string
		for d := range c.Disks {
			device, err := disk(n, d)
			if err != nil {
				return nil, fmt.Errorf("disk %d of %s: %w", d, c.Label, err)
			}
			devices = append(devices, device)
		}
		if err := os.Mkdir(at.point, 0o755); err != nil {
			return nil, err
		}
		if err := l.format(ctx, n, at, devices); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("make the lab of %s: %w", c.Label, err)
		}
		l.sites = append(l.sites, at)
		s.Tell("made " + at.Text() + " for " + at.Label)
	}
	return l, nil
}

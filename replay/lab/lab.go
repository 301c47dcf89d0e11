package lab

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
)

// ErrSystem is returned where the system is not Linux.
var ErrSystem = errors.New("a lab is made on Linux only")

// Named is a configuration with the label of the target that it becomes.
type Named struct {
	Label string
	Config
}

// Setup is what a lab is made of.
type Setup struct {
	// ID is the identifier of the replay, Program what made it.
	ID, Program string
	// Configs are in one image directory.
	Configs []Named
	// Tell is told what is made; nil for nobody.
	Tell func(text string)
}

// DirError says why a directory may not hold images. There is no way to
// insist.
type DirError struct {
	Dir, Reason, Hint string
}

// Error returns the directory and the reason.
func (e *DirError) Error() string { return fmt.Sprintf("image directory %q %s", e.Dir, e.Reason) }

// prefix begins the name of a lab's directory in the image directory.
const prefix = ".benchproof-lab-"

// Path returns the directory of a replay's lab.
func Path(imageDir, id string) string { return filepath.Join(imageDir, prefix+id) }

// uuid returns an identifier for the file-system of a label that is the same
// whenever a replay makes its lab, so that one which goes on measures, as far as
// anybody can tell, the same file-system.
func uuid(id, label string) string {
	h := sha256.Sum256([]byte(id + "\x00" + label))
	h[6] = h[6]&0x0f | 0x80 // version 8: of our own making (RFC 9562)
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// Numbers of loop devices: above those that anybody else uses, and below what
// the kernel allows where loop devices have partitions.
const (
	firstLoop = 1000
	lastLoop  = 60000
)

// loopBase is the number of a replay's first loop device, if nobody has it.
func loopBase(id string) int {
	h := sha256.Sum256([]byte("loop\x00" + id))
	return firstLoop + int(binary.BigEndian.Uint32(h[:4])%(lastLoop-firstLoop-1024))
}

func decimal(n int) string { return strconv.Itoa(n) }

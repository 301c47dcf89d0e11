package native

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// loadFile is the job file of the load beside startup-time.
const loadFile = "startup-load.fio"

// loadName is the file of one of the load's readers or writers.
func loadName(kind string, i int) string { return fmt.Sprintf("startup-load-%s-%d", kind, i) }

// loadJob returns the load's job file: buffered sequential input and output of
// 4 KiB, a file each, over and over.
func loadJob(readers, writers int, size int64, turning bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[global]\nioengine=sync\nbs=4k\nsize=%d\nloops=10000\nfallocate=none\n", size)
	for i := range readers {
		fmt.Fprintf(&b, "\n[reader%d]\nrw=read\nfilename=%s\n", i, loadName("read", i))
	}
	for i := range writers {
		fmt.Fprintf(&b, "\n[writer%d]\nrw=write\nfilename=%s\n", i, loadName("write", i))
		if turning {
			fmt.Fprintf(&b, "rate=%dk\n", 4_000/writers)
		}
	}
	return b.String()
}

// laidOut returns the bytes of the load's files that are there.
func laidOut(n int) int64 {
	sum := int64(0)
	for i := range n {
		for _, kind := range []string{"read", "write"} {
			if info, err := os.Lstat(loadName(kind, i)); err == nil {
				sum += info.Size()
			}
		}
	}
	return sum
}

// rotational reports whether the disk below a folder turns, and whether that
// is known: file-systems over several devices or the network do not say.
func rotational(dir string) (turning, known bool) {
	var st syscall.Stat_t
	if err := syscall.Stat(dir, &st); err != nil {
		return false, false
	}
	major := st.Dev>>8&0xfff | st.Dev>>32&^0xfff
	minor := st.Dev&0xff | st.Dev>>12&^0xff
	device, err := filepath.EvalSymlinks(fmt.Sprintf("/sys/dev/block/%d:%d", major, minor))
	if err != nil {
		return false, false
	}
	for _, at := range []string{device, filepath.Dir(device)} { // a partition's queue is its disk's
		if text, err := os.ReadFile(at + "/queue/rotational"); err == nil {
			return bytes.HasPrefix(text, []byte("1")), true
		}
	}
	return false, false
}

package systable

import (
	"regexp"
	"strconv"
	"strings"
)

// Costs of breaking a rule, in nats. The letter model takes all digits as
// one, so what their values can be is told here.
const (
	never    = 16 // cannot be, unless the page is broken
	hardly   = 8
	unlikely = 4
	unusual  = 2
)

// ruleCost returns what the rules add to the letter model's cost of a value.
func ruleCost(key, v string) float32 {
	c := form(key, v)
	switch key {
	case "Processor":
		c += processor(v)
	case "Chipset", "Motherboard Chipset":
		c += chipset(v)
	case "Memory", "System Memory":
		c += memory(v)
	case "Disk":
		c += disk(v)
	case "Monitor", "Network":
		c += counted(v)
	case "OS":
		c += system(v)
	case "Kernel":
		c += kernel(v)
	case "Display Server", "X.Org Server":
		c += displayServer(v)
	case "Display Driver":
		c += displayDriver(v)
	case "OpenGL":
		c += openGL(v)
	case "OpenCL":
		if !strings.HasPrefix(v, "OpenCL ") {
			c += unlikely
		}
	case "Vulkan":
		if !vulkanForm.MatchString(v) {
			c += hardly
		}
	case "Compiler":
		c += compiler(v)
	case "File-System":
		if !fileSystems[v] {
			c += hardly
		}
	case "Screen Resolution":
		c += resolution(v)
	}
	return c
}

// form judges what no value does: be a bare number, begin with a zero, begin
// or end with a mark that joins, or leave a bracket open.
func form(key, v string) float32 {
	var c float32
	if digits(v) == v {
		c += never
	}
	if v[0] == '0' && len(v) > 1 && v[1] != '.' && key != "Motherboard" && !strings.HasPrefix(v, "0GB") {
		c += hardly
	}
	switch v[0] {
	case '.', ',', ')', ']', '+', '/', ':', ';', '=', '%':
		c += hardly
	case '-', '_', '(', '[', '@':
		c += unlikely
	}
	switch v[len(v)-1] {
	case '.', ',', '(', '[', '/', ':', ';', '=', '@', '-', '_':
		c += unlikely
	}
	if strings.Count(v, "(") != strings.Count(v, ")") || strings.Count(v, "[") != strings.Count(v, "]") {
		c += unlikely
	}
	return c
}

func processor(v string) float32 {
	m := processorEnd.FindStringSubmatch(v)
	if m == nil {
		return unlikely
	}
	var c float32
	if strings.Contains(v, "Core") && strings.Contains(v, "Motherboard") {
		c += unlikely
	}
	if n := v[:len(v)-len(m[0])]; strings.Contains(n, " Core)") || strings.Contains(n, " Cores)") || strings.Contains(n, " Threads)") {
		c += hardly // two processors run together
	}
	return c
}

var processorEnd = regexp.MustCompile(`\((?:Total Cores: )?\d+(?: Cores?)?(?: / \d+ Threads)?\)$`)

// processorTail finds the end of the first processor in a whole text.
var processorTail = regexp.MustCompile(`\(\d+ Cores?(?: / \d+ Threads)?\)`)

func chipset(v string) float32 {
	if i := strings.LastIndex(v, "Device "); i >= 0 {
		id := v[i+len("Device "):]
		if len(id) != 4 || strings.Trim(id, "0123456789abcdef") != "" {
			return unlikely
		}
	}
	if m := chipsetNumber.FindStringSubmatch(v); m != nil && len(m[1]) != 2 && len(m[1]) != 3 {
		return unlikely
	}
	return 0
}

var chipsetNumber = regexp.MustCompile(`(?:^| )[ABHPQXZ](\d+)$`)

func memory(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		n, size, unit, _ := quantity(part)
		switch {
		case unit == "":
			c += never
			continue
		case size[0] == '0':
			c += never
		}
		c += count(n, 32)
		if !memorySizes[size] || len(size) < 3 && unit == "MB" || len(size) > 4 && unit != "MB" {
			c += unlikely
		} else if len(size) < 4 && unit == "MB" {
			c += unusual
		}
	}
	return c
}

func disk(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		n, size, unit, rest := quantity(part)
		if unit == "" {
			if size != "" {
				c += unusual
			}
			continue
		}
		c += count(n, 64)
		switch {
		case size[0] == '0' && size != "0":
			c += never
		case diskSizes[size]:
		case rest != "":
			c += unusual
		}
		if len(size) > 5 {
			c += hardly
		}
	}
	return c
}

// counted judges lists whose items may begin "2 x ".
func counted(v string) float32 {
	var c float32
	for part := range strings.SplitSeq(v, " + ") {
		if n, rest, ok := strings.Cut(part, " x "); ok && rest != "" && strings.Trim(n, "0123456789") == "" {
			c += count(n, 12)
		}
	}
	return c
}

// count judges the number before " x ": 2 to a limit, small ones likelier.
func count(n string, limit int) float32 {
	if n == "" {
		return 0
	}
	i, err := strconv.Atoi(n)
	switch {
	case err != nil || i < 1 || n[0] == '0':
		return never
	case i > limit:
		return hardly
	case i > 8:
		return unusual
	}
	return 0
}

// quantity divides "2 x 500GB Samsung SSD 860" into count, size, unit and
// the rest. Without a unit behind it a number is returned as size alone.
func quantity(s string) (n, size, unit, rest string) {
	num := digits(s)
	if r, ok := strings.CutPrefix(s[len(num):], " x "); ok && num != "" {
		n, s = num, r
		num = digits(s)
	}
	size, rest = num, s[len(num):]
	if size == "" {
		return n, "", "", rest
	}
	rest = strings.TrimPrefix(rest, " ")
	for _, u := range []string{"GB", "MB", "TB"} {
		if r, ok := strings.CutPrefix(rest, u); ok {
			return n, size, u, r
		}
	}
	return n, size, "", rest
}

// digits returns the digits that s begins with.
func digits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

func resolution(v string) float32 {
	w, h, ok := strings.Cut(v, "x")
	if !ok || digits(w) != w || digits(h) != h || w == "" || h == "" {
		return never
	}
	x, _ := strconv.Atoi(w)
	y, _ := strconv.Atoi(h)
	if w[0] == '0' || h[0] == '0' || len(w) > 5 || len(h) > 4 || x < 320 || y < 200 {
		return never
	}
	if !sideLengths[w] || !sideLengths[h] {
		return unlikely
	}
	return 0
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	fileSystems = set(`ext2 ext3 ext4 ext4dev xfs btrfs f2fs zfs jfs reiserfs reiser4 nilfs2 bcachefs
		exfat vfat msdosfs ntfs ntfs3 fuseblk fuse stratis overlayfs aufs tmpfs ramfs rootfs devtmpfs
		ufs UFS NTFS hfs hfsplus HFS+ APFS apfs nfs nfs4 cifs smbfs 9p lxfs wslfs drvfs unknown
		Unknown ecryptfs squashfs ubifs yaffs2 glusterfs fuse.glusterfs ceph hammer HAMMER HAMMER2
		hammer2 ffs FFS tux3 logfs lustre gfs2 ocfs2 virtiofs lofs udf FAT32 ReFS XFS EXT4 EXT3 F2FS
		ZFS Btrfs simfs shiftfs gpfs beegfs fuse-overlayfs erofs orangefs dcachefs`)
	memorySizes = set(`1 2 3 4 6 8 12 16 24 31 32 48 64 96 126 128 192 252 256 384 504 512 768 1008 1024 1536 2048 3072
		4096 5120 6144 7168 8192 10240 12288 15360 16384 20480 24576 30720 32768 40960 49152 65536
		98304 131072 262144 524288`)
	diskSizes = set(`4 8 16 18 32 40 58 60 64 80 100 118 120 128 150 160 180 200 240 250 256 275 280 300
		320 375 400 480 500 512 525 640 750 800 960 1000 1024 1500 1920 2000 2048 3001 3000 3201 3841
		3840 4000 4001 4096 5001 6001 7682 8002 8001 10001 12000 12001 14001 16001 18000 20000`)
	sideLengths = set(`320 400 416 480 576 600 640 656 720 768 800 854 864 900 960 1024 1050 1080 1120
		1152 1200 1280 1360 1366 1400 1440 1504 1536 1600 1664 1680 1792 1800 1824 1920 2000 2048
		2160 2256 2304 2400 2560 2736 2880 2960 3000 3072 3200 3240 3360 3440 3456 3520 3840 4000
		4096 4320 4480 4800 5120 5760 6400 7680`)
)

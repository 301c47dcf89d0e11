package systable

import (
	"regexp"
	"strconv"
	"strings"
)

// The forms of versions. They decide most divisions between digits: in
// "X Server 1.20.114.6 Mesa" no OpenGL version is 14.6.
var (
	vulkanForm   = regexp.MustCompile(`^1\.[0-4](?:\.(?:0|[1-9]\d{0,2}))?(?:\D.*)?$`)
	openGLForm   = regexp.MustCompile(`^(?:1\.[0-5]|2\.[01]|3\.[0-3]|4\.[0-6])(?:\D|$)`)
	linuxForm    = regexp.MustCompile(`^(?:2\.[2-6]|[3-7]\.(?:\d|[1-3]\d))(?:[^\d]|$)`)
	darwinForm   = regexp.MustCompile(`^(?:[7-9]|1\d|2[0-9])\.\d{1,2}\.\d{1,2} \(`)
	bsdForm      = regexp.MustCompile(`^(?:[3-9]|1[0-6])\.\d{1,2}(?:-[A-Z]| \()`)
	windowsForm  = regexp.MustCompile(`^(?:10\.0|6\.[0-3])(?:\.\d{4,5}(?:\.\d{1,5})?)?(?: |$)`)
	kernelDate   = regexp.MustCompile(`\) (\d+)$`)
	xServerForm  = regexp.MustCompile(`^(?:1\.\d{1,2}|21\.1|2\.[0-9]|[67]\.\d)(?:\.\d{1,2}){0,2}(?:\.9\d\d)?(?:\.0\.90)?$`)
	nvidiaForm   = regexp.MustCompile(`^\d{2,3}\.\d{2}(?:\.\d{2}){0,2}$|^\d{3}\.1\d\d(?:\.\d\d)?$|^\d{2}\.\d\.\d$`)
	dottedForm   = regexp.MustCompile(`^\d{1,2}(?:\.\d{1,2}){1,2}$|^\d\.99\.\d{3}$`)
	ubuntuForm   = regexp.MustCompile(`^(?:[4-9]|[12]\d)\.(?:04|10|06)(?:\.\d{1,2})?(?: LTS)?$`)
	windowsBuild = regexp.MustCompile(`^Build \d{4,5}$`)
	manyDots     = regexp.MustCompile(`\d(?:\.\d+){3,}`)
	zeroPatch    = regexp.MustCompile(`^\d+\.\d+\.0\d`)
	numberForm   = regexp.MustCompile(`\d+`)
)

func system(v string) float32 {
	if rest, ok := strings.CutPrefix(v, "Ubuntu "); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		if !ubuntuForm.MatchString(rest) {
			return hardly
		}
		return 0
	}
	switch {
	case strings.Contains(v, "Windows"):
		if i := strings.Index(v, "Build "); i >= 0 && !windowsBuild.MatchString(v[i:]) {
			return never
		}
	case strings.HasPrefix(v, "Clear Linux OS "), strings.HasPrefix(v, "CentOS Stream "), strings.HasPrefix(v, "Amazon Linux 2"):
		n := v[strings.LastIndexByte(v, ' ')+1:]
		if digits(n) != n && !strings.HasPrefix(n, "2023.") || len(n) > 5 && v[1] == 'l' || len(n) > 2 && v[1] == 'e' {
			return hardly
		}
	case manyDots.MatchString(v) && !strings.HasPrefix(v, "NixOS"):
		return hardly
	}
	for _, name := range []string{"Debian GNU/Linux ", "Debian ", "Fedora Linux ", "Fedora "} {
		if rest, ok := strings.CutPrefix(v, name); ok {
			n := digits(rest)
			i, _ := strconv.Atoi(n)
			switch {
			case n == "":
			case n[0] == '0', len(n) > 2, name[0] == 'D' && i > 16:
				return hardly
			case name[0] == 'F' && (i < 7 || i > 50):
				return unlikely
			}
			return 0
		}
	}
	return 0
}

func kernel(v string) float32 {
	var c float32
	if m := kernelDate.FindStringSubmatch(v); m != nil && (len(m[1]) != 8 || m[1][:2] != "20") {
		c += never
	}
	if strings.Count(v, " (") > 1 {
		c += never // two kernels run together
	}
	switch {
	case zeroPatch.MatchString(v):
		return c + never
	case v[0] < '0' || v[0] > '9':
		return c + unlikely
	case linuxForm.MatchString(v), darwinForm.MatchString(v), bsdForm.MatchString(v), windowsForm.MatchString(v):
		return c
	}
	return c + never
}

func displayServer(v string) float32 {
	rest, ok := strings.CutPrefix(v, "X Server ")
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
		if rest = v; v[0] < '0' || v[0] > '9' {
			return 0
		}
	}
	rest, _, _ = strings.Cut(rest, " ")
	rest, _, _ = strings.Cut(rest, "-")
	if !xServerForm.MatchString(rest) {
		return hardly
	}
	return leadingZero(rest)
}

func displayDriver(v string) float32 {
	name, version, ok := strings.Cut(v, " ")
	if !ok || version == "" || version[0] < '0' || version[0] > '9' {
		if digits(v) != "" {
			return 0 // Windows' drivers are a bare version
		}
		if last := v[len(v)-1]; last >= '0' && last <= '9' && !strings.HasPrefix(v, "i915") {
			return unlikely
		}
		return 0
	}
	version, _, _ = strings.Cut(version, " ")
	switch {
	case name == "NVIDIA" && nvidiaForm.MatchString(version):
		return 0
	case name != "NVIDIA" && dottedForm.MatchString(version):
		return leadingZero(version)
	}
	return unlikely
}

func openGL(v string) float32 {
	switch {
	case openGLForm.MatchString(v):
		return 0
	case v[0] >= '0' && v[0] <= '9':
		return never
	}
	return unlikely
}

func compiler(v string) float32 {
	var c float32
	parts := 0
	for part := range strings.SplitSeq(v, " + ") {
		if parts++; parts > 8 {
			return c + hardly
		}
		name, version, _ := strings.Cut(part, " ")
		switch name {
		case "GCC", "Clang", "LLVM", "CUDA":
		default:
			continue
		}
		version, date, dated := strings.Cut(version, " ")
		numbers := strings.SplitN(version, ".", 3)
		for i, n := range numbers {
			d := digits(n)
			if d != n && i+1 < len(numbers) {
				break // "svn", "-4ubuntu1"
			}
			long := 2
			if i == 2 && strings.HasPrefix(d, "1") {
				long = 3
			}
			if len(d) > long || len(d) > 1 && d[0] == '0' || i == 0 && len(d) == 2 && d > "25" {
				c += hardly
			}
		}
		if d := digits(date); dated && d == date && (len(d) != 8 || d[:2] != "20") {
			c += hardly
		}
	}
	return c
}

// leadingZero judges numbers of a version that begin with a zero: no maker
// of these writes any.
func leadingZero(version string) float32 {
	for _, n := range numberForm.FindAllString(version, -1) {
		if len(n) > 1 && n[0] == '0' {
			return hardly
		}
	}
	return 0
}

package profile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// fioPrint is how a version of fio prints a figure, and how the profile of its
// time reads it.
type fioPrint struct {
	digits    int  // of a figure: 6 in fio 2, 4 in fio 3
	carry     bool // a fraction that rounds up to 1 is carried (from 3.26 on)
	thousands bool // IOPS only where printed with k
}

// prefixes of fio's units, each 1024 or 1000 times the one before.
var (
	binaryPrefixes  = []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	decimalPrefixes = []string{"", "k", "M", "G", "T", "P", "E"}
	oldPrefixes     = []string{"", "K", "M", "G", "P", "E", "E"} // of fio 2
)

// number prints n as fio does: divided by base until its whole part has at most
// so many digits, with as many places behind the point as then are left.
func (p fioPrint) number(n uint64, base uint64) (text string, power int) {
	whole, rest, divided := n, uint64(0), false
	for len(strconv.FormatUint(whole, 10)) > p.digits {
		whole, rest, divided = whole/base, whole%base, true
		power++
	}
	places := p.digits - len(strconv.FormatUint(whole, 10)) - 1
	switch {
	case !divided:
	case places <= 0:
		if rest >= base/2 {
			whole++
		}
	case p.digits == 6:
		// fio 2 shortens the remainder itself, rounding each digit up.
		for len(strconv.FormatUint(rest, 10)) > places {
			rest = (rest + 9) / 10
		}
		return fmt.Sprintf("%d.%d", whole, rest), power
	default:
		fraction := strconv.FormatFloat(float64(rest)/float64(base), 'f', places, 64)
		if fraction[0] == '1' && p.carry {
			whole++
		}
		return fmt.Sprintf("%d%s", whole, fraction[1:]), power
	}
	return strconv.FormatUint(whole, 10), power
}

// bandwidthText prints bytes a second as fio does: "161MiB/s".
func (p fioPrint) bandwidthText(bytes float64) string {
	text, power := p.number(uint64(bytes), 1024)
	if p.digits == 6 {
		return text + oldPrefixes[power] + "B/s"
	}
	return text + binaryPrefixes[power] + "B/s"
}

// iopsText prints requests a second as fio does: "41.2k".
func (p fioPrint) iopsText(n float64) string {
	text, power := p.number(uint64(n), 1000)
	if p.digits == 6 {
		return text + oldPrefixes[power]
	}
	return text + decimalPrefixes[power]
}

// publishBandwidth is what the profile makes of fio's bandwidth.
func (p fioPrint) publishBandwidth(printed string) (text, reason string) {
	if p.digits == 6 {
		if kib, ok := strings.CutSuffix(printed, "KB/s"); ok {
			return shiftPoint(kib, -3), ""
		}
		return "", "fio 2 printed " + printed + ", and the profile reads KB/s alone"
	}
	if kib, ok := strings.CutSuffix(printed, "KiB/s"); ok {
		return shiftPoint(kib, -3), ""
	}
	if mib, ok := strings.CutSuffix(printed, "MiB/s"); ok {
		return mib, ""
	}
	return "", "fio printed " + printed + ", and the profile reads KiB/s and MiB/s alone"
}

// publishIOPS is what the profile makes of fio's IOPS.
func (p fioPrint) publishIOPS(printed string) (text, reason string) {
	switch number := strings.TrimRight(printed, "kKMGTPE"); {
	case number+"k" == printed && p.digits == 4:
		return shiftPoint(number, 3), ""
	case p.thousands:
		return "", "fio printed " + printed + ", and the profile reads thousands (k) alone"
	case number == printed:
		return number, ""
	case number+"M" == printed && p.digits == 4:
		return shiftPoint(number, 6), ""
	}
	return "", "fio printed " + printed + ", which the profile does not read"
}

// shiftPoint moves the point of a decimal by places to the right, or to the
// left where negative, exactly, and drops zeros at the end of the fraction.
func shiftPoint(text string, places int) string {
	whole, fraction, _ := strings.Cut(text, ".")
	digits, point := whole+fraction, len(whole)+places
	if point < 1 {
		digits, point = strings.Repeat("0", 1-point)+digits, 1
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction = strings.TrimLeft(digits[:point], "0"), strings.TrimRight(digits[point:], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// publish returns how a figure of the run is published.
func (r *fioRun) publish(metric string) func(Sample) (string, string) {
	p := r.era.print
	return func(s Sample) (text, reason string) {
		if !(s.Value >= 0 && s.Value < math.MaxInt64) {
			return "", "fio gave no figure"
		}
		switch metric {
		case "bandwidth":
			printed := s.Detail
			if printed == "" {
				printed = p.bandwidthText(s.Value)
			}
			return p.publishBandwidth(printed)
		case "iops":
			printed := s.Detail
			if printed == "" {
				printed = p.iopsText(s.Value)
			}
			return p.publishIOPS(printed)
		case "bandwidth-samples":
			// fio prints the samples in MiB/s only above 1 GiB/s.
			if s.Value/1024 <= 1<<20 {
				return "", "fio printed the samples in KiB/s, and the profile reads MiB/s alone"
			}
			return strconv.FormatFloat(s.Value/(1<<20), 'f', 2, 64), ""
		}
		return strconv.FormatFloat(s.Value, 'f', 2, 64), ""
	}
}

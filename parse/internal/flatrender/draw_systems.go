package flatrender

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/result"
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// chance reports true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// drawNames returns n names that PTS keeps apart, of the kinds given. Where
// the kinds have too few, names get numbers.
func drawNames(r *rand.Rand, n int, kinds []string) []string {
	kind := pick(r, kinds)
	mixed := chance(r, 0.2)
	var out []string
	for tries := 0; len(out) < n; tries++ {
		if mixed || tries > 40*n {
			kind = pick(r, kinds)
		}
		name := pick(r, pools[kind])
		if tries > 40*n {
			name += " " + strconv.Itoa(2+r.IntN(20))
		}
		if !in(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// drawGroups returns the names of a multi-way comparison in the order of
// groups; with holes, some groups lack labels and their order may be mixed.
func drawGroups(r *rand.Rand, holes bool) []string {
	plain := []string{"cpu", "gpu", "disk", "fs", "kernel", "distro", "compiler", "label", "mark", "letter"}
	for {
		groups := drawNames(r, 2+r.IntN(3), plain)
		labels := drawNames(r, 2+r.IntN(4), plain)
		var out []string
		for _, g := range groups {
			for _, l := range labels {
				if holes && len(out) > 0 && chance(r, 0.2) {
					continue
				}
				out = append(out, g+": "+l)
			}
		}
		if holes && chance(r, 0.3) {
			r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		}
		if isMulti(out) {
			return out
		}
	}
}

// machine are the components of a system.
type machine struct{ hardware, software []result.Component }

func drawMachine(r *rand.Rand) machine {
	cpu := pick(r, pools["cpu"])
	if !strings.Contains(cpu, " x ") {
		cpu = pick(r, []string{"Intel ", "AMD ", ""}) + cpu
	}
	n := strconv.Itoa
	hw := []result.Component{
		{Key: "Processor", Value: cpu + " @ " + n(1+r.IntN(5)) + "." + n(r.IntN(9)) + "0GHz (" + n(2+2*r.IntN(32)) + " Cores / " + n(4+4*r.IntN(32)) + " Threads)"},
		{Key: "Motherboard", Value: pick(r, []string{"ASUS PRIME X470-PRO (6202 BIOS)", "MSI X99S SLI PLUS (MS-7885) v1.0", "Supermicro H11DSi v2.00", "Amazon EC2 m5.large (1.0 BIOS)"})},
		{Key: "Chipset", Value: pick(r, []string{"AMD 17h", "Intel Xeon E7 v3/Xeon", "AMD Starship/Matisse", "Intel 440FX 82441FX PMC"})},
		{Key: "Memory", Value: n(1<<r.IntN(9)) + pick(r, []string{"GB", "384MB", " x 8192 MB DDR4-3200MT/s"})},
		{Key: "Disk", Value: n(60+r.IntN(4000)) + "GB " + pick(r, pools["disk"])},
		{Key: "Graphics", Value: pick(r, pools["gpu"]) + " 8GB (1590/800MHz)"},
	}
	if chance(r, 0.5) {
		hw = append(hw, result.Component{Key: "Monitor", Value: "ASUS VP28U"})
	}
	if chance(r, 0.8) {
		hw = append(hw, result.Component{Key: "Network", Value: pick(r, []string{"Intel I211", "Realtek RTL8125 2.5GbE + Intel I211", "Mellanox MT27520"})})
	}
	sw := []result.Component{
		{Key: "OS", Value: pick(r, pools["distro"])},
		{Key: "Kernel", Value: strings.TrimPrefix(pick(r, pools["kernel"]), "Linux ") + "-generic (x86_64)"},
	}
	if chance(r, 0.6) {
		sw = append(sw, result.Component{Key: "Desktop", Value: "GNOME Shell 3." + n(20+r.IntN(20)) + ".1"}, result.Component{Key: "Display Server", Value: "X Server 1.20." + n(r.IntN(14))})
	}
	if chance(r, 0.4) {
		sw = append(sw, result.Component{Key: "OpenGL", Value: "4.6 Mesa 21.0.1 (LLVM 11.0.1)"}, result.Component{Key: "Vulkan", Value: "1.2." + n(100+r.IntN(90))})
	}
	sw = append(sw, result.Component{Key: "Compiler", Value: pick(r, []string{"GCC 9.3.0", "GCC 11.4.0", "Clang 14.0.0 + GCC 12.2.0"})},
		result.Component{Key: "File-System", Value: pick(r, []string{"ext4", "xfs", "btrfs", "zfs", "f2fs"})})
	if chance(r, 0.7) {
		sw = append(sw, result.Component{Key: "Screen Resolution", Value: pick(r, []string{"1920x1080", "2560x1440", "3840x2160", "1024x768"})})
	}
	return machine{hw, sw}
}

// addSystems gives a file its systems: one machine in a few variants.
func addSystems(r *rand.Rand, f *result.File, names []string) {
	base := drawMachine(r)
	varied := pick(r, []string{"Processor", "Graphics", "Disk", "Kernel", "OS", "File-System", "Compiler", ""})
	other := chance(r, 0.25)
	detailed := chance(r, 0.7)
	governor := pick(r, []string{"acpi-cpufreq ondemand", "intel_pstate powersave", "amd-pstate-epp performance"})
	for _, name := range names {
		m := machine{append([]result.Component(nil), base.hardware...), append([]result.Component(nil), base.software...)}
		fresh := drawMachine(r)
		if other && chance(r, 0.5) {
			m = fresh
		}
		for _, part := range [2]struct{ to, from []result.Component }{{m.hardware, fresh.hardware}, {m.software, fresh.software}} {
			for i := range part.to {
				for _, c := range part.from {
					if part.to[i].Key == varied && c.Key == varied {
						part.to[i].Value = c.Value
					}
				}
			}
		}
		s := &f.Systems[f.AddSystem(name)]
		s.Hardware, s.Software = m.hardware, m.software
		if detailed {
			s.Details, _ = json.Marshal(map[string]string{
				"cpu-scaling-governor": governor,
				"disk-mount-options":   pick(r, []string{"relatime,rw", "attr2,inode64,noquota,relatime,rw"}),
				"disk-scheduler":       pick(r, []string{"NONE", "MQ-DEADLINE"}),
				"security":             "l1tf: Not affected + mds: Not affected + meltdown: Not affected",
			})
		}
	}
	result.SetGroups(f.Systems)
}

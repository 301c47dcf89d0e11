package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/replay/internal/target"
	"github.com/benchproof/benchproof/replay/internal/treetest"
	"github.com/benchproof/benchproof/result"
)

// cpu is a part of /proc/cpuinfo.
func cpu(n, socket, core, model string) string {
	return "processor\t: " + n + "\nvendor_id\t: GenuineIntel\nmodel name\t: " + model + "\nphysical id\t: " + socket + "\ncore id\t\t: " + core + "\ncpu cores\t: 2\nflags\t\t: fpu\n\n"
}

const intel = "Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz"

// desktop is a machine whose target is the second partition of an NVMe disk.
func desktop() map[string]string {
	const disk = "sys/devices/pci0/nvme/nvme0n1"
	return map[string]string{
		"proc/cpuinfo":                                         cpu("0", "0", "0", intel) + cpu("1", "0", "1", intel) + cpu("2", "0", "0", intel) + cpu("3", "0", "1", intel),
		"proc/meminfo":                                         "MemTotal:       16303428 kB\nMemFree:  100 kB\nMemAvailable:   12000000 kB\nDirty:  300 kB\nWriteback: 20 kB\nSwapFree: 1024 kB\n",
		"proc/loadavg":                                         "0.10 0.20 0.30 1/100 4242\n",
		"proc/pressure/io":                                     "some avg10=1.50 avg60=0.00 avg300=0.00 total=77\nfull avg10=0.50 avg60=0.00 avg300=0.00 total=33\n",
		"proc/diskstats":                                       " 259       0 nvme0n1 10 0 80 1 20 0 160 1 0 9 2 5 0 40 1 0 0\n 259       2 nvme0n1p2 4 0 32 1 8 0 64 1 0 5 2 0 0 0 0\n   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0\n",
		"proc/sys/kernel/random/boot_id":                       "11111111-2222-3333-4444-555555555555\n",
		"proc/self/stat":                                       "1 (x) S 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0\n",
		"sys/dev/block/259:0":                                  "-> ../../devices/pci0/nvme/nvme0n1",
		"sys/dev/block/259:2":                                  "-> ../../devices/pci0/nvme/nvme0n1/nvme0n1p2",
		disk + "/dev":                                          "259:0\n",
		disk + "/size":                                         "976773168\n",
		disk + "/device/model":                                 "Samsung SSD 970 EVO 500GB               \n",
		disk + "/device/firmware_rev":                          "2B2QEXE7\n",
		disk + "/queue/scheduler":                              "none [mq-deadline] kyber bfq\n",
		disk + "/queue/nr_requests":                            "1023\n",
		disk + "/queue/write_cache":                            "write back\n",
		disk + "/queue/rotational":                             "0\n",
		disk + "/queue/logical_block_size":                     "512\n",
		disk + "/queue/physical_block_size":                    "4096\n",
		disk + "/queue/read_ahead_kb":                          "128\n",
		disk + "/nvme0n1p2/dev":                                "259:2\n",
		disk + "/nvme0n1p2/partition":                          "2\n",
		disk + "/nvme0n1p2/size":                               "2048\n",
		"sys/class/dmi/id/board_vendor":                        "ASUSTeK COMPUTER INC.\n",
		"sys/class/dmi/id/board_name":                          "PRIME Z370-A\n",
		"sys/class/dmi/id/bios_version":                        "0616\n",
		"sys/class/dmi/id/sys_vendor":                          "System manufacturer\n",
		"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "4700000\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver":   "intel_pstate\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "performance\n",
		"sys/devices/system/cpu/intel_pstate/no_turbo":         "0\n",
		"sys/devices/system/cpu/vulnerabilities/l1tf":          "Mitigation: PTE Inversion; VMX: vulnerable\n",
		"sys/devices/system/cpu/vulnerabilities/mds":           "Not affected\n",
		"sys/class/hwmon/hwmon0/name":                          "nvme\n",
		"sys/class/hwmon/hwmon0/temp1_input":                   "38850\n",
		"sys/class/hwmon/hwmon0/temp1_label":                   "Composite\n",
		"sys/class/hwmon/hwmon1/temp1_input":                   "broken\n",
		"etc/os-release":                                       "PRETTY_NAME=\"Ubuntu 18.04.1 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"18.04\"\n",
	}
}

func fixture(t *testing.T, files map[string]string) *Machine {
	root := treetest.Make(t, files)
	for _, d := range []string{"proc", "sys", "etc"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &Machine{
		proc: filepath.Join(root, "proc"), sys: filepath.Join(root, "sys"), etc: filepath.Join(root, "etc"),
		uname: func() (string, string, string) { return "4.18.0-10-generic", "#11-Ubuntu SMP", "x86_64" },
	}
}

var nvme = Place{
	Identity: target.Identity{Block: 4096, FSID: "abc", Mount: target.Mount{Type: "ext4", Source: "/dev/nvme0n1p2", Options: []string{"rw", "relatime"}, Super: []string{"rw", "errors=remount-ro"}}},
	Devices: target.Devices{
		Carriers: []target.Device{{Name: "nvme0n1p2", Number: "259:2", Kind: "partition"}},
		Disks:    []target.Device{{Name: "nvme0n1", Number: "259:0", Kind: "disk"}},
	},
}

func TestSystem(t *testing.T) {
	s := fixture(t, desktop()).System("desktop", nvme)
	check := func(kind string, got []result.Component, want ...string) {
		t.Helper()
		var lines []string
		for _, c := range got {
			lines = append(lines, c.Key+": "+c.Value)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", kind, strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
	}
	check("hardware", s.Hardware,
		"Processor: Intel Core i7-8700K @ 4.70GHz (2 Cores / 4 Threads)",
		"Motherboard: ASUSTeK COMPUTER INC. PRIME Z370-A (0616 BIOS)",
		"Memory: 16GB",
		"Disk: 500GB Samsung SSD 970 EVO 500GB")
	check("software", s.Software, "OS: Ubuntu 18.04", "Kernel: 4.18.0-10-generic (x86_64)", "File-System: ext4")
	check("notes", s.Notes,
		"Disk: MQ-DEADLINE / errors=remount-ro,relatime,rw / Block Size: 4096",
		"Processor: Scaling Governor: intel_pstate performance + powersave",
		"Security: l1tf: Mitigation of PTE Inversion; VMX: vulnerable + mds: Not affected")

	// What cannot be read has no key: an empty machine has a kernel alone.
	s = fixture(t, nil).System("bare", Place{})
	check("hardware of a bare machine", s.Hardware)
	check("software of a bare machine", s.Software, "Kernel: 4.18.0-10-generic (x86_64)")
	check("notes of a bare machine", s.Notes)
}

func TestProcessor(t *testing.T) {
	for _, tc := range []struct{ name, info, want string }{
		{"one core", cpu("0", "0", "0", "AMD EPYC"), "AMD EPYC (1 Core)"},
		{"two sockets", cpu("0", "0", "0", intel) + cpu("1", "1", "0", intel), "2 x Intel Core i7-8700K (2 Cores)"},
		{"no topology", "processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\n\nprocessor\t: 1\nmodel name\t: ARMv7 Processor rev 3 (v7l)\n\n", "ARMv7 rev 3 (v7l) (2 Threads)"},
		{"unlike", cpu("0", "0", "0", "A") + cpu("1", "0", "1", "B"), ""},
		{"no name", "processor\t: 0\nphysical id\t: 0\ncore id\t: 0\n\n", ""},
	} {
		if got := fixture(t, map[string]string{"proc/cpuinfo": tc.info}).processor(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestMemorySize(t *testing.T) {
	for kb, want := range map[string]string{"16303428": "16GB", "25276059": "25GB", "4194304": "4GB", "4194305": "5GB", "1013000": "989MB"} {
		if got := fixture(t, map[string]string{"proc/meminfo": "MemTotal: " + kb + " kB\n"}).memorySize(); got != want {
			t.Errorf("%s kB: %q, want %q", kb, got, want)
		}
	}
}

func TestMotherboard(t *testing.T) {
	for want, dmi := range map[string]map[string]string{
		"QEMU Standard PC (i440FX + PIIX, 1996) (1.16 BIOS)": {"sys_vendor": "QEMU", "product_name": "Standard PC (i440FX + PIIX, 1996)", "bios_version": "1.16"},
		"Dell 0X1":   {"board_vendor": "Dell", "board_name": "Dell 0X1", "bios_version": "Default string"},
		"LENOVO 20T": {"board_name": "To be filled by O.E.M.", "board_vendor": "x", "sys_vendor": "LENOVO", "product_name": "20T"},
		"":           {"board_vendor": "Maker", "product_name": "None"},
	} {
		files := map[string]string{}
		for k, v := range dmi {
			files["sys/class/dmi/id/"+k] = v + "\n"
		}
		if got := fixture(t, files).motherboard(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSnapshot(t *testing.T) {
	s, err := fixture(t, desktop()).Snapshot(nvme)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "time")
	delete(got, "place")
	text, err = json.MarshalIndent(got, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/snapshot.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(text)+"\n" != string(golden) {
		t.Errorf("got:\n%s", text)
	}
	// Hostile text of firmware does not reach a terminal.
	files := desktop()
	files["sys/devices/pci0/nvme/nvme0n1/device/model"] = "Evil\x1b[2J\x07 disk\u009b\n"
	m := fixture(t, files)
	if q := m.queue(nvme.Devices.Disks[0]); q.Model != "Evil[2J disk" {
		t.Errorf("model %q", q.Model)
	}
	// A machine of which nothing is known has a snapshot all the same.
	s, err = fixture(t, nil).Snapshot(Place{})
	if err != nil || s.Memory.Total != nil || s.Load != nil || s.Turbo != nil || s.Queues != nil || s.Pressure != nil {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestChanges(t *testing.T) {
	snap := func(change func(map[string]string, *Place)) *Snapshot {
		files, p := desktop(), nvme
		p.Identity.Mount.Options = slices.Clone(p.Identity.Mount.Options)
		if change != nil {
			change(files, &p)
		}
		s, err := fixture(t, files).Snapshot(p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const queue = "sys/devices/pci0/nvme/nvme0n1/queue/"
	before := snap(nil)
	for _, tc := range []struct {
		name   string
		change func(map[string]string, *Place)
		want   []string
	}{
		{"nothing", nil, nil},
		{"what always changes", func(f map[string]string, _ *Place) {
			f["proc/loadavg"] = "9 9 9 1/100 1\n"
			f["proc/meminfo"] = "MemTotal: 16303428 kB\nDirty: 1 kB\n"
			f["proc/sys/kernel/random/boot_id"] = "another\n"
			f["sys/class/hwmon/hwmon0/temp1_input"] = "60000\n"
		}, nil},
		{"scheduler", func(f map[string]string, _ *Place) { f[queue+"scheduler"] = "[none] mq-deadline\n" }, []string{
			"scheduler of nvme0n1p2: none, was mq-deadline", "scheduler of nvme0n1: none, was mq-deadline",
		}},
		{"order of options", func(_ map[string]string, p *Place) { p.Identity.Mount.Options = []string{"relatime", "rw"} }, nil},
		{"options", func(_ map[string]string, p *Place) { p.Identity.Mount.Options = []string{"rw", "noatime"} }, []string{
			"mount options: errors=remount-ro,noatime,rw, was errors=remount-ro,relatime,rw",
		}},
		{"turbo", func(f map[string]string, _ *Place) { f["sys/devices/system/cpu/intel_pstate/no_turbo"] = "1\n" }, []string{"turbo: off, was on"}},
		{"governor", func(f map[string]string, _ *Place) {
			f["sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = "performance\n"
		}, []string{"scaling governor: performance, was performance + powersave"}},
		{"queue", func(f map[string]string, _ *Place) {
			delete(f, queue+"nr_requests")
			delete(f, "sys/devices/pci0/nvme/nvme0n1/nvme0n1p2/partition")
		}, []string{"nr_requests of nvme0n1p2: none, was 1023", "nr_requests of nvme0n1: none, was 1023"}},
		{"other disk", func(_ map[string]string, p *Place) { p.Devices.Disks = nil; p.Identity.FSID = "def" }, []string{
			"file-system identifier: def, was abc", "devices: nvme0n1p2, was nvme0n1p2 nvme0n1",
		}},
	} {
		var got []string
		for _, c := range Changes(before, snap(tc.change)) {
			got = append(got, c.String())
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
	after := *before
	after.Kernel = "4.18.0-11-generic"
	if got := Changes(before, &after); len(got) != 1 || got[0].String() != "kernel: 4.18.0-11-generic #11-Ubuntu SMP, was 4.18.0-10-generic #11-Ubuntu SMP" {
		t.Errorf("kernel: %v", got)
	}
}

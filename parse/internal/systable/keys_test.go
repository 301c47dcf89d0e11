package systable

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/parse/internal/oracle"
)

func TestKeys(t *testing.T) {
	for _, test := range []struct {
		name, text, title string
		keys              []string
		rest              string
		none              bool
	}{
		{name: "empty", none: true},
		{name: "no keys", text: "EXT4 Btrfs", title: "EXT4", none: true},
		{
			name: "title before", text: "SSD vs HDDProcessorMemoryOSKernelEXT4XFS", title: "SSD vs HDD",
			keys: []string{"Processor", "Memory", "OS", "Kernel"}, rest: "EXT4XFS",
		},
		{
			name: "title that ends in a key", text: "The New DiskProcessorDiskOSA", title: "The New Disk",
			keys: []string{"Processor", "Disk", "OS"}, rest: "A",
		},
		{
			name: "another title than the page's", text: "Some …ProcessorMotherboardOSKernelA", title: "Something",
			keys: []string{"Processor", "Motherboard", "OS", "Kernel"}, rest: "A",
		},
		{
			name: "blanks", text: "Processor Motherboard OS Kernel Display Server Display Driver File-System SSD A",
			keys: []string{"Processor", "Motherboard", "OS", "Kernel", "Display Server", "Display Driver", "File-System"}, rest: " SSD A",
		},
		{
			name: "a row that only a later system has", text: "ProcessorNetworkMonitorOSScreen ResolutionDisplay DriverEXT4",
			keys: []string{"Processor", "Network", "Monitor", "OS", "Screen Resolution", "Display Driver"}, rest: "EXT4",
		},
		{
			name: "identifiers that begin like a used key", text: "ProcessorDiskOSKernelFile-SystemDisk ADisk B",
			keys: []string{"Processor", "Disk", "OS", "Kernel", "File-System"}, rest: "Disk ADisk B",
		},
		{
			name: "identifiers that begin like an unused key", text: "ProcessorOSKernelScreen ResolutionVulkan RADVVulkan AMDVLK",
			keys: []string{"Processor", "OS", "Kernel", "Screen Resolution"}, rest: "Vulkan RADVVulkan AMDVLK",
		},
		{
			name: "a hardware word behind software", text: "ProcessorOSKernelMemory 1Memory 2",
			keys: []string{"Processor", "OS", "Kernel"}, rest: "Memory 1Memory 2",
		},
		{
			name: "old clients", text: "ProcessorMotherboard ChipsetSystem MemoryGraphicsScreen ResolutionOSKernelX.Org ServerCompilerA",
			keys: []string{"Processor", "Motherboard Chipset", "System Memory", "Graphics", "Screen Resolution", "OS", "Kernel", "X.Org Server", "Compiler"}, rest: "A",
		},
		{
			name: "an unknown hardware row", text: "ProcessorNetworkNeural EngineOSKernelA",
			keys: []string{"Processor", "Network", "Neural Engine", "OS", "Kernel"}, rest: "A",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			keys, end, ok := Keys(test.text, test.title)
			if test.none {
				if ok || keys != nil || end != 0 {
					t.Fatalf("found %q to %d", keys, end)
				}
				return
			}
			if !ok || !slices.Equal(keys, test.keys) || test.text[end:] != test.rest {
				t.Fatalf("got %q, rest %q, %v; want %q, rest %q", keys, test.text[end:], ok, test.keys, test.rest)
			}
		})
	}
}

// TestKeysOfPages reads the tables of whole pages, whose keys and cells are
// known from the file that PTS rendered.
func TestKeysOfPages(t *testing.T) {
	pages := 0
	for _, path := range append(oracle.Glob(t, "flat", "*.flat.txt"), oracle.Glob(t, "samples", "forms", "*.flat.txt")...) {
		w, ok := loadPage(t, strings.TrimSuffix(strings.TrimSuffix(path, ".flat.txt"), ".local")+".xml", "")
		if !ok {
			t.Errorf("%s: no truth", path)
			continue
		}
		line := tableLine(t, readFile(t, path))
		keys, end, ok := Keys(line, w.title)
		if !ok || !slices.Equal(keys, w.keys) {
			t.Errorf("%s: got %q, want %q", path, keys, w.keys)
			continue
		}
		run := identifierRun(line[end:], w.systems)
		mark := watermark
		if strings.Contains(path, ".local.") {
			mark = "Phoronix Test Suite"
		}
		if run < 0 || !strings.HasPrefix(line[end+run:], w.cells+mark) {
			t.Errorf("%s: identifiers and cells do not follow the keys: %q", path, line[end:])
		}
		pages++
	}
	t.Logf("%d pages", pages)
}

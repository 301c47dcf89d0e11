package flat

import "strings"

// rowKeys are the keys of PTS's systems table.
var rowKeys = []string{
	"Processor", "Motherboard", "Chipset", "Memory", "Disk", "Graphics", "Audio", "Monitor", "Network",
	"OS", "Kernel", "Desktop", "Display Server", "Display Driver", "OpenGL", "OpenCL", "Vulkan",
	"Compiler", "File-System", "Screen Resolution", "System Layer",
}

// tableKeys reads the row keys at the start of text, after a repeat of
// title, and returns them with the offset behind them.
func tableKeys(text, title string) (keys []string, end int, ok bool) {
	if title != "" && strings.HasPrefix(text, title) {
		end = len(title)
	}
	for {
		// In the spaced form a blank stands before each key but the first.
		if strings.HasPrefix(text[end:], " ") && (len(keys) > 0 || end > 0) {
			end++
		}
		best := ""
		for _, k := range rowKeys {
			if len(k) > len(best) && strings.HasPrefix(text[end:], k) {
				best = k
			}
		}
		if best == "" {
			return keys, end, len(keys) > 0
		}
		keys = append(keys, best)
		end += len(best)
	}
}

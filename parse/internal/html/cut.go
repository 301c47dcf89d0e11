package html

import "strings"

// cuts says where the end of the source leaves elements open: by name, where
// the last element of it begins. What stands in such an element is not all of
// what was meant to.
type cuts map[string]int

// findCuts looks for elements that are open where src ends. A page that ends
// as it should has none.
func findCuts(src string) cuts {
	end := max(lastTag(src, "/html"), lastTag(src, "/body"), 0)
	var c cuts
	for _, name := range [...]string{"text", "h1", "h2", "h3", "p"} {
		rest := src[end:]
		if i := lastTag(rest, name); i >= 0 && lastTag(rest[i:], "/"+name) < 0 {
			if c == nil {
				c = make(cuts)
			}
			c[name] = end + i
		}
	}
	return c
}

// open reports whether what stands at an offset, within an element of that
// name, is cut off.
func (c cuts) open(name string, offset int) bool {
	from, ok := c[name]
	return ok && offset >= from
}

// lastTag returns where the last tag of that name begins in src, or -1.
func lastTag(src, name string) int {
	for end := len(src); ; {
		i := strings.LastIndex(src[:end], "<"+name)
		if i < 0 {
			return -1
		}
		if rest := src[i+1+len(name):]; rest == "" || strings.IndexByte(space+"/>", rest[0]) >= 0 {
			return i
		}
		end = i
	}
}

package html

import (
	"strings"

	"github.com/benchproof/benchproof/result"
)

// names finds systems by their full identifiers. Identifiers that several
// systems have stay apart.
type names struct {
	file  *result.File
	first map[string]int   // index of the first system of a name
	more  map[string][]int // all indexes of a name that several have
	long  int              // bytes of the longest name
}

func newNames(f *result.File) *names {
	return &names{file: f, first: make(map[string]int), more: make(map[string][]int)}
}

// add appends a system, also where one of that name exists.
func (r *names) add(name string, origin result.Origin) int {
	i := r.file.AddSystem(name)
	r.file.Systems[i].Origin = origin
	r.long = max(r.long, len(name))
	j, ok := r.first[name]
	if !ok {
		r.first[name] = i
		return i
	}
	if r.more[name] == nil {
		r.more[name] = []int{j}
	}
	r.more[name] = append(r.more[name], i)
	return i
}

// find returns the first system of a name, or -1.
func (r *names) find(name string) int {
	if i, ok := r.first[name]; ok {
		return i
	}
	return -1
}

// nth returns the nth system of a name, counted from 0, or -1.
func (r *names) nth(name string, n int) int {
	if n == 0 {
		return r.find(name)
	}
	if all := r.more[name]; n < len(all) {
		return all[n]
	}
	return -1
}

// several reports whether more than one system has the name.
func (r *names) several(name string) bool { return r.more[name] != nil }

// prefix returns the system whose identifier begins text, a colon and a
// space behind it, and how much of text they are; the longest identifier
// where several fit, and -1 where none does.
func (r *names) prefix(text string) (system, length int) {
	const most = 32 // colons in an identifier
	system = -1
	for i, try := 0, 0; i <= r.long && try < most; try++ {
		k := strings.Index(text[i:], ": ")
		if k < 0 {
			break
		}
		if i += k; i > r.long {
			break
		}
		if s := r.find(text[:i]); s >= 0 {
			system, length = s, i+2
		}
		i += 2
	}
	return system, length
}

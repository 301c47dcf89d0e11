package parse

import "github.com/benchproof/benchproof/result"

// ReadFile reads the result files of the input at path, in order. What was read
// before an error is returned beside it; errors are those of [Open] and
// [Reader.Files], so that without one there is a file. An input of many results
// is better taken one by one, with Files or [Reader.Stream].
func ReadFile(path string, o Options) ([]*result.File, error) {
	r, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.All()
}

// All returns what [Reader.Files] yields, and the error that ends it.
func (r *Reader) All() ([]*result.File, error) {
	var files []*result.File
	for f, err := range r.Files() {
		if err != nil {
			return files, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Package parse reads published benchmark results into package result's
// record: it finds out by content which form an input has, undoes its
// compression and character encoding, and hands it to that form's reader.
//
// A reader that meets something it cannot read adds a diagnostic to the file
// and goes on. Only an input that holds no record, that breaks a limit or
// that cannot be read ends in an error.
//
//	r, err := parse.Open("results.txt.xz", parse.Options{})
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	for file, err := range r.Files() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(file.Title, len(file.Systems), len(file.Tests))
//	}
//
// [ReadFile] does the same and gives all files at once; [Reader.Stream] gives a
// large file in parts.
//
// An input is taken for what it holds, whatever it is called: gzip, xz and
// zstd data is unpacked, UTF-16, Latin-1 and declared encodings become UTF-8,
// and what a terminal left in a text is taken out. A page that holds no
// graphs but the text of a dump is read as that text, and an input that holds
// several dumps, of one form or of several, gives several files.
package parse

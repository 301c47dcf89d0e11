package xlsx

import (
	"bytes"
	"io"
	"os"
)

// spoolMost is how much a spool keeps in memory.
const spoolMost = 4 << 20

// spool keeps bytes that are needed later, in memory or, where they are many,
// in a temporary file. Its file is removed by discard.
type spool struct {
	head bytes.Buffer
	file *os.File // what does not fit into head
	size int64
}

func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.file == nil && s.head.Len()+len(p) <= spoolMost {
		return s.head.Write(p)
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "benchproof-*.sheet")
		if err != nil {
			return 0, err
		}
		// Where the system allows it, the file goes with the process.
		_ = os.Remove(file.Name())
		s.file = file
	}
	return s.file.Write(p)
}

// copyTo writes all that was written, and discards it.
func (s *spool) copyTo(w io.Writer) error {
	defer s.discard()
	if _, err := s.head.WriteTo(w); err != nil {
		return err
	}
	if s.file == nil {
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}

// discard removes what is left.
func (s *spool) discard() {
	s.head = bytes.Buffer{}
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
		s.file = nil
	}
}

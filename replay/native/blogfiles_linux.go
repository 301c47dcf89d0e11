package native

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// zeroes are what files are made of.
var zeroes [blogWriteChunk]byte

// create writes a file of the kind beside and renames it. It returns
// errBlogMissing where the blog's folder is not there yet.
func (w *blogWorker) create(k blogKind, blog uint64, i int) error {
	name := k.name(blog, i)
	tmp := name + ".tmp"
	fd, err := open(tmp, syscall.O_CREAT|syscall.O_TRUNC|syscall.O_WRONLY, 0o600)
	if errors.Is(err, syscall.ENOENT) {
		return errBlogMissing
	}
	if err != nil {
		return err
	}
	for left := k.low + w.rng.IntN(k.high-k.low); left > 0 && err == nil; {
		n := min(left, blogWriteChunk)
		err = write(fd, tmp, zeroes[:n])
		left -= n
	}
	if closed := closeFile(fd, tmp); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	err = syscall.Rename(tmp, name)
	if errors.Is(err, syscall.ENOENT) {
		// Two workers wrote the same file, and the other was faster.
		return errBlogMissing
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: tmp, New: name, Err: err}
	}
	return nil
}

// readFile reads a file to its end; false says that there is none.
func (w *blogWorker) readFile(name string) (bool, error) {
	fd, err := open(name, syscall.O_RDONLY, 0)
	if errors.Is(err, syscall.ENOENT) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for {
		n, err := read(fd, name, w.buf)
		if err != nil {
			_ = closeFile(fd, name)
			return false, err
		}
		if n == 0 {
			return true, closeFile(fd, name)
		}
	}
}

// verify holds what lies on the disk against what was counted.
func (b *blogRun) verify() error {
	entries, err := os.ReadDir(blogDir)
	if err != nil {
		return err
	}
	b.report.equal("blog folders", int64(len(entries)), int64(b.next.Load()))
	var posts, comments, odd, bytes int64
	for _, e := range entries {
		files, err := os.ReadDir(blogDir + "/" + e.Name())
		if err != nil {
			return err
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil {
				return err
			}
			bytes += info.Size()
			k, ok := blogKindOf(f.Name())
			switch {
			case !ok || info.Size() < int64(k.low) || info.Size() >= int64(k.high):
				odd++
			case k == blogComment:
				comments++
			default:
				posts++
			}
		}
		if err := b.stop(); err != nil {
			return err
		}
	}
	var byWriters, byOthers, byCommenters int64
	for _, w := range b.workers {
		n := w.counts.articlesWritten.Load() + w.counts.picturesWritten.Load()
		if w.writer {
			byWriters += n
		} else {
			byOthers += n
		}
		byCommenters += w.counts.commentsWritten.Load()
	}
	// What a writer writes has a name of its own; a rewriter's file takes
	// another's place or is a new one; comments are written over.
	b.report.within("articles and pictures on the disk", posts, byWriters, byWriters+byOthers)
	b.report.within("comments on the disk", comments, 0, byCommenters)
	b.report.equal("files of a size or name that nothing has", odd, 0)
	b.report.Facts["files"], b.report.Facts["bytes"] = posts+comments, bytes
	b.report.Facts["space"] = fmt.Sprintf("%d bytes in %d files", bytes, posts+comments)
	return nil
}

// blogKindOf returns the kind of a file by its name.
func blogKindOf(name string) (blogKind, bool) {
	for _, k := range []blogKind{blogArticle, blogPicture, blogComment} {
		if strings.HasPrefix(name, k.prefix) && strings.HasSuffix(name, k.suffix) {
			return k, true
		}
	}
	return blogKind{}, false
}

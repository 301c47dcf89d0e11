package native

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// blogDir is the folder that blogbench works in.
const blogDir = "blogbench"

// blogKind is a kind of files of a blog. Its sizes are from low to below high.
type blogKind struct {
	prefix, suffix string
	low, high      int
}

// The kinds of files, and how many of each there may be.
var (
	blogArticle = blogKind{"article-", ".xml", 1_024, 32_768}
	blogPicture = blogKind{"picture-", ".jpg", 8_192, 65_536}
	blogComment = blogKind{"comment-", ".xml", 2_048, 10_240}
)

const (
	blogMost       = 100 // of each kind in a blog
	blogWriteChunk = 8 << 10
	blogReadChunk  = 64 << 10
)

// blogbench does what blogbench 1.1 does: 3 writers, 1 rewriter, 5 commenters
// and 100 readers work without pause on blogs of up to 100 articles, pictures
// and comments, nothing is synced, and blogs finished and blogs read are
// counted for 30 times 10 seconds. Each worker is a thread of the system's own
// and may run whenever the system lets it, as it was.
//
// Kept as it was: a file is written beside and renamed; who meets blog 0 or a
// blog without a folder sleeps for a second; a reader counts a blog whose
// folder holds nothing yet. Not kept: the published program counts without
// locks and so loses some of its counts; here all count, so the reading score
// comes out somewhat higher for the same work. And where it goes on after an
// error of the disk, this stops.
func blogbench(r *run, args []string) (*Report, error) {
	fs := flag.NewFlagSet("blogbench", flag.ContinueOnError)
	iterations := fs.Int("iterations", 30, "intervals")
	interval := fs.Duration("interval", 10*time.Second, "length of an interval")
	seed := fs.Uint64("seed", 1, "seed")
	var crews [4]int
	for i, c := range blogCrews {
		fs.IntVar(&crews[i], c.name+"s", c.count, c.name+"s")
	}
	if err := parseFlags(fs, args); err != nil {
		return nil, err
	}
	if *iterations < 1 || *iterations > 30 || *interval < time.Millisecond || *interval > 10*time.Second {
		return nil, usagef("-iterations: want 1 to 30, -interval: at most 10s; got %d, %s", *iterations, *interval)
	}
	workers, scaled := 0, []string(nil)
	for i, n := range crews {
		if n < 1 || n > 1000 {
			return nil, usagef("-%ss: want 1 to 1000, got %d", blogCrews[i].name, n)
		}
		if n != blogCrews[i].count {
			scaled = append(scaled, fmt.Sprintf("%ss %d -> %d", blogCrews[i].name, blogCrews[i].count, n))
		}
		workers += n
	}
	if d := time.Duration(*iterations) * *interval; d != 300*time.Second {
		scaled = append(scaled, fmt.Sprintf("time 300s -> %s", d))
	}
	b := &blogRun{run: r, report: newReport("blogbench", "1")}
	f := b.report.Facts
	f["iterations"], f["interval_seconds"], f["seed"] = *iterations, interval.Seconds(), *seed
	if scaled != nil {
		f["scaled"] = strings.Join(scaled, ", ")
	}
	if err := claimDir(blogDir); err != nil {
		return nil, err
	}
	// A thread of its own for each, none of which waits for another's turn.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(workers+1, runtime.NumCPU())))
	err := b.all(crews, *iterations, *interval, *seed)
	if removed := os.RemoveAll(blogDir); err == nil {
		err = removed
	}
	return b.report, err
}

// blogCrews are the workers, with how many there are.
var blogCrews = [4]struct {
	name  string
	count int
	work  func(w *blogWorker) error
}{
	{"commenter", 5, (*blogWorker).comment},
	{"reader", 100, (*blogWorker).readBlog},
	{"rewriter", 1, (*blogWorker).rewrite},
	{"writer", 3, (*blogWorker).writeBlog},
}

// blogRun is one run of blogbench.
type blogRun struct {
	*run
	report  *Report
	next    atomic.Uint64 // number of the next blog
	ended   atomic.Bool
	end     chan struct{} // closed with ended
	workers []*blogWorker
}

// blogCount is what one worker did. The worker alone writes it.
type blogCount struct {
	blogsWritten, blogsRead                           atomic.Int64
	articlesRead, picturesRead, commentsRead          atomic.Int64
	articlesWritten, picturesWritten, commentsWritten atomic.Int64
	_                                                 [64]byte // no two workers' on one cache line
}

// blogWorker is one of the threads.
type blogWorker struct {
	*blogRun
	rng    *rand.Rand
	buf    []byte
	counts blogCount
	writer bool
}

// errBlogMissing is an error path of the published program after which a
// worker sleeps for a second.
var errBlogMissing = errors.New("there is no such blog")

func (b *blogRun) all(crews [4]int, iterations int, interval time.Duration, seed uint64) error {
	syncAll()
	b.end = make(chan struct{})
	failed := make(chan error, 1)
	var group sync.WaitGroup
	id := uint64(0)
	for i, n := range crews {
		for range n {
			id++
			w := &blogWorker{blogRun: b, rng: newRand(seed, 100+id), buf: make([]byte, blogReadChunk), writer: blogCrews[i].name == "writer"}
			b.workers = append(b.workers, w)
			group.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				if err := w.loop(blogCrews[i].work); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			})
		}
	}
	err := b.watch(iterations, interval, failed)
	b.ended.Store(true)
	close(b.end)
	group.Wait()
	select {
	case late := <-failed:
		if err == nil {
			err = late
		}
	default:
	}
	if err != nil {
		return err
	}
	return b.verify()
}

// watch waits for the intervals and takes the scores.
func (b *blogRun) watch(iterations int, interval time.Duration, failed <-chan error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var table [][8]int64
	var before [8]int64
	for range iterations {
		select {
		case <-tick.C:
		case err := <-failed:
			return err
		case <-b.ctx.Done():
			return b.ctx.Err()
		}
		now := b.counted()
		row := now
		for i := range row {
			row[i] -= before[i]
		}
		before = now
		table = append(table, row)
	}
	b.report.sample("write", float64(before[0]), "")
	b.report.sample("read", float64(before[1]), "")
	b.report.Facts["columns"] = []string{
		"blogs_written", "blogs_read", "articles_read", "pictures_read", "comments_read",
		"articles_written", "pictures_written", "comments_written",
	}
	b.report.Facts["intervals"] = table
	return nil
}

// counted adds up what all workers did.
func (b *blogRun) counted() (sum [8]int64) {
	for _, w := range b.workers {
		c := &w.counts
		for i, n := range []*atomic.Int64{
			&c.blogsWritten, &c.blogsRead, &c.articlesRead, &c.picturesRead, &c.commentsRead,
			&c.articlesWritten, &c.picturesWritten, &c.commentsWritten,
		} {
			sum[i] += n.Load()
		}
	}
	return sum
}

// loop works until the end. Only an error of the disk ends it early.
func (w *blogWorker) loop(work func(*blogWorker) error) error {
	for !w.over() {
		err := work(w)
		if errors.Is(err, errBlogMissing) {
			select {
			case <-time.After(time.Second):
			case <-w.end:
			}
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (w *blogWorker) over() bool { return w.ended.Load() || w.stopped.Load() }

// randomBlog returns the number of a blog that has been begun; 0 is also the
// answer where there is none.
func (w *blogWorker) randomBlog() uint64 {
	next := w.next.Load()
	if next < 2 {
		return 0
	}
	return w.rng.Uint64() % (next - 1)
}

// some returns a number from 1 to blogMost.
func (w *blogWorker) some() int { return 1 + w.rng.IntN(blogMost) }

func blogName(blog uint64) string { return blogDir + "/blog-" + strconv.FormatUint(blog, 10) }

func (k blogKind) name(blog uint64, i int) string {
	return blogName(blog) + "/" + k.prefix + strconv.Itoa(i) + k.suffix
}

// writeBlog makes a blog: articles and pictures, the last first.
func (w *blogWorker) writeBlog() error {
	blog := w.next.Add(1) - 1
	// A commenter does not make folders, so that nobody can have made it.
	if err := os.Mkdir(blogName(blog), 0o700); err != nil {
		return err
	}
	if err := w.series(blogArticle, blog, &w.counts.articlesWritten); err != nil {
		return err
	}
	if err := w.series(blogPicture, blog, &w.counts.picturesWritten); err != nil {
		return err
	}
	if !w.over() {
		w.counts.blogsWritten.Add(1)
	}
	return nil
}

// series writes files from a random number down to 1.
func (w *blogWorker) series(k blogKind, blog uint64, count *atomic.Int64) error {
	for i := w.some(); i > 0 && !w.over(); i-- {
		if err := w.create(k, blog, i); err != nil {
			return err
		}
		count.Add(1)
	}
	return nil
}

// rewrite writes a picture anew or not, and an article.
func (w *blogWorker) rewrite() error {
	blog := w.randomBlog()
	if blog == 0 {
		return errBlogMissing
	}
	if w.rng.IntN(2) == 0 {
		if err := w.create(blogPicture, blog, w.some()); err != nil {
			return err
		}
		w.counts.picturesWritten.Add(1)
	}
	if err := w.create(blogArticle, blog, w.some()); err != nil {
		return err
	}
	w.counts.articlesWritten.Add(1)
	return nil
}

// comment writes comments; blog 0 gets them where there is no other.
func (w *blogWorker) comment() error {
	return w.series(blogComment, w.randomBlog(), &w.counts.commentsWritten)
}

// readBlog reads the comments of a blog or not, then its pictures and articles
// until an article is missing.
func (w *blogWorker) readBlog() error {
	blog := w.randomBlog()
	if blog == 0 {
		return errBlogMissing
	}
	if w.rng.IntN(2) == 0 {
		for i := 1; ; i++ {
			ok, err := w.readFile(blogComment.name(blog, i))
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			w.counts.commentsRead.Add(1)
		}
	}
	for i := 1; ; i++ {
		ok, err := w.readFile(blogPicture.name(blog, i))
		if err != nil {
			return err
		}
		if ok {
			w.counts.picturesRead.Add(1)
		}
		if ok, err = w.readFile(blogArticle.name(blog, i)); err != nil {
			return err
		}
		if !ok {
			break
		}
		w.counts.articlesRead.Add(1)
	}
	w.counts.blogsRead.Add(1)
	return nil
}

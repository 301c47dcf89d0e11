package html

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium is the one browser of these tests.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
	none bool
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// tab is a page of the browser, which fails its test on whatever a page must
// not do: write to the console, throw, load, or break its own policy.
type tab struct {
	t   testing.TB
	ctx context.Context
	dir string // of downloads
	// close ends it, at the latest with the test.
	close func()

	mu   sync.Mutex
	said []string
}

// limit is how long one step in the browser may take on a busy machine.
const limit = 2 * time.Minute

// open opens a page from a file, in a viewport, with media features such as
// prefers-color-scheme.
func open(t testing.TB, p *Page, width, height int64, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err == nil {
		err = p.Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return openFile(t, path, width, height, prepare...)
}

func openFile(t testing.TB, path string, width, height int64, prepare ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium.once.Do(func() {
		exe, err := exec.LookPath("chromium")
		if err != nil {
			chromium.none = true
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(exe), chromedp.Flag("no-sandbox", true),
			chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-default-apps", true), chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true),
			chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"), chromedp.WSURLReadTimeout(limit))
		ctx, stopAll := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stop := chromedp.NewContext(ctx)
		chromium.stop = func() { stop(); stopAll() }
		chromium.ctx, chromium.err = ctx, chromedp.Do(ctx)
	})
	if chromium.none {
		t.Skip("needs chromium")
	}
	if chromium.err != nil {
		t.Fatal(chromium.err)
	}
	ctx, stop := chromedp.NewContext(chromium.ctx)
	w := &tab{t: t, ctx: ctx, dir: t.TempDir()}
	w.close = sync.OnceFunc(func() {
		w.silent()
		stop()
	})
	t.Cleanup(w.close)
	if err := chromedp.Listen(ctx, w.hear); err != nil {
		t.Fatal(err)
	}
	w.do(append([]chromedp.Action[chromedp.Void]{
		chromedp.EmulateViewport(width, height),
		chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
				Source: `addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI + " " + e.sample));`,
			}); err != nil {
				return err
			}
			if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
				return err
			}
			events := true
			_, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
				Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: w.dir, EventsEnabled: &events,
			})
			return err
		}),
	}, prepare...)...)
	w.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	return w
}

func (w *tab) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			text += string(a.Value) + " " + a.Description
		}
		text = "console: " + text
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		text = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "blob:") && !strings.HasPrefix(u, "data:") {
			text = "request: " + u
		}
	case *page.EventJavascriptDialogOpening:
		text = "dialog: " + e.Message
	}
	if text != "" {
		w.mu.Lock()
		w.said = append(w.said, text)
		w.mu.Unlock()
	}
}

// heard returns what the page said since the last call.
func (w *tab) heard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	said := w.said
	w.said = nil
	return said
}

// silent fails the test if the page said anything.
func (w *tab) silent() {
	for _, text := range w.heard() {
		w.t.Errorf("the page said: %s", text)
	}
}

func (w *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	// The first step opens the tab, whose life must not end with a limit.
	if err := chromedp.Do(w.ctx); err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		w.t.Fatal(err)
	}
}

// eval returns the value of an expression, or of its promise, in the page.
func eval[T any](w *tab, expression string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		if len(expression) > 300 {
			expression = expression[:300] + "…"
		}
		w.t.Fatalf("%v\n%s", err, expression)
	}
	return v
}

// wait waits for an expression to become true.
func (w *tab) wait(expression string) {
	w.t.Helper()
	eval[bool](w, `new Promise((done, fail) => {
		const until = performance.now() + 60000;
		const look = () => { if (`+expression+`) done(true); else if (performance.now() > until) fail(new Error("never: " + `+quoted(expression)+`)); else setTimeout(look, 20); };
		look();
	})`)
}

// choose sets a control of a form and tells the page.
func (w *tab) choose(selector, value string) {
	w.t.Helper()
	eval[bool](w, fmt.Sprintf(`(() => { const e = document.querySelector(%s); e.value = %s; e.dispatchEvent(new Event("input")); e.dispatchEvent(new Event("change")); return true; })()`, quoted(selector), quoted(value)))
}

// quoted returns text as a literal of JavaScript.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// media sets what the page is shown on.
func media(features ...string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		p := emulation.SetEmulatedMediaParams{}
		for i := 0; i < len(features); i += 2 {
			p.Features = append(p.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
		}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, p)
		return err
	})
}

// download returns the file that a script makes the page save.
func (w *tab) download(script string) (name string, content []byte) {
	w.t.Helper()
	eval[bool](w, script+"; true")
	for until := time.Now().Add(limit); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		for _, e := range w.files() {
			if strings.HasSuffix(e, ".crdownload") || strings.HasPrefix(e, ".") {
				continue
			}
			content, err := os.ReadFile(filepath.Join(w.dir, e))
			if err == nil && len(content) == 0 {
				continue // the place of what comes
			}
			if err == nil {
				err = os.Remove(filepath.Join(w.dir, e))
			}
			if err != nil {
				w.t.Fatal(err)
			}
			return e, content
		}
	}
	w.t.Fatalf("nothing was saved by %s", script)
	return "", nil
}

func (w *tab) files() []string {
	list, err := os.ReadDir(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

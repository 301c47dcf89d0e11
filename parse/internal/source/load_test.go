package source

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// pack compresses by name.
func pack(t testing.TB, by, data string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch by {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "xz":
		w, err = xz.NewWriter(&b)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	default:
		t.Fatalf("no packer %q", by)
	}
	if err == nil {
		_, err = io.WriteString(w, data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var packers = []string{"gzip", "xz", "zstd"}

// noise is text that does not compress to nothing.
func noise(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz .\n"[r.IntN(29)]
	}
	return string(b)
}

func load(raw string, limits Limits) (string, []Note, error) {
	return Load(strings.NewReader(raw), "in", 0, limits)
}

func TestLoad(t *testing.T) {
	texts := map[string]string{"short": "text\n", "longer": noise(300_000), "flat": strings.Repeat("EXT4 ...... 86.08 |======\n", 500)}
	for name, text := range texts {
		inputs := map[string]string{"plain": text}
		for _, by := range packers {
			inputs[by] = pack(t, by, text)
			inputs[by+" twice over"] = pack(t, by, text[:len(text)/2]) + pack(t, by, text[len(text)/2:])
			for _, outer := range packers {
				inputs[by+" in "+outer] = pack(t, outer, pack(t, by, text))
			}
		}
		inputs["gzip and padding"] = inputs["gzip"] + strings.Repeat("\x00", 512)
		inputs["xz and padding"] = inputs["xz"] + strings.Repeat("\x00", 8)
		inputs["zstd behind a skippable frame"] = "\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + inputs["zstd"]
		for input, raw := range inputs {
			t.Run(name+"/"+input, func(t *testing.T) {
				got, notes, err := load(raw, Limits{})
				if err != nil || len(notes) != 0 {
					t.Fatalf("error %v, notes %v", err, notes)
				}
				if got != text {
					t.Fatalf("got %d bytes, want %d", len(got), len(text))
				}
				got, _, err = Load(iotest.OneByteReader(strings.NewReader(raw)), "in", int64(len(raw)), Limits{})
				if err != nil || got != text {
					t.Fatalf("byte by byte: got %d bytes, error %v", len(got), err)
				}
			})
		}
	}
}

// The tool that most people have writes what its library's writer does not:
// blocks, and every kind of checksum.
func TestLoadToolXZ(t *testing.T) {
	tool, err := exec.LookPath("xz")
	if err != nil {
		t.Skip("needs the tool xz")
	}
	text := noise(400_000)
	for _, args := range [][]string{
		{"-0"},
		{"-9e"},
		{"--check=none"},
		{"--check=crc32"},
		{"--check=sha256"},
		{"--block-size=65536"},
		{"-T2", "--block-size=65536"},
		{"--lzma2=dict=64MiB,lc=0,lp=2"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			cmd := exec.Command(tool, append(args, "-c", "-z")...)
			cmd.Stdin = strings.NewReader(text)
			raw, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got, notes, err := load(string(raw), Limits{})
			if err != nil || len(notes) != 0 || got != text {
				t.Fatalf("got %d bytes, notes %v, error %v", len(got), notes, err)
			}
		})
	}
}

func TestLoadTruncated(t *testing.T) {
	text := noise(300_000)
	for _, by := range packers {
		raw := pack(t, by, text)
		for _, n := range []int{len(raw) - 1, len(raw) - 9, len(raw) * 2 / 3, 40, 12, 6} {
			t.Run(fmt.Sprintf("%s/%d", by, n), func(t *testing.T) {
				got, notes, err := load(raw[:n], Limits{})
				if err != nil {
					var s *SyntaxError
					if n > 100 || errors.As(err, &s) {
						t.Fatal(err)
					}
					return
				}
				if !strings.HasPrefix(text, got) || n > 100 && len(got) < n/2 {
					t.Errorf("got %d bytes of %d compressed ones", len(got), n)
				}
				if len(notes) != 1 || notes[0].Code != "truncated" || notes[0].Severity != "error" {
					t.Errorf("notes %+v", notes)
				}
			})
		}
	}
}

// Damage within the data must never pass: the checksums are there for it.
func TestLoadDamaged(t *testing.T) {
	text := noise(20_000)
	for _, by := range packers {
		raw := pack(t, by, text)
		for at := 12; at < len(raw); at += max(1, len(raw)/97) {
			damaged := []byte(raw)
			damaged[at] ^= 0x10
			got, notes, err := load(string(damaged), Limits{})
			if err == nil && len(notes) == 0 && got != text {
				t.Errorf("%s: a flipped bit at %d passed", by, at)
			}
		}
	}
}

func TestLoadTrailing(t *testing.T) {
	for _, by := range packers {
		got, notes, err := load(pack(t, by, "text\n")+"something else", Limits{})
		if err != nil || got != "text\n" || len(notes) != 1 || notes[0].Code != "trailing-data" {
			t.Errorf("%s: got %q, notes %+v, error %v", by, got, notes, err)
		}
	}
}

func TestLoadLimits(t *testing.T) {
	flat := strings.Repeat("x", 1<<20)
	tests := []struct {
		name, raw string
		limits    Limits
		message   string
	}{
		{"input", "12345678", Limits{Input: 7}, "in: input is over the limit of 7 (raise it with --max-input)"},
		{"input met", "12345678", Limits{Input: 8}, ""},
		{"decompressed", pack(t, "gzip", noise(5000)), Limits{Input: 4999}, "in: decompressed input is over the limit of 4999 (raise it with --max-input)"},
		{"decompressed met", pack(t, "gzip", noise(5000)), Limits{Input: 5000}, ""},
		{"ratio", pack(t, "gzip", flat), Limits{Ratio: 100}, "in: decompression ratio is over the limit of 100 (raise it with --max-ratio)"},
		{"ratio met", pack(t, "gzip", flat), Limits{Ratio: 1100}, ""},
		{"ratio by default", pack(t, "xz", strings.Repeat(flat, 20)), Limits{}, "in: decompression ratio is over the limit of 1000 (raise it with --max-ratio)"},
		{"ratio of two layers", pack(t, "gzip", pack(t, "zstd", flat)), Limits{Ratio: 1100}, "in: decompression ratio is over the limit of 1100 (raise it with --max-ratio)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := load(test.raw, test.limits)
			if test.message == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var limit *LimitError
			if !errors.As(err, &limit) || err.Error() != test.message {
				t.Errorf("got %v\nwant %s", err, test.message)
			}
		})
	}
}

// A block that asks for 4 GiB of dictionary must get what its data needs.
func TestLoadGreedyXZ(t *testing.T) {
	raw := []byte(pack(t, "xz", "text\n"))
	header := raw[xzStreamHead : xzStreamHead+(int(raw[xzStreamHead])+1)*4]
	if header[2] != 0x21 {
		t.Fatalf("not the header that was thought of: % x", header)
	}
	header[4] = 40
	end := len(header) - 4
	binary.LittleEndian.PutUint32(header[end:], crc32.ChecksumIEEE(header[:end]))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _, err := load(string(raw), Limits{})
	runtime.ReadMemStats(&after)
	if err != nil || got != "text\n" {
		t.Fatalf("got %q, error %v", got, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("allocated %d bytes", n)
	}
}

func TestLoadKinds(t *testing.T) {
	long := strings.Repeat("\x01\x02", 400)
	tests := []struct{ name, raw, found string }{
		{"empty", "", "an empty input"},
		{"png", "\x89PNG\r\n\x1a\n" + long, "a PNG image"},
		{"pdf", "%PDF-1.7\n%\xe2\xe3", "a PDF document"},
		{"elf", "\x7fELF\x02\x01" + long, "an ELF program"},
		{"zip", "PK\x03\x04" + long, "a zip archive"},
		{"xlsx", "PK\x03\x04" + strings.Repeat("\x00", 26) + "[Content_Types].xml" + long, "an Office document (XLSX, ODS or the like)"},
		{"ods", "PK\x03\x04" + strings.Repeat("\x00", 26) + "mimetypeapplication/vnd.oasis.opendocument.spreadsheet" + long, "an Office document (XLSX, ODS or the like)"},
		{"webarchive", "bplist00\xd1\x01\x02<html><body>SSD</body></html>", "a binary property list, such as a web archive of Safari"},
		{"tar", "dump.txt" + strings.Repeat("\x00", 249) + "ustar\x00", "a tar archive"},
		{"tar in gzip", pack(t, "gzip", "dump.txt"+strings.Repeat("\x00", 249)+"ustar\x00"), "a tar archive"},
		{"empty in gzip", pack(t, "gzip", ""), "an empty input"},
		{"noise", "text" + long, "binary data (byte 0x01 at offset 4)"},
		{"nuls", strings.Repeat("\x00", 10_000), "binary data (byte 0x00 at offset 0)"},
		{"utf-32", "\xff\xfe\x00\x00t\x00\x00\x00", "UTF-32 text"},
		{"three layers", pack(t, "xz", pack(t, "gzip", pack(t, "zstd", "text"))), "zstd data, compressed more than twice"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := load(test.raw, Limits{})
			var s *SyntaxError
			if !errors.As(err, &s) {
				t.Fatalf("got %v", err)
			}
			if want := "in:1:1: found " + test.found + ", expected " + Expected; err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	for _, text := range []string{"t", "text with one \x01 control character and enough beside it", "\x1b[1m\x1b[0m", "t\x00e\x00x\x00t\x00", "log\n" + strings.Repeat("\x00", 500)} {
		if _, _, err := load(text, Limits{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// An endless input must end by what it is, not by its length.
func TestLoadEndless(t *testing.T) {
	if _, _, err := Load(zeros{}, "zero", 0, Limits{}); err == nil || !strings.Contains(err.Error(), "binary data") {
		t.Errorf("got %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestLoadReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, r := range []io.Reader{
		iotest.ErrReader(broken),
		io.MultiReader(strings.NewReader("text"), iotest.ErrReader(broken)),
		io.MultiReader(strings.NewReader(noise(200_000)), iotest.ErrReader(broken)),
	} {
		if _, _, err := Load(r, "in", 0, Limits{}); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, by := range packers {
		raw := pack(f, by, "EXT4 ...... 86.08 |======\n")
		f.Add(raw)
		f.Add(raw[:len(raw)-3])
		f.Add(raw + raw)
		f.Add(raw + "x")
	}
	f.Add("text")
	for _, encoding := range []string{"quoted-printable", "base64", "binary"} {
		f.Add(saved(encoding, "PGI+PTwvYj4="))
	}
	f.Fuzz(func(t *testing.T, raw string) {
		limits := Limits{Input: 1 << 20}
		text, notes, err := load(raw, limits)
		if err != nil {
			if text != "" {
				t.Fatalf("text beside the error %v", err)
			}
			return
		}
		if int64(len(text)) > limits.Input {
			t.Fatalf("%d bytes are over the limit", len(text))
		}
		if packing(raw) == nil && (text != raw || notes != nil) {
			t.Fatalf("plain input changed, notes %v", notes)
		}
	})
}

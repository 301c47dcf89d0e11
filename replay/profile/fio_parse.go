package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"

	"github.com/benchproof/benchproof/internal/phrase"
)

// fioDocument is what counts of fio's JSON.
type fioDocument struct {
	Version string            `json:"fio version"`
	Global  map[string]string `json:"global options"`
	Jobs    []fioJob          `json:"jobs"`
}

type fioJob struct {
	Name    string            `json:"jobname"`
	Error   int               `json:"error"`
	Options map[string]string `json:"job options"`
	Read    fioDirection      `json:"read"`
	Write   fioDirection      `json:"write"`
	Trim    fioDirection      `json:"trim"`
}

// fioDirection are the figures of one direction of a job.
type fioDirection struct {
	Bytes     uint64  `json:"io_bytes"`
	Bandwidth *uint64 `json:"bw_bytes"` // a second; fio 2 has none
	IOPS      float64 `json:"iops"`
	Runtime   uint64  `json:"runtime"` // ms
	Requests  uint64  `json:"total_ios"`
	Short     uint64  `json:"short_ios"`
	Dropped   uint64  `json:"drop_ios"`
	// Means of samples, in KiB/s and requests a second.
	BandwidthMean float64 `json:"bw_mean"`
	IOPSMean      float64 `json:"iops_mean"`
	Samples       uint64  `json:"bw_samples"`
}

var (
	fioSignal = regexp.MustCompile(`(?m)^(?:<[^>\n]*> )?fio: terminating on signal (\d+)`)
	// fioFailed matches what fio prints of a job that failed.
	fioFailed = regexp.MustCompile(`(?m)^(?:<[^>\n]*> )?fio: .*\berr=\s*([1-9]\d*)/.*|\berr=\s*([1-9]\d*)[ :(].*|^fio: ENOSPC.*|^fio: failed .*|^fio: .*: No space left on device.*`)
)

// fioDocuments returns the JSON documents in what fio printed; text before,
// between and behind them is passed over. A document that is cut off or broken
// is an error: its figures would be partial.
func fioDocuments(out []byte) ([]fioDocument, error) {
	var docs []fioDocument
	for {
		at := 0
		if !bytes.HasPrefix(out, []byte("{")) {
			if at = bytes.Index(out, []byte("\n{")) + 1; at == 0 {
				return docs, nil
			}
		}
		d := json.NewDecoder(bytes.NewReader(out[at:]))
		var doc fioDocument
		if err := d.Decode(&doc); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, errors.New("fio's JSON is cut off")
			}
			return nil, fmt.Errorf("fio's JSON: %w", err)
		}
		docs = append(docs, doc)
		out = out[at+int(d.InputOffset()):]
	}
}

// parse reads one run of fio. What fio says of a job that failed, was
// interrupted or is not whole is an error: such figures are no samples, however
// good they look.
func (r *fioRun) parse(outputs *Outputs) (*Reading, error) {
	out, ok := outputs.Step("fio")
	if !ok {
		return nil, errors.New("fio did not run")
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("fio ended with %d: %s", out.ExitCode, fioReason(out))
	}
	for _, text := range [][]byte{out.Stdout, out.Stderr} {
		if m := fioSignal.FindSubmatch(text); m != nil {
			return nil, fmt.Errorf("fio was interrupted by signal %s", m[1])
		}
		if m := fioFailed.Find(text); m != nil {
			return nil, fmt.Errorf("fio failed: %.200q", m)
		}
	}
	docs, err := fioDocuments(out.Stdout)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return parseFioText(out.Stdout, r.write())
	}
	// Of several documents the last is of the whole run.
	return r.read(&docs[len(docs)-1])
}

// write reports whether the run writes.
func (r *fioRun) write() bool { return r.rw == "write" || r.rw == "randwrite" }

// read makes the samples of a document.
func (r *fioRun) read(doc *fioDocument) (*Reading, error) {
	if len(doc.Jobs) != 1 {
		return nil, fmt.Errorf("fio's JSON has %s, want 1", phrase.Count(len(doc.Jobs), "job"))
	}
	job := &doc.Jobs[0]
	if job.Error != 0 {
		return nil, fmt.Errorf("fio: error %d of its job", job.Error)
	}
	d, other := &job.Read, &job.Write
	if r.write() {
		d, other = other, d
	}
	switch {
	case d.Requests == 0 || d.Runtime == 0 || d.Bytes == 0:
		return nil, errors.New("fio did no I/O in the measured time")
	case d.Bandwidth == nil:
		return nil, errors.New("fio's JSON has no bw_bytes: it is of fio 2")
	}
	block, _ := parseSize(r.bs)
	samples := []Sample{
		{Metric: "bandwidth", Value: float64(*d.Bandwidth), Unit: "B/s"},
		// Of whole numbers, for JSON's figure has 6 places.
		{Metric: "iops", Value: 1000 * float64(d.Requests) / float64(d.Runtime), Unit: "1/s"},
	}
	if d.Samples > 0 {
		samples = append(samples,
			Sample{Metric: "bandwidth-samples", Value: d.BandwidthMean * 1024, Unit: "B/s"},
			Sample{Metric: "iops-samples", Value: d.IOPSMean, Unit: "1/s"})
	}
	option := func(key string) string {
		if v, ok := job.Options[key]; ok {
			return v
		}
		return doc.Global[key]
	}
	// Requests that were under way when the ramp ended count with their
	// bytes but not as requests.
	underWay := float64(block) * float64(r.depth*max(r.jobs, 1))
	whole := float64(block) * float64(d.Requests)
	reading := &Reading{Samples: samples, Invariants: []Invariant{
		check("rw", option("rw"), r.rw),
		check("ioengine", option("ioengine"), r.engine),
		check("bs", option("bs"), r.bs),
		checkRange("measured milliseconds", float64(d.Runtime), 950*float64(r.time), math.Inf(1)),
		checkRange("bytes for the requests", float64(d.Bytes), whole-underWay, whole+underWay),
		checkRange("bandwidth for the bytes", float64(*d.Bandwidth), 1000*float64(d.Bytes)/float64(d.Runtime)-1, 1000*float64(d.Bytes)/float64(d.Runtime)+1),
		checkRange("IOPS for the requests", d.IOPS, samples[1].Value*(1-1e-6)-1e-5, samples[1].Value*(1+1e-6)+1e-5),
		check("requests of the other direction", other.Requests+job.Trim.Requests, 0),
		check("requests dropped or short", d.Dropped+d.Short, 0),
	}}
	return reading, nil
}

var (
	fioGroup = regexp.MustCompile(`(?m)^ +(READ|WRITE): bw=([\d.]+[KMGTP]?i?B/s)`)
	fioIOPS  = regexp.MustCompile(`(?m)^ *(read|write): IOPS=([\d.]+[kMGTP]?)[, ]`)
)

// parseFioText reads what fio 3 prints for people, where there is no JSON: its
// figures are rounded, which the reading warns of.
func parseFioText(out []byte, write bool) (*Reading, error) {
	group, iops := fioGroup.FindAllSubmatch(out, -1), fioIOPS.FindAllSubmatch(out, -1)
	if len(group) == 0 || len(iops) == 0 {
		return nil, errors.New("no figures in what fio printed")
	}
	bw, n := group[len(group)-1], iops[len(iops)-1]
	if want := map[bool]string{true: "WRITE", false: "READ"}[write]; string(bw[1]) != want {
		return nil, fmt.Errorf("fio printed figures of %s, want %s", bw[1], want)
	}
	bytes, err := fioFigure(string(bw[2]), 1024)
	if err != nil {
		return nil, err
	}
	requests, err := fioFigure(string(n[2]), 1000)
	if err != nil {
		return nil, err
	}
	return &Reading{
		Samples: []Sample{
			{Metric: "bandwidth", Value: bytes, Unit: "B/s", Detail: string(bw[2])},
			{Metric: "iops", Value: requests, Unit: "1/s", Detail: string(n[2])},
		},
		Warnings: []string{"read from fio's text, whose figures have 4 digits"},
	}, nil
}

// fioFigure is the number of a printed figure with its unit.
func fioFigure(text string, base float64) (float64, error) {
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	v, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return 0, fmt.Errorf("fio printed %.40q, which is no figure", text)
	}
	if end < len(text) {
		for i, prefix := range [...]byte{'k', 'm', 'g', 't', 'p'} {
			if text[end]|0x20 == prefix {
				v *= math.Pow(base, float64(i+1))
			}
		}
	}
	return v, nil
}

// fioReason is the line in which fio says what went wrong.
func fioReason(out *Output) string {
	for _, text := range [][]byte{out.Stderr, out.Stdout} {
		if m := fioSignal.Find(text); m != nil {
			return string(bytes.TrimSpace(m))
		}
		if m := fioFailed.Find(text); m != nil {
			return fmt.Sprintf("%.200q", bytes.TrimSpace(m))
		}
	}
	text := bytes.TrimSpace(out.Stderr)
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return fmt.Sprintf("%.200q", text)
}

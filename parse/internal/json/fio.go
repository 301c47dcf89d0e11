package json

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/benchproof/benchproof/parse/internal/source"
	"github.com/benchproof/benchproof/result"
)

// fioMark is how fio's JSON output begins, be it with what fio said before it.
var fioMark = regexp.MustCompile(`(?:^\s*|\n)\{\s*"fio version"\s*:`)

// SniffFio reports whether text looks like fio's JSON output, be it with lines
// of something else before it.
func SniffFio(text string) bool {
	return fioMark.MatchString(text[:min(len(text), sniffSize)])
}

// ReadFio reads what fio prints with --output-format=json, one or several such
// objects, as [Read] does exports.
//
// A direction of a job (read, write, trim) gives bandwidth, IOPS, the mean of
// its latency and the 99th percentile, in the units that fio prints: a test
// each, whose arguments are the job's name and those options that say what the
// load was. A direction without I/O was not measured, and gives none. A job is
// one run. Its minima, maxima and deviations are those of single I/Os or of
// moments, and no figures of runs: they are not read.
//
// Of the states that fio prints of one run with --status-interval the last is
// read, and a diagnostic says how many there were.
//
// fio names the host where it ran on servers; else the system is called after
// the input, which is inferred.
func ReadFio(doc *source.Doc, emit func(*result.File) error) error {
	return readForm(doc, emit, form{mark: fioMark, format: result.FormatFio, expected: "fio's JSON output", object: (*reader).fio, chatter: true, replaces: replacesFio})
}

// fioAll is how fio calls the sum of several clients.
const fioAll = "All clients"

// fioLoad are the options of a job that say what its load was, in the order in
// which they are named. Where it was, how long and how large is left out, so
// that the same load on two disks is one test.
var fioLoad = []string{"rw", "bs", "ioengine", "iodepth", "direct", "numjobs", "rwmixread", "fsync", "rate_iops"}

// number is a figure as it stands.
type number struct {
	text string
	at   int
}

// zero reports whether there is no figure, or that of nothing measured.
func (n number) zero() bool { return strings.Trim(n.text, "0.") == "" }

// fioLatency is one kind of latency of a direction.
type fioLatency struct {
	key           string // "lat_ns"
	mean, n, high number // high is the 99th percentile
}

// fioDirection is what a job did in one direction.
type fioDirection struct {
	name                  string
	ios, bytes, kib, iops number
	transferred, runtime  number // io_bytes, and its milliseconds
	latencies             []fioLatency
}

// fioJob is one element of "jobs" or "client_stats".
type fioJob struct {
	at         int
	name, host string
	failure    number // fio's errno
	elapsed    number // seconds
	options    []result.Option
	directions []fioDirection
}

// fioOutput is the object as far as it was read.
type fioOutput struct {
	version, time string
	global        []result.Option
	names         map[string]int // jobs so far by name and load
}

// fio reads the whole object.
func (r *reader) fio() error {
	out := fioOutput{names: make(map[string]int)}
	found := false
	start := r.s.at
	err := r.s.object(func(key string, at int) (err error) {
		switch key {
		case "fio version":
			err = r.text(&out.version)
			r.f.Generator = out.version
		case "time":
			err = r.text(&out.time)
		case "timestamp", "timestamp_ms":
			var n number
			err = r.figure(&n)
			if key == "timestamp" {
				r.fioState.seconds = wholeNumber(n)
			} else {
				r.fioState.milliseconds = wholeNumber(n)
			}
		case "disk_util":
			err = r.s.skip()
		case "global options":
			out.global, err = r.fioOptions()
		case "jobs", "client_stats":
			found = true
			if ok, err := r.expectList("jobs"); !ok {
				return err
			}
			return r.s.array(func(int) error { return r.fioJob(&out, key == "client_stats") })
		default:
			return r.unkept("fio's output", key, at)
		}
		return err
	})
	if !found && err == nil {
		r.f.Warn(start, "no-results", "the output has no jobs")
	}
	if len(r.f.Tests) > 0 {
		r.f.Info(start, "fio-figures", "bandwidth, IOPS, mean latency and its 99th percentile are read; submission latency, other percentiles, CPU and disk use are not")
	}
	for i := range r.f.Systems {
		r.f.Systems[i].Timestamp = out.time
	}
	return err
}

// fioOptions reads an object of options, in order.
func (r *reader) fioOptions() ([]result.Option, error) {
	if r.s.peek() != isObject {
		r.f.Warn(r.s.at, "unknown-value", "options are no object, and are not read")
		return nil, r.s.skip()
	}
	var list []result.Option
	err := r.s.object(func(key string, _ int) error {
		o := result.Option{Key: key}
		if err := r.text(&o.Value); err != nil {
			return err
		}
		list = append(list, o)
		return nil
	})
	return list, err
}

// figure reads a number as it stands, and leaves field alone where there is
// something else, which is reported.
func (r *reader) figure(field *number) error {
	t, err := r.s.token()
	if err != nil {
		return err
	}
	switch t.kind {
	case isNumber:
		*field = number{t.text, t.at}
		return nil
	case isObject, isArray:
		err = r.s.skip()
	}
	r.f.Warn(t.at, "not-a-number", "where a figure should stand is none, and nothing is read")
	return err
}

// members reads an object whose members use wants; others are passed over.
func (r *reader) members(use func(key string) (known bool, err error)) error {
	if r.s.peek() != isObject {
		r.f.Warn(r.s.at, "unknown-value", "an object should stand here; what does is not read")
		return r.s.skip()
	}
	return r.s.object(func(key string, _ int) error {
		if known, err := use(key); known || err != nil {
			return err
		}
		return r.s.skip()
	})
}

// fioJob reads a job and adds its tests. The last of several clients is their
// sum, and of no host, whatever stands there.
func (r *reader) fioJob(out *fioOutput, client bool) error {
	r.s.space()
	job := fioJob{at: r.s.at}
	err := r.members(func(key string) (bool, error) {
		switch key {
		case "jobname":
			return true, r.text(&job.name)
		case "hostname":
			return true, r.text(&job.host)
		case "error":
			return true, r.figure(&job.failure)
		case "elapsed":
			return true, r.figure(&job.elapsed)
		case "job options":
			var err error
			job.options, err = r.fioOptions()
			return true, err
		case "read", "write", "trim":
			d := fioDirection{name: strings.ToUpper(key[:1]) + key[1:]}
			err := r.fioDirection(&d)
			job.directions = append(job.directions, d)
			return true, err
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	r.fioState.progress(&job)
	if client && job.name == fioAll {
		job.host = fioAll
	}
	return r.addFio(out, &job)
}

// fioDirection reads what a job did in one direction.
func (r *reader) fioDirection(d *fioDirection) error {
	return r.members(func(key string) (bool, error) {
		switch key {
		case "total_ios":
			return true, r.figure(&d.ios)
		case "io_bytes":
			return true, r.figure(&d.transferred)
		case "runtime":
			return true, r.figure(&d.runtime)
		case "bw_bytes":
			return true, r.figure(&d.bytes)
		case "bw":
			return true, r.figure(&d.kib)
		case "iops":
			return true, r.figure(&d.iops)
		case "lat_ns", "clat_ns", "lat", "clat":
			l := fioLatency{key: key}
			err := r.members(func(key string) (bool, error) {
				switch key {
				case "mean":
					return true, r.figure(&l.mean)
				case "N":
					return true, r.figure(&l.n)
				case "percentile":
					return true, r.members(func(key string) (bool, error) {
						return key == "99.000000", r.fioIf(key == "99.000000", &l.high)
					})
				}
				return false, nil
			})
			d.latencies = append(d.latencies, l)
			return true, err
		}
		return false, nil
	})
}

// fioIf reads a figure if it is wanted.
func (r *reader) fioIf(wanted bool, field *number) error {
	if !wanted {
		return nil
	}
	return r.figure(field)
}

// addFio adds the tests of a job.
func (r *reader) addFio(out *fioOutput, job *fioJob) error {
	host := job.host
	if host == "" {
		host = r.s.doc.Name
	}
	given := make(map[string]string)
	var command []string
	for _, o := range slices.Concat(out.global, job.options) {
		given[o.Key] = o.Value // the job's own counts
		if o.Value == "" {
			command = append(command, o.Key)
		} else {
			command = append(command, o.Key+"="+o.Value)
		}
	}
	load := []result.Option{{Key: "Job", Value: job.name}}
	for _, key := range fioLoad {
		if v, ok := given[key]; ok {
			load = append(load, result.Option{Key: key, Value: v})
		}
	}
	key := host + "\x00" + fioArguments(load)
	if out.names[key]++; out.names[key] > 1 {
		// Jobs of one name ran at once (numjobs), each with a share.
		load[0].Value = fmt.Sprintf("%s #%d", job.name, out.names[key])
		r.f.Info(job.at, "several-jobs", "a further job %q with the same load; fio adds such up with group_reporting", job.name)
	}
	test := result.Test{
		Title: "fio", Version: strings.TrimPrefix(out.version, "fio-"),
		CommandArguments: strings.Join(command, " "), Origin: r.f.Origin(job.at, "job"),
	}
	failed := ""
	if !job.failure.zero() {
		failed = "fio ended with error " + job.failure.text
		r.f.Error(job.failure.at, "job-failed", "job %q ended with error %s: its figures are those of a part of its load, and are no values", job.name, job.failure.text)
	}
	add := func(n number, scale string, better result.Proportion, what ...string) error {
		t := test
		t.Options = slices.Clone(load)
		for _, w := range what {
			t.Options = append(t.Options, result.Option{Value: w})
		}
		t.Arguments, t.Scale, t.Proportion = fioArguments(t.Options), scale, better
		r.f.NextTest()
		system, err := r.f.SystemOf(host, job.at)
		if err != nil {
			return err
		}
		m := result.Measurement{System: system, Value: n.text, Samples: 1, Origin: r.f.Origin(n.at, "figure")}
		if job.host == "" {
			r.inferSystem(system)
		}
		if failed != "" {
			m.Value, m.Samples, m.Status, m.Reason = "", 0, result.StatusFailed, failed
		}
		t.Measurements = []result.Measurement{m}
		return r.f.AddTest(t)
	}
	added := false
	for _, d := range job.directions {
		if d.ios.zero() && d.iops.zero() {
			continue
		}
		added = true
		if err := r.addDirection(&d, add); err != nil {
			return err
		}
	}
	switch {
	case added:
	case failed != "":
		return add(job.failure, "", "")
	default:
		r.f.Warn(job.at, "no-figures", "job %q did no I/O, and has no figures", job.name)
	}
	return nil
}

// inferSystem marks a system that is called after the input. Its values stand in
// the output, and stay exact.
func (r *reader) inferSystem(i int) {
	s := &r.f.Systems[i]
	if s.Decode == result.DecodeExact {
		r.f.At(s.Origin, result.SeverityInfo, "system-unnamed", "fio does not say what ran it; the system is named after the input")
	}
	s.Decode = result.DecodeInferred
}

// addDirection adds the figures of a direction that are there.
func (r *reader) addDirection(d *fioDirection, add func(n number, scale string, better result.Proportion, what ...string) error) error {
	bandwidth, unit := d.bytes, "B/s"
	if bandwidth.text == "" {
		bandwidth, unit = d.kib, "KiB/s"
	}
	if bandwidth.text != "" {
		if err := add(bandwidth, unit, result.HIB, d.name+" Bandwidth"); err != nil {
			return err
		}
	}
	if d.iops.text != "" {
		if err := add(d.iops, "IOPS", result.HIB, d.name+" IOPS"); err != nil {
			return err
		}
	}
	for _, l := range d.latencies {
		if l.n.zero() && l.mean.zero() {
			continue // disable_lat, disable_clat
		}
		name, unit := d.name+" Latency", "us" // of fio 2
		if strings.HasSuffix(l.key, "_ns") {
			unit = "ns"
		}
		if l.key[0] == 'c' {
			name = d.name + " Completion Latency"
		}
		if l.mean.text != "" {
			if err := add(l.mean, unit, result.LIB, name); err != nil {
				return err
			}
		}
		if l.high.text != "" {
			if err := add(l.high, unit, result.LIB, name, "99th Percentile"); err != nil {
				return err
			}
		}
	}
	return nil
}

// fioArguments joins options as PTS does arguments.
func fioArguments(options []result.Option) string {
	parts := make([]string, len(options))
	for i, o := range options {
		parts[i] = o.String()
	}
	return strings.Join(parts, " - ")
}

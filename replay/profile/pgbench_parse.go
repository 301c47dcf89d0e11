package profile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	pgTPS       = regexp.MustCompile(`(?m)^tps = ([\d.]+) \((?:excluding connections establishing|without initial connection time)\)`)
	pgLatency   = regexp.MustCompile(`(?m)^latency average = ([\d.]+) ms`)
	pgFailed    = regexp.MustCompile(`(?m)^number of failed transactions: (\d+)`)
	pgProcessed = regexp.MustCompile(`(?m)^number of transactions actually processed: (\d+)`)
	pgSetting   = regexp.MustCompile(`(?m)^(transaction type|scaling factor|number of clients|number of threads|duration): (.*)$`)
	pgError     = regexp.MustCompile(`(?m)^.*(?:pgbench: (?:error|fatal):|FATAL:|too many clients|\baborted\b|No space left on device).*$`)
)

// parse reads one run of pgbench, of version 9 or later.
func (r *pgbenchRun) parse(o *Outputs) (*Reading, error) {
	out, ok := o.Step("pgbench")
	if !ok {
		return nil, errors.New("pgbench did not run")
	}
	text := out.joined()
	if m := pgError.FindString(text); m != "" {
		return nil, fmt.Errorf("pgbench: %.200q", strings.TrimSpace(m))
	}
	if out.ExitCode != 0 {
		return nil, fmt.Errorf("pgbench ended with %d", out.ExitCode)
	}
	find := func(re *regexp.Regexp) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	tpsText, latencyText := find(pgTPS), find(pgLatency)
	tps, err := strconv.ParseFloat(tpsText, 64)
	latency, err2 := strconv.ParseFloat(latencyText, 64)
	if err != nil || err2 != nil || tps <= 0 || latency <= 0 {
		return nil, fmt.Errorf("pgbench printed tps %.40q and latency %.40q", tpsText, latencyText)
	}
	settings := make(map[string]string)
	for _, m := range pgSetting.FindAllStringSubmatch(text, -1) {
		settings[m[1]] = m[2]
	}
	failed := find(pgFailed)
	if failed == "" {
		failed = "0" // versions before 15 have none
	}
	kind := "TPC-B (sort of)"
	if r.readOnly {
		kind = "select only"
	}
	processed, _ := strconv.ParseFloat(find(pgProcessed), 64)
	clients := float64(r.clients)
	// Latency is printed with three places; the clock runs a little longer
	// than the clients do.
	slack := clients * (0.02 + 0.0005/latency)
	return &Reading{
		Samples: []Sample{
			{Metric: "tps", Value: tps, Unit: "1/s", Detail: tpsText},
			{Metric: "latency", Value: latency / 1000, Unit: "s", Detail: latencyText},
		},
		Invariants: []Invariant{
			check("load", strings.Contains(settings["transaction type"], kind), true),
			check("scale factor", settings["scaling factor"], strconv.Itoa(r.factor)),
			check("clients", settings["number of clients"], strconv.Itoa(r.clients)),
			check("threads", settings["number of threads"], strconv.Itoa(min(r.threads, r.clients))),
			check("duration", settings["duration"], fmt.Sprintf("%d s", r.seconds)),
			check("failed transactions", failed, "0"),
			checkRange("transactions", processed, 1, 1e15),
			checkRange("TPS x latency", tps*latency/1000, clients-slack, clients+slack),
		},
	}, nil
}

// publish gives the figure as the profile does: 1.10 rounds the rate to a whole
// number.
func (r *pgbenchRun) publish(metric string) func(Sample) (string, string) {
	return func(s Sample) (text, reason string) {
		if metric == "tps" && r.wholeTPS {
			return strconv.FormatFloat(s.Value, 'f', 0, 64), ""
		}
		return publishText(s)
	}
}

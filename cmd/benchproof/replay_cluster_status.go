package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/benchproof/benchproof/export"
	"github.com/benchproof/benchproof/internal/phrase"
	"github.com/benchproof/benchproof/internal/term"
	"github.com/benchproof/benchproof/replay/cluster"
)

// runCluster says how far the job of a directory is.
func (o *replayStatusOptions) runCluster(ctx context.Context, a *app, dir string) error {
	s, err := cluster.ReadStatus(ctx, dir)
	if err != nil {
		return &exitError{exitUnread, err, ""}
	}
	if s.QueueError != "" {
		a.m.warning("the queue cannot be asked: %s", s.QueueError)
	}
	return o.output.writeForms(ctx, a.e, o.format, nil, forms{
		text: func(out io.Writer) error { return writeClusterStatus(out, s, textOptions(a, &o.output, o.width)) },
		doc:  s, columns: clusterStatusColumns, rows: clusterStatusRows(s),
	})
}

var clusterStatusColumns = []export.Column{
	{Name: "element", Kind: export.Count},
	{Name: "host"},
	{Name: "targets"},
	{Name: "state"},
	{Name: "queue"},
	{Name: "job_id"},
	{Name: "restarts", Kind: export.Count},
	{Name: "done", Kind: export.Count},
	{Name: "failed", Kind: export.Count},
	{Name: "total", Kind: export.Count},
	{Name: "seconds_left", Kind: export.Figure},
	{Name: "run"},
	{Name: "reason"},
	{Name: "log"},
}

func clusterStatusRows(s *cluster.Status) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for i := range s.Elements {
			e := &s.Elements[i]
			left := ""
			if e.Left != nil {
				left = strconv.FormatFloat(*e.Left, 'f', -1, 64)
			}
			if !yield([]string{
				strconv.Itoa(e.Element), e.Host, strings.Join(e.Targets, "; "), e.State, e.Queue, e.JobID, strconv.Itoa(e.Restarts),
				strconv.Itoa(e.Done), strconv.Itoa(e.Failed), strconv.Itoa(e.Total), left, e.Run, e.Reason, e.Log,
			}) {
				return
			}
		}
	}
}

// leftText returns a time that is left, or that it is not known.
func leftText(seconds *float64) string {
	if seconds == nil {
		return "unknown"
	}
	return durationText(*seconds)
}

// writeClusterStatus prints the status of a job for people.
func writeClusterStatus(w io.Writer, s *cluster.Status, o export.TextOptions) error {
	count := make(map[string]int)
	for i := range s.Elements {
		count[s.Elements[i].State]++
	}
	var parts []string
	for _, state := range []string{
		cluster.Done, cluster.Running, cluster.Waiting, cluster.Failed, cluster.Stopped, cluster.Lost, cluster.Unknown,
	} {
		if n := count[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Replay of %s on %s: %s\n", term.Visible(s.Source), phrase.Count(len(s.Elements), "element"), strings.Join(parts, ", "))
	fmt.Fprintf(&b, "%d of %s done", s.Done, phrase.Count(s.Total, "repetition"))
	if s.Failed > 0 {
		fmt.Fprintf(&b, ", %d given up", s.Failed)
	}
	if count[cluster.Running]+count[cluster.Waiting] > 0 {
		fmt.Fprintf(&b, "; left: %s", leftText(s.Left))
	}
	b.WriteString("\n\n")
	table := term.Table{
		Header: []string{"element", "host", "state", "done", "left", "queue", "job", "what"},
		Right:  []bool{true, false, false, true, true, false, false, false},
		Width:  o.Width, ASCII: o.ASCII, Color: o.Color,
	}
	for i := range s.Elements {
		e := &s.Elements[i]
		what, left := e.Reason, ""
		if e.Run != "" && what == "" {
			what = e.Run
		}
		if e.State == cluster.Running || e.State == cluster.Waiting || e.Resumable() {
			left = leftText(e.Left)
		}
		table.Add(strconv.Itoa(e.Element), e.Host, e.State, fmt.Sprintf("%d/%d", e.Done, e.Total), left, e.Queue, e.JobID, what)
		switch e.State {
		case cluster.Done:
			table.Style(2, "32")
		case cluster.Failed, cluster.Lost:
			table.Style(2, "31")
		}
	}
	if _, err := table.WriteTo(&b); err != nil {
		return err
	}
	dir := commandText([]string{s.Dir})
	if count[cluster.Failed]+count[cluster.Stopped]+count[cluster.Lost] > 0 {
		fmt.Fprintf(&b, "\nbenchproof replay submit --resume --journal %s goes on\n", term.Visible(dir))
	} else if count[cluster.Done] == len(s.Elements) {
		fmt.Fprintf(&b, "\nbenchproof replay gather %s -o result.json makes one result\n", term.Visible(dir))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/benchproof/benchproof/analyze"
	"github.com/benchproof/benchproof/result"
)

// analysisFlags say what is compared with what, and when that counts.
type analysisFlags struct {
	baseline, by, margin, adjust string

	analysis analyze.CompareOptions
}

// addFlags adds them, with the help on the baseline.
func (o *analysisFlags) addFlags(f *pflag.FlagSet, baseline string) {
	f.StringVar(&o.baseline, "baseline", "", baseline)
	f.StringVar(&o.by, "by", "", "compare what differs in `AXIS` alone: the key of an option or of a system's component")
	f.StringVar(&o.margin, "margin", "5%", "count means within `SHARE` of each other as equal, such as 5% or 0.05")
	f.StringVar(&o.adjust, "adjust", "holm", "adjust p values for many tests by `METHOD`: holm, bh or none")
	completes(f, "adjust", "holm", "bh", "none")
}

// validate sets analysis.
func (o *analysisFlags) validate() error {
	if err := oneOf("--adjust", o.adjust, "holm", "bh", "none"); err != nil {
		return err
	}
	margin, err := parseShare(o.margin)
	if err != nil {
		return usage("", fmt.Errorf("--margin %q: %w", o.margin, err))
	}
	o.analysis = analyze.CompareOptions{Baseline: o.baseline, By: o.by, Margin: margin, Adjust: analyze.Adjust(o.adjust)}
	return nil
}

// parseShare reads "5%" or "0.05" as a fraction above 0 and below 1.
func parseShare(text string) (float64, error) {
	digits, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, ok := result.ParseNumber(strings.TrimSpace(digits))
	if isPercent {
		x /= 100
	}
	if !ok || x < 1e-6 || x >= 1 {
		return 0, errors.New("want a share such as 5% or 0.05, above 0 and below 100%")
	}
	return x, nil
}

package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchproof/benchproof/analyze/stats"
	"github.com/benchproof/benchproof/result"
)

// replayed is a file as replays make it: named as given, all by one means.
func replayed(fidelity result.Fidelity, scaling, systems string, tests ...result.Test) *result.File {
	f := file(systems, tests...)
	f.Source = "replay"
	for i := range f.Tests {
		for j := range f.Tests[i].Measurements {
			f.Tests[i].Measurements[j].Replay = &result.Replay{Driver: "tool", Fidelity: fidelity, Scaling: scaling}
		}
	}
	return f
}

func verify(t *testing.T, o VerifyOptions, published, again *result.File) *Verification {
	t.Helper()
	v, err := Verify(published, again, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		if r.Verdict == "" || r.Reason == "" {
			t.Errorf("row %d (%s): verdict %q, reason %q", i, r.Claim, r.Verdict, r.Reason)
		}
		if r.Verdict.Testable() && r.Claim == ValueClaim && !r.Ratio.Known {
			t.Errorf("row %d: %s without a ratio", i, r.Verdict)
		}
	}
	return v
}

func claims(v *Verification, kind Claim) (rows []*VerifyRow) {
	for i := range v.Rows {
		if v.Rows[i].Claim == kind {
			rows = append(rows, &v.Rows[i])
		}
	}
	return rows
}

// Intervals and p values are R's and scipy's, by the formulas of the doc comments;
// where a mean is printed coarsely beside its standard error, with the logarithm
// of the ratio moved by what rounding allows, either way.
func TestVerifyValues(t *testing.T) {
	tests := []struct {
		name                string
		proportion          result.Proportion
		published, replayed string
		want                Outcome
		ratio, low, high    float64
		pEqual, pOutside    float64
	}{
		{"reproduced", result.HIB, "100.00 ±0.80 N=3", "100.00=98;101;100;99;102", Reproduced, 1, 0.978582181317, 1.02188658152, 0.000106435897486, 1},
		{"small difference", result.HIB, "100.00 ±0.50 N=3", "94.2=94.0;94.5;94.2;93.9;94.4", SmallDifference, 0.942, 0.928374593705, 0.955825381281, 0.0044814219738, 1},
		{"a fifth slower", result.HIB, "100.00 ±0.80 N=3", "80.00=79;81;80;80.5;79.5", NotReproduced, 0.8, 0.783502149952, 0.816845237807, 0.999668114025, 0.000331885974539},
		{"noise", result.HIB, "100.00 ±5.00 N=3", "95=80;110;95", NotDecided, 0.95, 0.746255043789, 1.20937206055, 0.318939084596, 1},
		{"less is better", result.LIB, "10.00 ±0.10 N=3", "12.5=12.4;12.5;12.6", NotReproduced, 0.8, 0.775475516706, 0.825300072294, 0.998961520983, 0.00128314969084},
		{"no published error", result.HIB, "100.00 N=3", "100=98;101;100;99;102", Reproduced, 1, 0.970757106921, 1.03012380015, 0.000483501175063, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := verify(t, VerifyOptions{SameMachine: true},
				file("A", row("T", test.proportion, test.published)),
				replayed(result.NativeSameVersion, "", "A", row("T", test.proportion, test.replayed)))
			rows := claims(v, ValueClaim)
			if len(rows) != 1 {
				t.Fatalf("%d rows", len(rows))
			}
			r := rows[0]
			if r.Verdict != test.want {
				t.Errorf("%s (%s), want %s", r.Verdict, r.Reason, test.want)
			}
			for _, q := range []struct {
				what string
				got  Quantity
				want float64
			}{
				{"ratio", r.Ratio, test.ratio},
				{"low", r.Interval.Low, test.low},
				{"high", r.Interval.High, test.high},
				{"p equal", r.PEqual, test.pEqual},
				{"p outside", r.POutside, test.pOutside},
			} {
				if !near(q.got, q.want) {
					t.Errorf("%s: %v, want %v", q.what, q.got, q.want)
				}
			}
		})
	}
}

// A published mean of runs that scatter is not refuted by a new mean that its
// own runs predict: 100 ± 4.3·9·√(1/3+1/5) reaches from 71.7 to 128.3.
func TestVerifyPrediction(t *testing.T) {
	v := verify(t, VerifyOptions{SameMachine: true},
		file("A", row("T", result.HIB, "100.00 ±5.20 N=3")),
		replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, "73.00=73.0;73.1;72.9;73.0;73.0")))
	r := claims(v, ValueClaim)[0]
	if !near(r.Prediction.Low, 100-4.302652730*5.2*math.Sqrt(3)*math.Sqrt(1./3+1./5)) {
		t.Errorf("prediction %v", r.Prediction)
	}
	if r.Verdict == NotReproduced {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

func TestVerifyRefuses(t *testing.T) {
	good, again := "100.00 ±0.80 N=3", "100.00=98;101;100;99;102"
	tests := []struct {
		name                string
		o                   VerifyOptions
		published, replayed *result.File
		want                Outcome
		reason              string
	}{
		{
			"other machine",
			VerifyOptions{},
			file("A", row("T", result.HIB, good)), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, again)),
			NotComparable, "not known whether it is the same machine",
		},
		{
			"scaled",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, good)), replayed(result.NativeSameVersion, "size 1g -> 64m", "A", row("T", result.HIB, again)),
			NotComparable, "scaled, so no validation: size 1g -> 64m",
		},
		{
			"another program",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, good)), replayed(result.Reimplementation, "", "A", row("T", result.HIB, again)),
			NotComparable, "reimplementation",
		},
		{
			"nothing replayed",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, good), row("U", result.HIB, good)), replayed(result.NativeSameVersion, "", "A", row("U", result.HIB, again)),
			NotReplayable, "no replayed value",
		},
		{
			"failed here",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, good)), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, "failed")),
			NotReplayable, "the replay failed: timeout",
		},
		{
			"measured here, and not read by the published test",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, good)), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, "censored")),
			NotComparable, "the replayed value is censored: fio printed 9164",
		},
		{
			"ambiguous as published",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, "ambiguous")), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, again)),
			NotComparable, "ambiguous",
		},
		{
			"zero",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, "0.00 ±0.00 N=3")), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, again)),
			NotComparable, "zero or below",
		},
		{
			"no uncertainty",
			VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, "100")), replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, "60")),
			NotDecided, "no uncertainty known",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := verify(t, test.o, test.published, test.replayed)
			r := claims(v, ValueClaim)[0]
			if r.Verdict != test.want || !strings.Contains(r.Reason, test.reason) {
				t.Errorf("%s: %s, want %s: %s", r.Verdict, r.Reason, test.want, test.reason)
			}
		})
	}
}

func TestVerifyPairs(t *testing.T) {
	published := file("A,B",
		row("ratio", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("coarse", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("order", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("reversed", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("flat", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("less", result.LIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
		row("tie", result.HIB, "100.0 ±3.0 N=3", "101.0 ±3.0 N=3"),
		row("bare", result.HIB, "200.0 N=3", "100.0 N=3"),
		row("noise", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
	)
	again := replayed(result.NativeSameVersion, "", "A,B",
		row("ratio", result.HIB, "150.0=150.0;151.0;149.0", "80.0=80.0;81.0;79.0"),
		row("coarse", result.HIB, "150=150;151;149", "80=80;81;79"),
		row("order", result.HIB, "150=150;151;149", "120=120;121;119"),
		row("reversed", result.HIB, "80=80;81;79", "150=150;151;149"),
		row("flat", result.HIB, "100.2=100;100.5;100.1", "100=100;100.1;99.9"),
		row("less", result.LIB, "150.0=150.0;151.0;149.0", "80.0=80.0;81.0;79.0"),
		row("tie", result.HIB, "150=150;151;149", "80=80;81;79"),
		row("bare", result.HIB, "150=150;151;149", "80=80;81;79"),
		row("noise", result.HIB, "100=70;130;100", "90=120;60;90"),
	)
	v := verify(t, VerifyOptions{}, published, again)
	want := map[string]Outcome{
		"ratio": Reproduced, "coarse": OrderReproduced, "order": OrderReproduced, "reversed": NotReproduced, "flat": NotReproduced,
		"less": Reproduced, "tie": NotComparable, "bare": OrderReproduced, "noise": NotDecided,
	}
	for _, r := range claims(v, PairClaim) {
		if r.Verdict != want[r.Test.Title] {
			t.Errorf("%s: %s (%s), want %s", r.Test.Title, r.Verdict, r.Reason, want[r.Test.Title])
		}
		switch r.Test.Title {
		case "ratio": // R, as above
			if !near(r.Ratio, 0.9375) || !near(r.Interval.Low, 0.908381572255) || !near(r.Interval.High, 0.967551827167) || !near(r.PEqual, 0.0226337304626) {
				t.Errorf("ratio %v in %v, p %v", r.Ratio, r.Interval, r.PEqual)
			}
			if r.Published != "2" || r.Replayed != "1.875" || r.System != "A" || r.SystemB != "B" {
				t.Errorf("%+v", r)
			}
		case "bare":
			if !strings.Contains(r.Reason, "no published error, 2.0 % assumed") {
				t.Error(r.Reason)
			}
		case "less":
			if r.System != "B" || r.Published != "2" {
				t.Errorf("the better of less: %s, %s", r.System, r.Published)
			}
		}
	}
	// All published differences stand but the tie.
	if v.Order.Pairs != 8 || v.Order.Tests != 8 {
		t.Errorf("order over %d pairs of %d tests", v.Order.Pairs, v.Order.Tests)
	}
	// One of the eight is reversed: (7-1)/8.
	if !near(v.Order.TauB, 6./8) {
		t.Errorf("tau %v", v.Order.TauB)
	}
	if v.Order.Interval.Low.Known {
		t.Error("an interval over eight tests")
	}
	c := v.Claims
	if c.Testable != 8 || c.Hold != 5 || c.Failed != 2 || c.Certain != 2 || c.Open != 1 || c.Incomparable != 1+18 {
		t.Errorf("claims %+v", c)
	}
	if v.Verdict != NotReproduced || !strings.HasPrefix(v.Reason, "5 of 8 testable claims hold; 2 not reproduced; 1 undecided") {
		t.Errorf("%s: %s", v.Verdict, v.Reason)
	}
	if v.Sentence != "Of 8 published differences that could be tested in a replay on other hardware, 5 held up, 2 did not, and 1 stayed undecided." {
		t.Error(v.Sentence)
	}
}

// An order is that of the values, however near they lie: ratios of 1.0000001 and
// its inverse are no ties.
func TestVerifyOrderOfNearValues(t *testing.T) {
	v := verify(t, VerifyOptions{},
		file("A,B", row("same", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"), row("other", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3"),
			row("third", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3")),
		replayed(result.NativeSameVersion, "", "A,B",
			row("same", result.HIB, "10000001=10000000;10000001;10000002", "10000000=9999999;10000000;10000001"),
			row("third", result.HIB, "10000001=10000000;10000001;10000002", "10000000=9999999;10000000;10000001"),
			row("other", result.HIB, "10000000=9999999;10000000;10000001", "10000001=10000000;10000001;10000002")))
	if v.Order.Pairs != 3 || !near(v.Order.TauB, 1./3) {
		t.Errorf("tau-b %v over %d pairs", v.Order.TauB, v.Order.Pairs)
	}
	even := verify(t, VerifyOptions{}, file("A,B", row("T", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3")),
		replayed(result.NativeSameVersion, "", "A,B", row("T", result.HIB, "100=99;100;101", "100=99;100;101")))
	if even.Order.TauB.Known || !strings.Contains(even.Order.Reason, "all pairs are equal here") {
		t.Errorf("tau-b %v of equal values: %s", even.Order.TauB, even.Order.Reason)
	}
}

func TestVerifyScaledPairs(t *testing.T) {
	v := verify(t, VerifyOptions{},
		file("A,B", row("T", result.HIB, "200.0 ±2.0 N=3", "100.0 ±1.0 N=3")),
		replayed(result.Emulation, "runs 3 -> 1", "A,B", row("T", result.HIB, "150=150;151;149", "80=80;81;79")))
	r := claims(v, PairClaim)[0]
	if r.Verdict != OrderReproduced || !strings.Contains(r.Reason, "no validation") || !strings.Contains(r.Reason, "emulation") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
	if v.Verdict != OrderReproduced {
		t.Errorf("set: %s", v.Verdict)
	}
}

func TestVerifySystems(t *testing.T) {
	machine := func(f *result.File, disk string) *result.File {
		for i := range f.Systems {
			f.Systems[i].Hardware = []result.Component{
				{Key: "Processor", Value: "P 1"},
				{Key: "Motherboard", Value: "M"},
				{Key: "Memory", Value: "16GB"},
				{Key: "Disk", Value: disk},
			}
		}
		return f
	}
	again := func(names string) *result.File {
		return replayed(result.NativeSameVersion, "", names, row("T", result.HIB, "100=98;101;100;99;102", "50=50;51;49"))
	}
	published := func() *result.File {
		return machine(file("A,B", row("T", result.HIB, "100.0 ±0.8 N=3", "50.0 ±0.5 N=3")), "256GB  Disk")
	}
	v := verify(t, VerifyOptions{}, published(), machine(again("A,B"), "256GB disk"))
	if r := claims(v, ValueClaim); r[0].Verdict != Reproduced || r[1].Verdict != Reproduced {
		t.Errorf("same machine: %s (%s)", r[0].Verdict, r[0].Reason)
	}
	v = verify(t, VerifyOptions{}, published(), machine(again("A,B"), "512GB Disk"))
	if r := claims(v, ValueClaim)[0]; r.Verdict != NotComparable || !strings.Contains(r.Reason, "Disk is") {
		t.Errorf("other disk: %s (%s)", r.Verdict, r.Reason)
	}
	on := func(f *result.File, name string) *result.File {
		for i := range f.Systems {
			f.Systems[i].Software = []result.Component{{Key: "File-System", Value: name}}
		}
		return f
	}
	for _, tt := range []struct {
		published, here string
		want            Outcome
	}{
		{"ext4", "ext4", Reproduced},
		{"ext4", "tmpfs", NotComparable},
		{"overlayfs", "overlay", Reproduced}, // as stat(1) and the kernel call it
		{"ext2/ext3", "ext4", Reproduced},    // of which stat(1) knows no more
		{"ext4", "", Reproduced},
	} {
		v = verify(t, VerifyOptions{}, on(published(), tt.published), on(machine(again("A,B"), "256GB disk"), tt.here))
		r := claims(v, ValueClaim)[0]
		if r.Verdict != tt.want || tt.want == NotComparable && !strings.Contains(r.Reason, "file-system") {
			t.Errorf("published on %q, here on %q: %s (%s)", tt.published, tt.here, r.Verdict, r.Reason)
		}
	}
	v = verify(t, VerifyOptions{Map: map[string]string{"here": "B", "there": "A"}, SameMachine: true}, published(), again("there,here"))
	if r := claims(v, ValueClaim); len(r) != 2 || r[0].System != "A (there)" || r[1].System != "B (here)" {
		t.Errorf("mapped: %d rows, %+v", len(r), r)
	}
	v = verify(t, VerifyOptions{}, published(), again("A,C"))
	if !slices.ContainsFunc(v.Warnings, func(s string) bool { return strings.Contains(s, "replayed C is the name of no published system") }) ||
		!slices.ContainsFunc(v.Warnings, func(s string) bool { return s == "not replayed: B" }) {
		t.Errorf("warnings %q", v.Warnings)
	}
	for _, m := range []map[string]string{{"X": "A"}, {"A": "X"}} {
		if _, err := Verify(published(), again("A,B"), VerifyOptions{Map: m}); err == nil {
			t.Errorf("no error for %v", m)
		}
	}
	if _, err := Verify(published(), again("A,B"), VerifyOptions{Margin: 1.5}); err == nil {
		t.Error("no error for a margin of 150 %")
	}
}

// A published value that breaks an identity of its test is not held against a
// replay.
func TestVerifySuspect(t *testing.T) {
	test := row("MariaDB", result.HIB, "100 ±1 N=3")
	test.Arguments, test.Options = "Clients: 512", result.ParseOptions("Clients: 512")
	again := row("MariaDB", result.HIB, "100=98;101;100;99;102")
	again.Arguments, again.Options = test.Arguments, test.Options
	v := verify(t, VerifyOptions{SameMachine: true}, file("A", test), replayed(result.NativeSameVersion, "", "A", again))
	if r := claims(v, ValueClaim)[0]; r.Verdict != NotComparable || !strings.Contains(r.Reason, "more clients than the server accepts") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// One claim is spoken of as one.
func TestVerifyOneClaim(t *testing.T) {
	for again, want := range map[string]string{
		"100.00=98;101;100;99;102": "held up",
		"80.00=79;81;80;80.5;79.5": "did not hold up",
		"95=80;110;95":             "stayed undecided",
	} {
		v := verify(t, VerifyOptions{SameMachine: true},
			file("A", row("T", result.HIB, "100.00 ±0.80 N=3")),
			replayed(result.NativeSameVersion, "", "A", row("T", result.HIB, again)))
		if got := "The one published number that could be tested in a replay on the same machine " + want + "."; v.Sentence != got {
			t.Errorf("%q, want %q", v.Sentence, got)
		}
		if !strings.Contains(v.Reason, " of 1 testable claim holds") {
			t.Error(v.Reason)
		}
	}
}

// TestVerifyRoundedValues simulates replays of values that are published to the
// unit with standard errors of a tenth of one. At the edge of the margin no more
// than 5 % may be called reproduced, and no more than 5 % not; and where nothing
// differs no more than 5 % may be called a small difference. Taken as printed,
// rounding alone made that 22, 25 and 31 %.
func TestVerifyRoundedValues(t *testing.T) {
	const draws = 200
	r := rand.New(rand.NewPCG(3, 1))
	runs := func(mean float64) (text []string, sum stats.Summary) {
		var x []float64
		for range 3 {
			x = append(x, mean*(1+0.003*r.NormFloat64()))
			text = append(text, strconv.FormatFloat(x[len(x)-1], 'f', 3, 64))
		}
		sum, _ = stats.Summarize(x)
		return text, sum
	}
	for _, ratio := range []float64{1, 0.9} {
		var published, again []result.Test
		for i := range draws {
			mean := 45 + 10*r.Float64()
			_, p := runs(mean)
			text, a := runs(mean * ratio)
			title := fmt.Sprint(i)
			published = append(published, row(title, result.HIB, fmt.Sprintf("%.0f ±%.2f N=3", p.Mean, p.SE)))
			again = append(again, row(title, result.HIB, fmt.Sprintf("%.3f=%s", a.Mean, strings.Join(text, ";"))))
		}
		v := verify(t, VerifyOptions{SameMachine: true}, file("A", published...),
			replayed(result.NativeSameVersion, "", "A", again...))
		count, covered := map[Outcome]int{}, 0
		for _, c := range claims(v, ValueClaim) {
			count[c.Verdict]++
			if c.Interval.Low.X <= ratio && ratio <= c.Interval.High.X {
				covered++
			}
		}
		const most = draws/20 + 9 // three standard errors
		if covered < draws*9/10 {
			t.Errorf("ratio %v: intervals at 90 %% hold it %d times of %d", ratio, covered, draws)
		}
		held := count[Reproduced] + count[SmallDifference]
		switch {
		case ratio == 1 && (held < draws/2 || count[SmallDifference] > most || count[NotReproduced] > 0):
			t.Errorf("nothing differs: %v", count)
		case ratio < 1 && (held > most || count[NotReproduced] > most):
			t.Errorf("at the edge of the margin: %v", count)
		}
	}
}

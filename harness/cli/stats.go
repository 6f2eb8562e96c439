package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/reporters/terminal"
	"github.com/chiasmus/chiasmus/stats"
)

// statsFlags are the flags of stats.
type statsFlags struct {
	format, scale, zeros, metric, better, equivalence string
	a, b                                              string
	// quantity names the values. Its suffix, such as _seconds, is their unit.
	quantity string
	alpha    float64
}

func (a *app) stats() *cobra.Command {
	var f statsFlags
	c := &cobra.Command{
		Use: textStatsUse, Short: textStatsShort, Long: textStatsLong, Example: textStatsExample, Args: oneOrTwoFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			options, err := f.options()
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			pairs, apart, err := f.read(args)
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			if len(apart) > 0 {
				return a.statsApart(strings.Join(args, " and "), f, apart)
			}
			result, err := stats.Analyze(pairs, options)
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("%s: %w", args[0], err)})
			}
			if caveat, ok := stats.CompareScatter(pairs, options.Scale).Warning(); ok {
				result.Warnings = append(result.Warnings, caveat)
			}
			if err := a.printStats(args[0], f, pairs, result); err != nil {
				return a.fail(nil, err)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "text", "print as `FORMAT`: text, json or markdown")
	flags.StringVar(&f.scale, "scale", string(stats.ScaleLog),
		"analyse pairs on `SCALE`: log (log a - log b), percent (100 (a - b) / a) or difference (a - b)")
	flags.StringVar(&f.zeros, "zeros", string(stats.ZerosPratt),
		"`METHOD` for differences of 0: pratt ranks them, wilcox drops them")
	flags.Float64Var(&f.alpha, "alpha", stats.DefaultAlpha, "two-sided error `RATE`")
	flags.StringVar(&f.equivalence, "equivalence", "1%", "smallest effect worth acting on, in `PERCENT`; 0% for none")
	flags.StringVar(&f.metric, "metric", "",
		"use the columns `METRIC`_a and METRIC_b instead of a and b; for go test -bench, a unit such as B/op")
	flags.StringVar(&f.a, "a", "",
		"base: `COLUMN` of a CSV file, or a result by its command, benchmark or number (default: a, or the first)")
	flags.StringVar(&f.b, "b", "", "head: `COLUMN` or result (default: b, or the second)")
	flags.StringVar(&f.better, "better", "lower", "`DIRECTION` of better values: lower or higher")
	return c
}

// oneOrTwoFiles checks the number of arguments.
func oneOrTwoFiles(c *cobra.Command, args []string) error {
	if len(args) == 1 || len(args) == 2 {
		return nil
	}
	return fmt.Errorf("%s takes one or two arguments, not %d: files with pairs or another tool's results, or - for "+
		"standard input", c.CommandPath(), len(args))
}

// options checks the flags and converts them.
func (f statsFlags) options() (stats.Options, error) {
	o := stats.Options{Alpha: f.alpha, HigherIsBetter: f.better == "higher"}
	var err error
	if o.Scale, err = stats.ParseScale(f.scale); err != nil {
		return o, fmt.Errorf("--scale: %w", err)
	}
	if o.Zeros, err = stats.ParseZeros(f.zeros); err != nil {
		return o, fmt.Errorf("--zeros: %w", err)
	}
	if o.Equivalence, err = parsePercent(f.equivalence); err != nil {
		return o, fmt.Errorf("--equivalence %q: %w", f.equivalence, err)
	}
	switch {
	case f.alpha <= 0 || f.alpha >= 1:
		return o, fmt.Errorf("--alpha %g: want a rate above 0 and below 1", f.alpha)
	case f.better != "lower" && f.better != "higher":
		return o, fmt.Errorf("--better %q: want lower or higher", f.better)
	case f.metric != "" && f.a+f.b != "":
		return o, errors.New("--metric with --a or --b: --metric already names both columns")
	case f.format != "text" && f.format != "json" && f.format != "markdown":
		return o, fmt.Errorf("--format %q: want text, json or markdown", f.format)
	}
	return o, nil
}

// parsePercent parses a percentage such as 1% as a fraction.
func parsePercent(text string) (float64, error) {
	digits, signed := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !signed || !(value >= 0 && value < 100) {
		return 0, fmt.Errorf("want a percentage from 0%% to under 100%%, such as 1%%")
	}
	return value / 100, nil
}

// statsApart compares samples that were not interleaved, and writes the result.
func (a *app) statsApart(name string, f statsFlags, sides [][2]stats.Samples) error {
	result, err := stats.CompareApart(sides, stats.Scale(f.scale), f.alpha)
	if err != nil {
		return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("%s: %w", name, err)})
	}
	if f.format == "json" {
		return a.writeJSON(result)
	}
	return a.writeDocument(f, document.Apart(name, &result))
}

// writeJSON writes a result as JSON.
func (a *app) writeJSON(result any) error {
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(result)
}

// writeDocument writes a result as text or Markdown.
func (a *app) writeDocument(f statsFlags, d document.Document) error {
	if f.format == "markdown" {
		return markdown.WriteDocument(a.stdout, d, markdown.Options{})
	}
	return terminal.WriteDocument(a.stdout, d, terminalOptions(a.stdout))
}

// printStats writes a result.
func (a *app) printStats(name string, f statsFlags, pairs []stats.Pair, result stats.Result) error {
	if f.format == "json" {
		return a.writeJSON(result)
	}
	metric := metrics.Metric{Name: f.quantity, Better: f.better, Scale: result.Scale}
	equivalence, err := parsePercent(f.equivalence)
	if err != nil {
		return err
	}
	return a.writeDocument(f, document.Statistics(name, metric, pairs, &result, equivalence))
}

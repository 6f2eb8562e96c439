package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/profile"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/stats"
)

// sizes are the numbers of pairs in a calibration's table.
var sizes = []int{12, 14, 20, 30, 48, 100, 200}

// effects are the effects for which a calibration shows the cheapest plan.
var effects = []float64{0.005, 0.01, 0.02, 0.03, 0.05, 0.10}

// sources names the components of the variance.
var sources = map[stats.Unit]string{
	stats.UnitPair:    "within a process",
	stats.UnitProcess: "between processes",
	stats.UnitBuild:   "between builds",
}

// writeProfile prints a noise profile, and the cheapest plans for it, for a terminal.
func writeProfile(out io.Writer, p *profile.Profile, plan harness.Plan) error {
	fmt.Fprintf(out, "%s, %s on %s, %d A/A runs\n\n", p.Workload, p.Metric, p.Host.Hostname, len(p.Runs))
	fmt.Fprintf(out, "sd of a pair          %.3g %%\n", p.Percent(p.SD()))
	for _, c := range p.Components() {
		fmt.Fprintf(out, "  %-18s  %.3g %%, 95 %% CI %.3g to %.3g %% (%d df)\n", sources[c.Level], p.Percent(c.SD.Float()),
			p.Percent(c.CI.Low), p.Percent(c.CI.High), c.DF)
	}
	if len(p.Components()) < 2 {
		fmt.Fprintln(out, "  (the scatter between processes needs --processes of 6 or more)")
	}
	fmt.Fprintf(out, "false positives       %d of %d runs (at most %.3g %% expected)\n", p.FalsePositives(), len(p.Runs),
		100*plan.Alpha)
	fmt.Fprintf(out, "seconds a proof       %.3g\n\n", p.ProofSeconds())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "pairs\tdetects (80 % power)\tminutes\t")
	for _, n := range sizes {
		draw := stats.Draw{Pairs: n, Processes: n / 2, Builds: max(1, plan.Builds)}
		if percent := p.DetectablePercent(draw, plan.Alpha, plan.Equivalence); !math.IsNaN(percent) {
			fmt.Fprintf(table, "%d\t%.2g %%\t%.1f\t\n", n, percent, p.Price().Of(draw)/60)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	table = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "effect\tpower\tpairs\tprocesses\tbuilds\tminutes\t")
	for _, row := range cheapest(p, plan) {
		fmt.Fprintln(table, strings.Join(row, "\t")+"\t")
	}
	return table.Flush()
}

// cheapest returns a row for every effect and power: the plan that detects it in the least time.
func cheapest(p *profile.Profile, plan harness.Plan) (rows [][]string) {
	for _, e := range effects {
		for _, power := range []float64{0.8, 0.9} {
			row := []string{fmt.Sprintf("%g %%", 100*e), fmt.Sprintf("%g %%", 100*power), "beyond any plan", "", "", ""}
			if draw, ok := p.Cheapest(e, power, plan.Alpha); ok {
				row = append(row[:2], fmt.Sprint(draw.Pairs), fmt.Sprint(draw.Processes), fmt.Sprint(draw.Builds),
					fmt.Sprintf("%.1f", p.Price().Of(draw)/60))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// writeProfileMarkdown prints the same as Markdown.
func writeProfileMarkdown(out io.Writer, p *profile.Profile, plan harness.Plan) error {
	last := p.Runs[len(p.Runs)-1]
	host := p.Host.CPU.Model
	for _, gpu := range p.Host.GPUs {
		host += ", " + gpu.Name
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s, `%s`, on %s (%s), %.7s against itself: %s, the last of %s by %s and %s of each arm; a "+
		"pair's sd is %.3g %%.\n\n",
		document.Clean(p.Workload), document.Clean(p.Metric), document.Clean(p.Host.Hostname), document.Clean(host), last.SHA,
		plural.Of(len(p.Runs), "run"),
		plural.Of(last.Pairs, "pair"), plural.Of(max(1, last.Processes), "process"), plural.Of(max(1, last.Builds), "build"),
		p.Percent(p.SD()))
	text.WriteString("| variance of a pair | sd | 95 % CI | degrees of freedom |\n| --- | ---: | ---: | ---: |\n")
	for _, c := range p.Components() {
		fmt.Fprintf(&text, "| %s | %.3g %% | %.3g to %.3g %% | %d |\n", sources[c.Level], p.Percent(c.SD.Float()),
			p.Percent(c.CI.Low), p.Percent(c.CI.High), c.DF)
	}
	text.WriteString("\n| effect | power | pairs | processes | builds | minutes |\n| ---: | ---: | ---: | ---: | ---: | " +
		"---: |\n")
	for _, row := range cheapest(p, plan) {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(row, " | "))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// levels lists the sources from the innermost outwards.
var levels = []stats.Unit{stats.UnitPair, stats.UnitProcess, stats.UnitBuild}

// stageRows returns a row for every stage: its name, its mean in milliseconds, and the scatter of each level.
func stageRows(stages []report.StageScatter) (rows [][]string) {
	for _, stage := range stages {
		row := []string{document.Clean(stage.Metric), fmt.Sprintf("%.3g", 1e3*stage.Mean), "-", "-", "-"}
		percent := (stats.Result{Scale: stats.ScaleLog}).Percent
		for _, c := range stage.Components {
			if c.SD.Exists() {
				row[2+slices.Index(levels, c.Level)] = fmt.Sprintf("%.2g %% (%.2g to %.2g)", percent(c.SD.Float()),
					percent(c.CI.Low), percent(c.CI.High))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// writeStages prints the scatter of the last run's stages, for a terminal.
func writeStages(out io.Writer, stages []report.StageScatter) error {
	if len(stages) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "stage, last run\tms\twithin a process\tbetween processes\tbetween builds\t")
	for _, row := range stageRows(stages) {
		fmt.Fprintln(table, strings.Join(row, "\t")+"\t")
	}
	return table.Flush()
}

// writeStagesMarkdown prints the same as Markdown.
func writeStagesMarkdown(out io.Writer, stages []report.StageScatter) error {
	if len(stages) == 0 {
		return nil
	}
	text := "\n| stage, last run | ms | within a process | between processes | between builds |\n| --- | ---: | ---: | " +
		"---: | ---: |\n"
	for _, row := range stageRows(stages) {
		text += "| `" + row[0] + "` | " + strings.Join(row[1:], " | ") + " |\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/workflows"
)

// joinFlags are the flags of join.
type joinFlags struct {
	output
	config, out string
	isolated    bool
	failOn      []string
	options     harness.JoinOptions
}

func (a *app) join() *cobra.Command {
	var f joinFlags
	c := &cobra.Command{
		Use: textJoinUse, Short: textJoinShort, Long: textJoinLong, Example: textJoinExample,
		Args: someArguments("RESULT: the folder of a run, its report.json, or a job's result.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			report, err := a.joined(f, args)
			if err != nil {
				return a.fail(nil, err)
			}
			if f.out != "" {
				report.Paths = harness.PathsIn(f.out)
				if err := harness.WriteReport(f.out, report, renderers, tables); err != nil {
					return a.fail(nil, err)
				}
			}
			return a.conclude(report, nil, f.output)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.config, "config", "", textConfig)
	f.output.register(flags)
	flags.StringVar(&f.out, "out", "",
		"write report.json, report.md, report.html and each workload's pairs.csv into `FOLDER`")
	flags.IntVar(&f.options.Hosts, "hosts", 0, "expect results of `N` hosts; with fewer, the report is partial")
	flags.StringSliceVar(&f.options.Without, "without", nil,
		"leave out host `NAME` permanently (repeat, or separate with commas)")
	flags.BoolVar(&f.isolated, "require-isolation", false, "reject results that were measured without --isolate")
	flags.StringSliceVar(&f.failOn, "fail-on", nil,
		"also end with exit code 1 on this `VERDICT`: borderline, inconclusive, ... (repeat, or separate with commas)")
	return c
}

// joined reads and checks the results, and joins them.
func (a *app) joined(f joinFlags, args []string) (*harness.Report, error) {
	if err := f.output.check(); err != nil {
		return nil, err
	}
	var err error
	if f.options.FailOn, err = plan.ParseFailOn(f.failOn); err != nil {
		return nil, err
	}
	file, err := a.loadConfig(f.config)
	if err != nil {
		return nil, err
	}
	var hosts []harness.HostReport
	for _, arg := range args {
		host, err := readHost(arg)
		if err != nil {
			return nil, &failure.UsageError{Err: err}
		}
		hosts = append(hosts, host)
	}
	if err := checkHosts(file, hosts, f.isolated); err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	f.options.Command, f.options.Version = append([]string{"harness"}, a.args...), version()
	return harness.Join(file, hosts, f.options)
}

// checkHosts returns an error for a result whose figures do not follow from its pairs.
func checkHosts(file *config.File, hosts []harness.HostReport, isolated bool) error {
	check := workflows.CheckFigures
	if isolated {
		check = workflows.CheckReport
	}
	for _, h := range hosts {
		if err := check(h.Report, h.Report.Base.SHA, h.Report.Head.SHA, file); err != nil {
			return fmt.Errorf("the result of host %s: %w", h.Name, err)
		}
	}
	return nil
}

// readHost reads an argument of join.
func readHost(arg string) (harness.HostReport, error) {
	name, path := "", arg
	if _, err := os.Stat(arg); errors.Is(err, os.ErrNotExist) {
		if before, after, named := strings.Cut(arg, "="); named {
			name, path = before, after
		}
	}
	report, err := readReport(path)
	if err != nil {
		return harness.HostReport{}, err
	}
	if name == "" {
		name = report.Host.Name
	}
	if name == "" {
		return harness.HostReport{}, fmt.Errorf("%s has no host name: give one as NAME=%s", path, path)
	}
	return harness.HostReport{Name: name, Report: report}, nil
}

// readReport reads a report from a run's folder, a report.json or a result.json.
func readReport(path string) (*harness.Report, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if dir := journal.Directory(path); exists(dir.RunFile()) {
			return harness.LoadReport(dir)
		}
		for _, name := range []string{"report.json", workflows.ResultFile} {
			if exists(filepath.Join(path, name)) {
				return readReport(filepath.Join(path, name))
			}
		}
		return nil, fmt.Errorf("%s has neither a run.json nor a report.json nor a %s", path, workflows.ResultFile)
	}
	text, err := readInput(path)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Schema string          `json:"schema"`
		Report *harness.Report `json:"report"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case schema.Schema == workflows.ResultSchema && schema.Report != nil:
		return schema.Report, nil
	case schema.Schema == workflows.ResultSchema:
		return nil, fmt.Errorf("%s has no report: %s", path, schema.Error)
	case schema.Schema != harness.ReportSchema:
		return nil, fmt.Errorf("%s: schema %q: want %s or %s", path, schema.Schema, harness.ReportSchema,
			workflows.ResultSchema)
	}
	report := new(harness.Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/stats"
)

// Shell completion of values, for shells that have been set up with `harness completion`.

type completion = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// offer completes fixed values.
func offer(words ...string) completion {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// list completes comma-separated values after the last comma.
func list(words completion) completion {
	return func(c *cobra.Command, given []string, begun string) ([]string, cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		offered, directive := words(c, given, begun)
		completed := make([]string, 0, len(offered))
		for _, word := range offered {
			if !slices.Contains(strings.Split(before, ","), word) {
				completed = append(completed, before+word)
			}
		}
		return completed, directive
	}
}

// complete registers completions for a command and its subcommands.
func (a *app) complete(c *cobra.Command) {
	verdicts := make([]string, len(stats.Verdicts))
	for i, v := range stats.Verdicts {
		verdicts[i] = string(v)
	}
	formats := formatNames()
	switch c.Name() {
	case "stats":
		formats = []string{"text", "json", "markdown"}
	case "history":
		formats = []string{"text", "html"}
	}
	for flag, words := range map[string]completion{
		"workload": a.workloads,
		"fail-on":  offer(verdicts...),
		"format":   offer(formats...),
		"scale":    offer(string(stats.ScaleLog), string(stats.ScalePercent), string(stats.ScaleDifference)),
		"better":   offer("lower", "higher"),
		"adapter":  offer(adapterNames()...),
	} {
		if f := c.Flags().Lookup(flag); f != nil {
			if f.Value.Type() == "stringSlice" {
				words = list(words)
			}
			// Fails only for a missing flag or one that has a completion; neither can happen.
			_ = c.RegisterFlagCompletionFunc(flag, words)
		}
	}
	if c.Name() == "report" || c.Name() == "resume" {
		c.ValidArgsFunction = a.runIDs
	}
	for _, below := range c.Commands() {
		a.complete(below)
	}
}

// workloads completes the workloads of bench.yaml, nothing if it cannot be read.
func (a *app) workloads(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	path := config.FileName
	if f := c.Flags().Lookup("config"); f != nil && f.Value.String() != "" {
		path = f.Value.String()
	}
	var names []string
	if file, err := config.Load(path); err == nil {
		for _, w := range file.Workloads {
			if w.Declared != "" && !slices.Contains(names, w.Declared) {
				names = append(names, w.Declared) // the whole matrix
			}
			names = append(names, w.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// runIDs completes the runs of this folder, the newest first.
func (a *app) runIDs(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(given) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []string{"last"}
	if runs, err := journal.List(journal.RunsFolder(a.directory)); err == nil {
		for _, run := range slices.Backward(runs) {
			names = append(names, run.ID())
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

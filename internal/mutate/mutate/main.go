// Command mutate plants the bugs of all mutations.txt, one after the other, and reports the ones that no test finds.
// Run it from the repository's root:
//
//	go run ./internal/mutate/mutate [-pins] [PATTERN...]
//
// A pattern is a part of a list's or a file's path, or the list and line of one mutation, as in
// workflows/mutations.txt:12. Pins are off (package pin) unless the flag -pins is given. Exit codes: 0 all were killed;
// 1 some survived or do not build; 2 a list is malformed or no longer applies, or the flags are wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/internal/mutate"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	var options mutate.Options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&options.Pins, "pins", false, "leave the tests that compare pinned bytes on")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	patterns := flags.Args()
	all, err := mutate.Load(".")
	if err != nil {
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	}
	all = slices.DeleteFunc(all, func(m mutate.Mutation) bool { return !selected(m, patterns) })
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var summary mutate.Summary
	for i := range all {
		m := &all[i]
		outcome, output, err := m.Run(ctx, ".", options)
		if err != nil {
			fmt.Fprintf(stderr, "mutate: %v (%s so far)\n", err, summary)
			return 2
		}
		summary.Add(outcome)
		fmt.Fprintf(stdout, "%d/%d %s: %s: %s\n", i+1, len(all), m.Location(), m.File, outcome)
		if outcome == mutate.Unbuilt {
			fmt.Fprint(stdout, output)
		}
		if outcome == mutate.Survived {
			fmt.Fprintf(stdout, "  - %q\n  + %q\n  go test %s\n", m.Old, m.New, strings.Join(m.Tests, " "))
		}
	}
	fmt.Fprintln(stdout, summary)
	if summary.Killed != len(all) {
		return 1
	}
	return 0
}

func selected(m mutate.Mutation, patterns []string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		return strings.Contains(m.List, p) || strings.Contains(m.File, p) || m.Location() == p
	})
}

// Command pairs runs two commands in turn and compares their times: a prover
// with another system's, or one prover with few and with many workers.
//
//	pairs -pairs 7 -sizes 341,682,1365 \
//		'prover prove --machine keccak --size {size} --seed {seed} --proof {proof} --quiet' \
//		'plonky3-keccak prove {size}'
//
// {size}, {seed}, {proof} and {metrics} are replaced: the seed is the pair's number,
// {proof} and {metrics} are files of a temporary folder. A command is split at
// spaces; there is no shell. The order within a pair alternates. Whole processes
// are measured: wall time, processor time of user and system, and the most
// resident memory; and where both commands write {metrics}, each of those. A table gives
// the medians, the ratio of the first to the second in each pair as median and range.
//
// For two revisions of a prover use the harness, which also judges what it sees.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pairs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	pairs := flags.Int("pairs", 7, "pairs for each size")
	sizes := flags.String("sizes", "341,682,1365", "values of {size}, separated by commas")
	warmup := flags.Bool("warmup", true, "run both once before the pairs of a size")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	list, err := parseSizes(*sizes)
	switch {
	case err != nil:
	case *pairs < 1:
		err = fmt.Errorf("-pairs is %d, want at least 1", *pairs)
	case flags.NArg() != 2:
		err = fmt.Errorf("%d commands, want two", flags.NArg())
	case len(strings.Fields(flags.Arg(0))) == 0 || len(strings.Fields(flags.Arg(1))) == 0:
		err = errors.New("a command is empty")
	}
	if err != nil {
		fmt.Fprintln(stderr, "pairs:", err)
		return 2
	}
	folder, err := os.MkdirTemp("", "pairs")
	if err != nil {
		fmt.Fprintln(stderr, "pairs:", err)
		return 1
	}
	defer os.RemoveAll(folder)
	for _, size := range list {
		c := &comparison{commands: [2]string{flags.Arg(0), flags.Arg(1)}, size: size, folder: folder}
		if err := c.run(*pairs, *warmup); err != nil {
			fmt.Fprintln(stderr, "pairs:", err)
			return 1
		}
		c.report(stdout)
	}
	return 0
}

func parseSizes(text string) ([]int, error) {
	var sizes []int
	for _, field := range strings.Split(text, ",") {
		size, err := strconv.Atoi(field)
		if err != nil || size < 1 {
			return nil, fmt.Errorf("-sizes: %q, want numbers from 1 up, separated by commas", field)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/chiasmus/chiasmus/stats"
)

// standardInput is the name of a file that is read from standard input.
const standardInput = "-"

// mostInput bounds a file of pairs.
const mostInput = 256 << 20

// readPairs reads the pairs of one CSV file, or of one or two files of times that another tool has measured. It says
// what is to be known about them.
func (f *statsFlags) readPairs(files []string) ([]stats.Pair, []stats.Warning, error) {
	texts := make([][]byte, len(files))
	for i, name := range files {
		var err error
		if texts[i], err = readInput(name); err != nil {
			return nil, nil, err
		}
	}
	if stats.IsJSON(texts[0]) {
		return f.readSamples(files, texts)
	}
	if len(files) > 1 {
		return nil, nil, fmt.Errorf("%s and %s: pairs are in one CSV file; two files are of hyperfine's or Criterion's JSON",
			files[0], files[1])
	}
	a, b := "a", "b"
	if f.metric != "" {
		a, b = f.metric+"_a", f.metric+"_b"
	}
	if f.a != "" {
		a = f.a
	}
	if f.b != "" {
		b = f.b
	}
	f.quantity = "value"
	if f.metric != "" {
		f.quantity = f.metric
	} else if strings.HasSuffix(a, "_seconds") {
		f.quantity = a
	}
	pairs, err := stats.ReadColumns(bytes.NewReader(texts[0]), files[0], a, b)
	return pairs, nil, err
}

// readInput reads a file, or standard input.
func readInput(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != standardInput {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, mostInput+1))
	if err == nil && len(text) > mostInput {
		err = fmt.Errorf("%s has more than %d bytes", name, mostInput)
	}
	return text, err
}

// readSamples pairs the times of two programs.
func (f *statsFlags) readSamples(files []string, texts [][]byte) ([]stats.Pair, []stats.Warning, error) {
	f.quantity = "run_seconds"
	if f.metric != "" {
		return nil, nil, errors.New("--metric is for CSV files: JSON holds times alone, and --a and --b choose among its " +
			"results")
	}
	var sides [2]stats.Samples
	for i, which := range []string{f.a, f.b} {
		at := min(i, len(files)-1)
		list, err := stats.ReadSamples(texts[at], files[at])
		if err != nil {
			return nil, nil, err
		}
		switch {
		case which != "":
		case len(files) == 2 && len(list) == 1:
			which = "1"
		case len(files) == 1 && len(list) == 2:
			which = fmt.Sprint(i + 1)
		default:
			return nil, nil, fmt.Errorf("%s has %d results: name those to compare, --a COMMAND --b COMMAND, or give a file "+
				"for each", files[at], len(list))
		}
		if sides[i], err = stats.Pick(list, which, files[at]); err != nil {
			return nil, nil, err
		}
	}
	pairs, caveat := stats.InTurn(sides[0].Seconds, sides[1].Seconds)
	return pairs, []stats.Warning{caveat}, nil
}

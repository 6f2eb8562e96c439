package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/chiasmus/chiasmus/stats"
)

// standardInput is the file name that means standard input.
const standardInput = "-"

// mostInput is the maximum size of an input file.
const mostInput = 256 << 20

// read reads the pairs of a CSV file, or another tool's results in one or two files, base first.
func (f *statsFlags) read(files []string) ([]stats.Pair, [][2]stats.Samples, error) {
	texts := make([][]byte, len(files))
	for i, name := range files {
		var err error
		if texts[i], err = readInput(name); err != nil {
			return nil, nil, err
		}
	}
	if stats.IsJSON(texts[0]) || stats.IsBenchmark(texts[0]) {
		sides, err := f.readSamples(files, texts)
		return nil, sides, err
	}
	if len(files) > 1 {
		return nil, nil, fmt.Errorf("%s and %s: want one CSV file, or two files with results of hyperfine, Criterion or "+
			"go test -bench", files[0], files[1])
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

// readSamples returns the samples to compare: those that --a and --b name, the only two, or those with the same name in
// both files.
func (f *statsFlags) readSamples(files []string, texts [][]byte) ([][2]stats.Samples, error) {
	lists := make([][]stats.Samples, len(files))
	for i := range files {
		var err error
		if lists[i], err = stats.ReadSamples(texts[i], files[i], f.metric); err != nil {
			return nil, err
		}
	}
	if common := sameNames(lists); f.a+f.b == "" && len(common) > 0 {
		return common, nil
	}
	var side [2]stats.Samples
	for i, which := range []string{f.a, f.b} {
		at := min(i, len(files)-1)
		list := lists[at]
		switch {
		case which != "":
		case len(files) == 2 && len(list) == 1:
			which = "1"
		case len(files) == 1 && len(list) == 2:
			which = fmt.Sprint(i + 1)
		default:
			return nil, fmt.Errorf("%s has %d results: name the two to compare with --a NAME --b NAME, or give two files",
				files[at], len(list))
		}
		var err error
		if side[i], err = stats.Pick(list, which, files[at]); err != nil {
			return nil, err
		}
	}
	return [][2]stats.Samples{side}, nil
}

// sameNames pairs the samples with the same name in two files, in the order of the first file.
func sameNames(lists [][]stats.Samples) [][2]stats.Samples {
	var common [][2]stats.Samples
	if len(lists) < 2 {
		return nil
	}
	for _, a := range lists[0] {
		for _, b := range lists[1] {
			if a.Name == b.Name && a.Name != "" {
				common = append(common, [2]stats.Samples{a, b})
				break
			}
		}
	}
	return common
}

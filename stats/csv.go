package stats

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadCSV reads pairs from a file whose header has at least the columns a and b. The columns pair, block, launch,
// build, host and order (AB or BA) are optional; other columns are ignored. If metric is set, the values come from the
// columns METRIC_a and METRIC_b instead. name identifies the file in errors, which also give line and column.
func ReadCSV(r io.Reader, name, metric string) ([]Pair, error) {
	if metric == "" {
		return ReadColumns(r, name, "a", "b")
	}
	return ReadColumns(r, name, metric+"_a", metric+"_b")
}

// ReadColumns is ReadCSV for any two columns, named as in the header.
func ReadColumns(r io.Reader, name, a, b string) ([]Pair, error) {
	reader := csv.NewReader(withoutMark(r))
	reader.FieldsPerRecord = -1 // counted here, for a better message
	reader.ReuseRecord = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: line 1: the file is empty: want a header with at least the columns %s,%s", name, a, b)
	} else if err != nil {
		return nil, csvError(name, err)
	}
	table := csvTable{name: name, header: make([]string, len(header))}
	for i, column := range header {
		table.header[i] = strings.TrimSpace(column)
	}
	if err := table.locate(a, b); err != nil {
		return nil, err
	}
	var pairs []Pair
	lines := map[int]int{} // by pair number
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := reader.FieldPos(0)
		pair, err := table.pair(line, record)
		if err != nil {
			return nil, err
		}
		if earlier, twice := lines[pair.Number]; twice && table.pairColumn >= 0 {
			return nil, table.fault(line, table.pairColumn, "pair %d is already on line %d", pair.Number, earlier)
		}
		lines[pair.Number] = line
		pairs = append(pairs, pair)
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s: line 2: no pairs after the header", name)
	}
	return pairs, nil
}

// csvTable maps the columns; -1 means absent.
type csvTable struct {
	name                                  string
	header                                []string
	a, b                                  int
	pairColumn, blockColumn, orderColumn  int
	launchColumn, buildColumn, hostColumn int
}

// locate finds the columns.
func (t *csvTable) locate(nameA, nameB string) error {
	for i, column := range t.header {
		if earlier := slices.Index(t.header[:i], column); earlier >= 0 && column != "" {
			return t.fault(1, i, "the header already has this name in column %d", earlier+1)
		}
	}
	t.a, t.b = slices.Index(t.header, nameA), slices.Index(t.header, nameB)
	for i, want := range []string{nameA, nameB} {
		if []int{t.a, t.b}[i] < 0 {
			return fmt.Errorf("%s: line 1: no column %q in the header %q: want at least %s,%s",
				t.name, want, strings.Join(t.header, ","), nameA, nameB)
		}
	}
	t.pairColumn = slices.Index(t.header, "pair")
	t.blockColumn = slices.Index(t.header, "block")
	t.launchColumn = slices.Index(t.header, "launch")
	t.buildColumn = slices.Index(t.header, "build")
	t.hostColumn = slices.Index(t.header, "host")
	t.orderColumn = slices.Index(t.header, "order")
	return nil
}

// pair reads one record.
func (t *csvTable) pair(line int, record []string) (Pair, error) {
	if len(record) != len(t.header) {
		return Pair{}, fmt.Errorf("%s: line %d, column %d: the line has %d columns, but the header has %d",
			t.name, line, min(len(record), len(t.header))+1, len(record), len(t.header))
	}
	p := Pair{Line: line}
	var err error
	if p.A, err = t.number(line, t.a, record); err != nil {
		return p, err
	}
	if p.B, err = t.number(line, t.b, record); err != nil {
		return p, err
	}
	if p.Number, err = t.count(line, t.pairColumn, record); err != nil {
		return p, err
	}
	if p.Block, err = t.count(line, t.blockColumn, record); err != nil {
		return p, err
	}
	if p.Process, err = t.count(line, t.launchColumn, record); err != nil {
		return p, err
	}
	if p.Build, err = t.count(line, t.buildColumn, record); err != nil {
		return p, err
	}
	if p.Host, err = t.count(line, t.hostColumn, record); err != nil {
		return p, err
	}
	if t.orderColumn >= 0 {
		p.Order = Order(strings.TrimSpace(record[t.orderColumn]))
		if p.Order != OrderAB && p.Order != OrderBA {
			return p, t.fault(line, t.orderColumn, "%q is not an order: want AB or BA", string(p.Order))
		}
	}
	return p, nil
}

// number reads a measured value.
func (t *csvTable) number(line, column int, record []string) (float64, error) {
	text := strings.TrimSpace(record[column])
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case strings.ContainsAny(text, "xX_"): // Go's 0x1p-2 and 1_000, which no other tool reads as these numbers
		return 0, t.fault(line, column, "%q is not a decimal number", text)
	case errors.Is(err, strconv.ErrRange):
		return 0, t.fault(line, column, "%q overflows a float64", text)
	case err != nil:
		return 0, t.fault(line, column, "%q is not a number", text)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, t.fault(line, column, "%q is not finite", text)
	}
	return x, nil
}

// count reads a whole number, or returns 0 if the file has no such column.
func (t *csvTable) count(line, column int, record []string) (int, error) {
	if column < 0 {
		return 0, nil
	}
	text := strings.TrimSpace(record[column])
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, t.fault(line, column, "%q is not a whole number from 0", text)
	}
	return n, nil
}

// fault returns an error at a cell.
func (t *csvTable) fault(line, column int, format string, arguments ...any) error {
	return fmt.Errorf("%s: line %d, column %d (%s): %s", t.name, line, column+1, t.header[column],
		fmt.Sprintf(format, arguments...))
}

// csvError adds the position to an error of encoding/csv.
func csvError(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s: line %d, column %d: %w", name, parse.Line, parse.Column, parse.Err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// withoutMark skips the byte order mark that spreadsheets write. encoding/csv would mistake it for the start of an
// unquoted cell.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	buffered := bufio.NewReader(r)
	if start, _ := buffered.Peek(len(mark)); string(start) == mark {
		buffered.Discard(len(mark))
	}
	return buffered
}

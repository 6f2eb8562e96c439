package harness

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/stats"
)

// WritePairs writes the counted pairs as CSV: pair,block,order,a,b and then <metric>_a,<metric>_b of each secondary
// metric and stage. A value that a proof did not give is an empty cell.
func (w *Workload) WritePairs(out io.Writer) error {
	header := []string{"pair", "block", "order", "a", "b"}
	for _, s := range w.Secondary {
		header = append(header, s.Metric+"_a", s.Metric+"_b")
	}
	table := csv.NewWriter(out)
	if err := table.Write(header); err != nil {
		return err
	}
	for _, p := range w.Pairs {
		row := []string{strconv.Itoa(p.Number), strconv.Itoa(p.Block), string(p.Order), number(p.A), number(p.B)}
		for _, s := range w.Secondary {
			row = append(row, cell(w.Samples[p.Base].Metrics, s.Metric), cell(w.Samples[p.Head].Metrics, s.Metric))
		}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// WriteDropped writes the pairs that were dropped, with arm and cause.
func (w *Workload) WriteDropped(out io.Writer) error {
	table := csv.NewWriter(out)
	if err := table.Write([]string{"pair", "block", "order", "attempt", "a", "b", "arm", "cause", "text"}); err != nil {
		return err
	}
	for _, d := range w.Drops {
		for _, c := range d.Causes {
			row := []string{strconv.Itoa(d.Pair), strconv.Itoa(d.Block), string(d.Order), strconv.Itoa(d.Attempt), optional(d.A), optional(d.B),
				string(c.Arm), c.Kind, strings.ReplaceAll(c.Text, "\n", " ")}
			if err := table.Write(row); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}

// writeCSV writes both files into the workload's folder.
func (w *Workload) writeCSV(dir journal.Directory) error {
	folder := dir.Workload(w.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var pairs, dropped bytes.Buffer
	return errors.Join(
		w.WritePairs(&pairs), journal.WriteFile(filepath.Join(folder, "pairs.csv"), pairs.Bytes()),
		w.WriteDropped(&dropped), journal.WriteFile(filepath.Join(folder, "dropped.csv"), dropped.Bytes()),
	)
}

// number writes the shortest decimal that reads back as x.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func optional(x stats.Number) string {
	if !x.Exists() {
		return ""
	}
	return number(x.Float())
}

func cell(metrics map[string]float64, name string) string {
	if x, ok := metrics[name]; ok {
		return number(x)
	}
	return ""
}

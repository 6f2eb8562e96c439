// Package csv writes the counted pairs of a workload as pairs.csv, and its dropped pairs as dropped.csv.
//
// pairs.csv is the input format of `harness stats`: the columns pair, block, launch, build, order, a and b of the
// primary metric, host in a joined report, then METRIC_a and METRIC_b for every other metric of a counted proof.
// Numbers are the shortest that read back exactly. A metric that a proof lacks is an empty cell.
package csv

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// Write writes the pairs of the named workload. The name may be empty if the report has only one workload.
func Write(w io.Writer, r *report.Report, workload string) error {
	load, err := find(r, workload)
	if err != nil {
		return err
	}
	return WritePairs(w, load)
}

// find returns the named workload, or an error that lists the available ones.
func find(r *report.Report, workload string) (*report.Workload, error) {
	var names []string
	for i := range r.Workloads {
		if r.Workloads[i].Name == workload || workload == "" && len(r.Workloads) == 1 {
			return &r.Workloads[i], nil
		}
		names = append(names, r.Workloads[i].Name)
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("the report has no workloads, and therefore no pairs")
	case workload == "":
		return nil, fmt.Errorf("a CSV file holds one workload, and the report has several: name one of %s",
			strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("workload %q is not in the report: it has %s", workload, strings.Join(names, ", "))
}

// WritePairs writes the counted pairs of a workload.
func WritePairs(w io.Writer, load *report.Workload) error {
	metrics := metricsOf(load)
	header := []string{"pair", "block", "launch", "build", "order", "a", "b"}
	joined := slices.ContainsFunc(load.Pairs, func(p evidence.Pair) bool { return p.Host > 0 })
	if joined {
		header = append(header, "host")
	}
	for _, metric := range metrics {
		header = append(header, metric+"_a", metric+"_b")
	}
	rows := [][]string{header}
	for _, p := range load.Pairs {
		row := []string{strconv.Itoa(p.Number), strconv.Itoa(p.Block), strconv.Itoa(p.Process), strconv.Itoa(p.Build),
			string(p.Order), number(p.A), number(p.B)}
		if joined {
			row = append(row, strconv.Itoa(p.Host))
		}
		for _, metric := range metrics {
			row = append(row, cell(load, p.Base, metric), cell(load, p.Head, metric))
		}
		rows = append(rows, row)
	}
	return writeAll(w, rows)
}

// WriteDropped writes the dropped pairs of a workload, one row per cause.
func WriteDropped(w io.Writer, load *report.Workload) error {
	rows := [][]string{{"pair", "block", "order", "attempt", "arm", "cause", "text", "a", "b"}}
	for _, d := range load.Drops {
		causes := d.Causes
		if len(causes) == 0 {
			causes = []evidence.Cause{{Kind: "unfinished"}}
		}
		for _, cause := range causes {
			rows = append(rows, []string{strconv.Itoa(d.Pair), strconv.Itoa(d.Block), string(d.Order), strconv.Itoa(d.Attempt),
				string(cause.Arm), cause.Kind, cause.Text, optional(d.A), optional(d.B)})
		}
	}
	return writeAll(w, rows)
}

func writeAll(w io.Writer, rows [][]string) error {
	writer := csv.NewWriter(w)
	if err := writer.WriteAll(rows); err != nil {
		return err
	}
	return writer.Error()
}

// metricsOf returns the sorted metrics of counted proofs, except the primary one.
func metricsOf(load *report.Workload) []string {
	var metrics []string
	for _, p := range load.Pairs {
		for _, index := range []int{p.Base, p.Head} {
			if index < 0 || index >= len(load.Samples) {
				continue
			}
			for metric := range load.Samples[index].Metrics {
				if metric != load.Metric.Name {
					metrics = append(metrics, metric)
				}
			}
		}
	}
	slices.Sort(metrics)
	return slices.Compact(metrics)
}

// cell formats a metric of the sample at an index, or is empty if there is none.
func cell(load *report.Workload, index int, metric string) string {
	if index < 0 || index >= len(load.Samples) {
		return ""
	}
	value, ok := load.Samples[index].Metrics[metric]
	if !ok {
		return ""
	}
	return number(value)
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

func optional(value stats.Number) string {
	if !value.Exists() {
		return ""
	}
	return number(float64(value))
}

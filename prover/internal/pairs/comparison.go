package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// comparison is the pairs of one size.
type comparison struct {
	commands [2]string
	size     int
	folder   string
	results  [2][]map[string]float64 // by command and pair
}

func (c *comparison) run(pairs int, warmup bool) error {
	for pair := range pairs + 1 {
		if pair == 0 && !warmup {
			continue
		}
		order := [2]int{0, 1}
		if pair%2 == 0 {
			order = [2]int{1, 0}
		}
		for _, which := range order {
			result, err := c.measure(c.commands[which], pair)
			if err != nil {
				return err
			}
			if pair > 0 {
				c.results[which] = append(c.results[which], result)
			}
		}
	}
	return nil
}

// measure runs a command once.
func (c *comparison) measure(command string, seed int) (map[string]float64, error) {
	metrics := filepath.Join(c.folder, "metrics.json")
	if err := os.RemoveAll(metrics); err != nil {
		return nil, err
	}
	replace := strings.NewReplacer(
		"{size}", strconv.Itoa(c.size),
		"{seed}", strconv.Itoa(seed),
		"{proof}", filepath.Join(c.folder, "proof.bin"),
		"{metrics}", metrics,
	)
	var argv []string
	for _, field := range strings.Fields(command) {
		argv = append(argv, replace.Replace(field))
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(argv, " "), err, output.Bytes())
	}
	result := map[string]float64{
		"wall_seconds":      wall.Seconds(),
		"processor_seconds": (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
	}
	if bytes, known := residentBytes(cmd.ProcessState); known {
		result["resident_bytes"] = bytes
	}
	if strings.Contains(command, "{metrics}") {
		var file struct{ Metrics map[string]float64 }
		data, err := os.ReadFile(metrics)
		if err == nil {
			err = json.Unmarshal(data, &file)
		}
		if err != nil {
			return nil, fmt.Errorf("metrics of %s: %w", argv[0], err)
		}
		maps.Copy(result, file.Metrics)
	}
	return result, nil
}

// report writes a line for each quantity that both commands have in all pairs.
func (c *comparison) report(w io.Writer) {
	fmt.Fprintf(w, "size %d, %d pairs\n%-32s %12s %12s %8s  %s\n", c.size, len(c.results[0]), "medians", "first", "second", "ratio", "range")
	for _, name := range slices.Sorted(maps.Keys(c.results[0][0])) {
		var values [2][]float64
		var ratios []float64
		for pair := range c.results[0] {
			first, ok := c.results[0][pair][name]
			second, both := c.results[1][pair][name]
			if !ok || !both {
				break
			}
			values[0], values[1] = append(values[0], first), append(values[1], second)
			if second > 0 {
				ratios = append(ratios, first/second)
			}
		}
		if len(values[0]) < len(c.results[0]) {
			continue
		}
		fmt.Fprintf(w, "%-32s %12.4g %12.4g", name, median(values[0]), median(values[1]))
		if len(ratios) == len(values[0]) {
			fmt.Fprintf(w, " %8.3f  %.3f to %.3f", median(ratios), slices.Min(ratios), slices.Max(ratios))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The test binaries whose benchmarks are run.
const (
	deviceBenchmarks  = "devicecheck.test"
	backendBenchmarks = "gpu.test"
)

// deviceTime is the metric that holds a benchmark's time on the device, in milliseconds.
const deviceTime = "device-ms/op"

// result is one line of a benchmark's output.
type result struct {
	name    string // without "Benchmark" and the number of processors
	metrics map[string]float64
}

var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks reads Go's benchmark output: "BenchmarkName-8 100 1.5 unit 2.5 unit ...". It skips other lines,
// except failures.
func parseBenchmarks(output io.Reader) ([]result, error) {
	var results []result
	scanner := bufio.NewScanner(output)
	for number := 1; scanner.Scan(); number++ {
		line := scanner.Text()
		if strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "panic:") {
			return nil, fmt.Errorf("line %d: %s", number, line)
		}
		fields := strings.Fields(line)
		// A benchmark that writes to the log first prints its name alone, and again with the figures.
		if !strings.HasPrefix(line, "Benchmark") || len(fields) < 2 {
			continue
		}
		if _, err := strconv.Atoi(fields[1]); err != nil || len(fields)%2 != 0 {
			return nil, fmt.Errorf("line %d: %q is not a benchmark result: want a name, a count, and pairs of value and unit",
				number, line)
		}
		r := result{strings.TrimPrefix(processors.ReplaceAllString(fields[0], ""), "Benchmark"), map[string]float64{}}
		for i := 2; i < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is not a number", number, fields[i])
			}
			r.metrics[fields[i+1]] = value
		}
		results = append(results, r)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, errors.New("no benchmark reported anything")
	}
	return results, nil
}

// runBenchmarks runs a test binary's benchmarks on the GPU.
func (b *bench) runBenchmarks(ctx context.Context, binary, pattern, times string) ([]result, error) {
	b.say("benchmarks of %s", binary)
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path(binary), "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", times)
	cmd.Dir = b.path(".")
	cmd.Env = append(cmd.Environ(), "CHIASMUS_DEVICE=gpu", "CHIASMUS_KERNELS="+b.path("kernels"))
	var output, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &failure
	err := cmd.Run()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", binary, err, lastLines(output.String()+failure.String(), 8))
	}
	results, err := parseBenchmarks(&output)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", binary, err)
	}
	return results, nil
}

// lastLines returns the last lines of a text, for errors.
func lastLines(text string, count int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "; ")
}

// kernels measures the limits and all kernels.
func (b *bench) kernels(ctx context.Context, r *report) error {
	device, err := b.runBenchmarks(ctx, deviceBenchmarks, ".", "50x")
	if err != nil {
		return err
	}
	if r.Limits, err = findLimits(device); err != nil {
		return err
	}
	for _, one := range device {
		if kernel, ok := deviceKernel(one); ok {
			r.addKernel(kernel)
		}
	}
	backend, err := b.runBenchmarks(ctx, backendBenchmarks, "^Benchmark(Quotient|Tables)$", "3x")
	if err != nil {
		return err
	}
	for _, one := range backend {
		for _, kernel := range backendKernels(one) {
			r.addKernel(kernel)
		}
	}
	return nil
}

// countedRates are the units of rates from which bytes and operations follow.
var countedRates = map[string]func(*work) *float64{
	"GB/s":               func(w *work) *float64 { return &w.Bytes },
	"Gmultiplications/s": func(w *work) *float64 { return &w.Operations.Multiplications },
	"Gadditions/s":       func(w *work) *float64 { return &w.Operations.Additions },
	"Gproducts/s":        func(w *work) *float64 { return &w.Operations.Products },
	"Gpointlevels/s":     func(w *work) *float64 { return &w.Operations.PointLevels },
	"Gpermutations/s":    func(w *work) *float64 { return &w.Operations.Permutations },
}

// deviceKernel returns a kernel that was measured by itself: its time, and rates from which its bytes and operations
// follow.
func deviceKernel(r result) (kernelReport, bool) {
	milliseconds, ok := r.metrics[deviceTime]
	if !ok || milliseconds <= 0 {
		return kernelReport{}, false
	}
	k := kernelReport{Name: r.name, Seconds: milliseconds / 1e3}
	for unit, count := range countedRates {
		if rate, ok := r.metrics[unit]; ok {
			if k.Work == nil {
				k.Work = &work{}
			}
			*count(k.Work) = rate * 1e9 * k.Seconds
		}
	}
	return k, true
}

// backendKernels returns the parts of the backend's benchmarks. Each has a metric NAME-ms, and NAME-GB/s and further
// rates if they are counted.
func backendKernels(r result) []kernelReport {
	var kernels []kernelReport
	for metric, value := range r.metrics {
		name, timed := strings.CutSuffix(metric, "-ms")
		if !timed || value <= 0 {
			continue
		}
		k := kernelReport{Name: r.name + "/" + name, Seconds: value / 1e3}
		for unit, count := range countedRates {
			if rate, ok := r.metrics[name+"-"+unit]; ok {
				if k.Work == nil {
					k.Work = &work{}
				}
				*count(k.Work) = rate * 1e9 * k.Seconds
			}
		}
		kernels = append(kernels, k)
	}
	slices.SortFunc(kernels, func(a, b kernelReport) int { return strings.Compare(a.Name, b.Name) })
	return kernels
}

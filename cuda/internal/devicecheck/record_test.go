package devicecheck

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var (
	recordFile   = flag.String("bench-json", "", "write what the benchmarks measured to this file, with fractions of the device's limits")
	recordProofs = flag.String("proofs", "", "with -bench-json: a folder with replies of prover session, one file MACHINE-SIZE.jsonl for each workload, and costs.json")
)

// A resource is what bounds a kernel.
type resource string

const (
	memory         resource = "bytes"
	additions      resource = "additions"
	products       resource = "products"        // reduced to a word
	summedProducts resource = "summed_products" // added up before they are reduced
	permutations   resource = "permutations"    // Keccak-f[1600]
)

// cost is what a kernel needs at least: bytes read and written once, and operations by kind.
type cost map[resource]float64

// units are the resources that benchmarks report by their unit.
var units = map[string]resource{"GB/s": memory, "Gpointlevels/s": additions, "Gpermutations/s": permutations}

// A figure is one benchmark's result.
type figure struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	// Needs is the least that the work takes of each resource.
	Needs cost `json:"needs,omitempty"`
	// Fraction is the time that the scarcest resource needs at its limit, as a part of Seconds; Limit names it.
	Fraction float64  `json:"fraction_of_limit,omitempty"`
	Limit    resource `json:"limit,omitempty"`
}

// recorded are the figures by name; a benchmark's last run has the most repetitions and stays.
var (
	recorded = map[string]*figure{}
	device   string
)

func record(name string, seconds float64, needs cost) {
	recorded[name] = &figure{Name: name, Seconds: seconds, Needs: needs}
}

// rates are the limits in units a second, as the same run measured them.
func rates() map[resource]float64 {
	rates := map[resource]float64{}
	if copied := recorded["BenchmarkCopy"]; copied != nil {
		rates[memory] = copied.Needs[memory] / copied.Seconds
	}
	for _, l := range limits {
		if one := recorded["BenchmarkLimits/"+string(l.resource)]; one != nil {
			rates[l.resource] = one.Needs[l.resource] / one.Seconds
		}
	}
	return rates
}

// compare fills in how near the figure is to the limits.
func (f *figure) compare(rates map[resource]float64) {
	for _, kind := range slices.Sorted(maps.Keys(f.Needs)) {
		if rates[kind] == 0 {
			continue
		}
		if fraction := f.Needs[kind] / rates[kind] / f.Seconds; fraction > f.Fraction {
			f.Fraction, f.Limit = fraction, kind
		}
	}
}

// TestMain runs the tests and then writes the record, where one is asked for.
func TestMain(m *testing.M) {
	code := m.Run()
	if *recordFile != "" && code == 0 {
		if err := writeRecord(*recordFile, *recordProofs); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func writeRecord(file, proofs string) error {
	rates := rates()
	for _, kind := range []resource{memory, additions, products, summedProducts, permutations} {
		if rates[kind] == 0 {
			return fmt.Errorf("-bench-json: the limit of %s was not measured: run with -test.bench . and CHIASMUS_DEVICE=gpu", kind)
		}
	}
	whole := struct {
		Schema  string               `json:"schema"`
		Device  string               `json:"device"`
		Limits  map[resource]float64 `json:"limits_per_second"`
		Kernels []*figure            `json:"kernels"`
		Proofs  []*proofFigure       `json:"proofs"`
	}{Schema: "chiasmus.gpubench/1", Device: device, Limits: rates}
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		recorded[name].compare(rates)
		recorded[name].Name = strings.TrimPrefix(name, "Benchmark")
		whole.Kernels = append(whole.Kernels, recorded[name])
	}
	var err error
	if whole.Proofs, err = readProofs(proofs); err != nil {
		return err
	}
	if proofs != "" {
		if err := compareStages(whole.Proofs, proofs, rates); err != nil {
			return err
		}
	}
	data, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

package devicecheck

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A proofFigure is a workload's whole proofs in a warm session: medians over them, without the first.
type proofFigure struct {
	Workload string  `json:"workload"`
	Proofs   int     `json:"proofs"`
	Seconds  float64 `json:"prove_seconds"`
	// Stages are by name.
	Stages  map[string]stageFigure `json:"stages"`
	Metrics map[string]float64     `json:"metrics"`
	hashes  float64                // of grinding
}

// A stageFigure is one stage: the device's time between its first and last work, and its kernels.
type stageFigure struct {
	DeviceSeconds float64 `json:"device_seconds"`
	Share         float64 `json:"share_of_device_time"`
	Launches      float64 `json:"kernel_launches"`
	// As in a figure; absent where nothing is counted.
	Needs    cost     `json:"needs,omitempty"`
	Fraction float64  `json:"fraction_of_limit,omitempty"`
	Limit    resource `json:"limit,omitempty"`
}

// compareStages fills in how near each stage is to the limits, from the costs that the prover's test wrote into the folder.
func compareStages(list []*proofFigure, folder string, rates map[resource]float64) error {
	data, err := os.ReadFile(filepath.Join(folder, "costs.json"))
	if err != nil {
		return err
	}
	var costs map[string]map[string]cost
	if err := json.Unmarshal(data, &costs); err != nil {
		return err
	}
	for _, one := range list {
		for name, stage := range one.Stages {
			needs := costs[one.Workload][name]
			if name == "grind" {
				needs = cost{permutations: one.hashes}
			}
			if len(needs) == 0 {
				continue
			}
			as := figure{Seconds: stage.DeviceSeconds, Needs: needs}
			as.compare(rates)
			stage.Needs, stage.Fraction, stage.Limit = needs, as.Fraction, as.Limit
			one.Stages[name] = stage
		}
	}
	return nil
}

// reply is what the record takes of a session's line.
type reply struct {
	Event    string             `json:"event"`
	OK       bool               `json:"ok"`
	Error    string             `json:"error"`
	Metrics  map[string]float64 `json:"metrics"`
	Counters map[string]float64 `json:"counters"`
}

func readProofs(folder string) ([]*proofFigure, error) {
	if folder == "" {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var list []*proofFigure
	for _, file := range files {
		one, err := readReplies(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, one)
	}
	return list, nil
}

func readReplies(file string) (*proofFigure, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var metrics, counters []map[string]float64
	for scanner := bufio.NewScanner(opened); scanner.Scan(); {
		var one reply
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			return nil, err
		}
		switch {
		case one.Event != "proof":
		case !one.OK:
			return nil, fmt.Errorf("a proof failed: %s", one.Error)
		case one.Counters["fallbacks"] != 0 || one.Counters["kernel_launches"] == 0:
			return nil, errors.New("a proof was not made on the GPU")
		default:
			metrics, counters = append(metrics, one.Metrics), append(counters, one.Counters)
		}
	}
	if len(metrics) < 2 {
		return nil, fmt.Errorf("%d proofs: the first warms up, so at least 2 are needed", len(metrics))
	}
	middle, launches := medians(metrics[1:]), medians(counters[1:])
	figure := &proofFigure{Workload: strings.TrimSuffix(filepath.Base(file), ".jsonl"), Proofs: len(metrics) - 1, Seconds: middle["prove_seconds"], Metrics: middle, Stages: map[string]stageFigure{}, hashes: launches["grind_hashes"]}
	total := 0.0
	stages := map[string]float64{}
	for name, seconds := range middle {
		stage, isDevice := strings.CutPrefix(name, "device_")
		stage, isSeconds := strings.CutSuffix(stage, "_seconds")
		if _, ok := launches["kernel_launches_"+stage]; ok && isDevice && isSeconds {
			stages[stage] = seconds
			total += seconds
		}
	}
	for stage, seconds := range stages {
		figure.Stages[stage] = stageFigure{DeviceSeconds: seconds, Share: seconds / total, Launches: launches["kernel_launches_"+stage]}
	}
	return figure, nil
}

// medians are by name, over all that have it.
func medians(list []map[string]float64) map[string]float64 {
	values := map[string][]float64{}
	for _, one := range list {
		for name, value := range one {
			values[name] = append(values[name], value)
		}
	}
	out := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all := slices.Sorted(slices.Values(values[name]))
		out[name] = (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	return out
}

func TestRecord(t *testing.T) {
	figure := &figure{Seconds: 2, Needs: cost{memory: 10, products: 3}}
	figure.compare(map[resource]float64{memory: 10, products: 2})
	if figure.Fraction != 0.75 || figure.Limit != products {
		t.Errorf("%+v", figure)
	}
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	line := `{"event":"proof","ok":true,"metrics":{"prove_seconds":%g,"device_trace_seconds":%g,"device_fold_seconds":1,"device_kernel_bytes":7},"counters":{"fallbacks":%d,"kernel_launches":9,"kernel_launches_trace":4,"kernel_launches_fold":5}}` + "\n"
	write("keccak-4.jsonl", `{"event":"ready"}`+"\n"+fmt.Sprintf(line, 100.0, 50.0, 0)+fmt.Sprintf(line, 5.0, 3.0, 0)+fmt.Sprintf(line, 7.0, 3.0, 0)+fmt.Sprintf(line, 6.0, 3.0, 0))
	got, err := readProofs(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Workload != "keccak-4" || got[0].Seconds != 6 || got[0].Proofs != 3 || len(got[0].Stages) != 2 {
		t.Fatalf("%+v", got[0])
	}
	write("costs.json", `{"keccak-4":{"trace":{"bytes":12,"permutations":3}}}`)
	if err := compareStages(got, folder, map[resource]float64{memory: 8, permutations: 10}); err != nil {
		t.Fatal(err)
	}
	want := stageFigure{DeviceSeconds: 3, Share: 0.75, Launches: 4, Needs: cost{memory: 12, permutations: 3}, Fraction: 0.5, Limit: memory}
	if stage := got[0].Stages["trace"]; !reflect.DeepEqual(stage, want) {
		t.Errorf("%+v, want %+v", stage, want)
	}
	for name, text := range map[string]string{"fallback": fmt.Sprintf(line, 1.0, 1.0, 1), "one": fmt.Sprintf(line, 1.0, 1.0, 0), "failed": `{"event":"proof","ok":false,"error":"e"}`} {
		write("bad.jsonl", text)
		if _, err := readProofs(folder); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

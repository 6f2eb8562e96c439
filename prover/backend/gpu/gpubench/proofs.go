package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// tracedProofs is the number of traced proofs, after one to warm up.
const tracedProofs = 3

// merged returns the sizes of both lists, ascending.
func merged(a, b []int) []int {
	sizes := slices.Concat(a, b)
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// shapeOf returns the shape of a proof of the given size.
func shapeOf(machineName string, size int, params protocol.Params) (*protocol.Shape, error) {
	program, err := all.Lookup(machineName)
	if err != nil {
		return nil, err
	}
	instances, err := program.Estimate(size, params.MinLogHeight, nil)
	if err != nil {
		return nil, err
	}
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		return nil, err
	}
	return key.Shape(instances), nil
}

// size measures the proofs of one size: untraced ones for the times, traced ones for the device's busy time, and proofs
// on the CPU if requested. If the prover refuses a size because it does not fit, size records the reason.
func (b *bench) size(ctx context.Context, r *report, machineName string, size int) error {
	p := proofReport{Machine: machineName, Size: size}
	defer func() { r.Proofs = append(r.Proofs, p) }()
	if time.Since(b.start) > b.budget {
		p.Status, p.Reason = statusLeftOut, fmt.Sprintf("it would have begun after the budget of %s", b.budget)
		return nil
	}
	b.say("%s %d", machineName, size)
	err := b.proveSize(ctx, r, &p)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		p.Status, p.Reason = statusRefused, refused.reason
		p.PredictedPeakBytes = b.predictedPeak(ctx, machineName, size)
		return nil
	case err != nil:
		p.Status, p.Reason = statusFailed, err.Error()
		return err
	}
	p.Status = statusProved
	return nil
}

func (b *bench) proveSize(ctx context.Context, r *report, p *proofReport) error {
	arguments := []string{"--machine", p.Machine, "--size", strconv.Itoa(p.Size), "--params", b.params}
	onDevice := append(slices.Clone(arguments), "--backend", "gpu")
	if b.device != "" {
		onDevice = append(onDevice, "--device", b.device)
	} else {
		onDevice = append(onDevice, "--kernels", b.path("kernels"))
	}
	plain, opened, err := b.prove(ctx, p, b.proofs, onDevice...)
	if err != nil {
		return err
	}
	p.describe(opened, plain)
	preset, err := protocol.PresetByName(b.params)
	if err != nil {
		return err
	}
	shape, err := shapeOf(p.Machine, p.Size, preset.Params)
	if err != nil {
		return err
	}
	for _, instance := range shape.Instances {
		p.LogHeights = append(p.LogHeights, instance.LogHeight)
	}
	r.addStages(p, shape, plain)
	traced, _, err := b.prove(ctx, p, min(b.proofs, tracedProofs),
		append(onDevice, "--trace-out", filepath.Join(b.scratch, "trace.json"))...)
	if err != nil {
		return err
	}
	p.DeviceBusySeconds = metric(traced, "device_busy_seconds")
	p.DeviceBusyFraction = metric(traced, "device_busy_fraction")
	if p.Machine == "keccak" && slices.Contains(b.cpuSizes, p.Size) {
		onHost, _, err := b.prove(ctx, p, min(b.proofs, tracedProofs), append(arguments, "--backend", "cpu")...)
		if err != nil {
			return err
		}
		p.CPUProveSeconds = metric(onHost, "prove_seconds")
		ratio := *p.CPUProveSeconds / p.ProveSeconds.Median
		p.CPURatio = &ratio
	}
	return nil
}

// prove makes one proof to warm up and then the given number of proofs, each from another seed. It verifies all of them
// against the session's statement.
func (b *bench) prove(ctx context.Context, p *proofReport, proofs int, arguments ...string) (replies []*reply,
	opened *ready, err error) {
	s, err := b.openSession(ctx, arguments...)
	if err != nil {
		return nil, nil, err
	}
	proof := filepath.Join(b.scratch, "proof")
	for i := range proofs + 1 {
		var answer *reply
		if answer, err = s.prove(ctx, uint64(i), proof); err == nil {
			err = b.check(ctx, s, answer, proof)
		}
		if err != nil {
			return nil, nil, errors.Join(err, s.kill())
		}
		p.Verified++
		if i > 0 {
			replies = append(replies, answer)
		}
	}
	return replies, &s.ready, s.close()
}

// check verifies a proof, and that the requested backend made it.
func (b *bench) check(ctx context.Context, s *session, answer *reply, proof string) error {
	if fallbacks, ok := answer.Counters["fallbacks"]; !ok || fallbacks != 0 {
		return fmt.Errorf("session, proof %d: the counter fallbacks is %v, want 0", answer.ID, answer.Counters["fallbacks"])
	}
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	output, err := exec.CommandContext(ctx, b.path("prover"), "verify", "--min-bits", strconv.Itoa(s.ready.SecurityBits),
		"--expect-statement", s.ready.Statement, proof).CombinedOutput()
	if err != nil {
		return fmt.Errorf("session, proof %d: prover verify: %w: %s", answer.ID, err, lastLines(string(output), 2))
	}
	return os.Remove(proof)
}

// predictedPeak asks the prover how much device memory a proof would take. It returns nil if the prover has no
// prediction.
func (b *bench) predictedPeak(ctx context.Context, machineName string, size int) *float64 {
	var planned struct {
		Peak map[string]float64 `json:"predicted_peak_bytes"`
	}
	output, err := exec.CommandContext(ctx, b.path("prover"), "plan", "--machine", machineName, "--size",
		strconv.Itoa(size), "--params", b.params, "--backend", "gpu", "--json").Output()
	if err != nil || json.Unmarshal(output, &planned) != nil {
		return nil
	}
	if peak, ok := planned.Peak["gpu"]; ok {
		return &peak
	}
	return nil
}

// metric returns the median of a metric over proofs, or nil if a proof lacks the metric.
func metric(replies []*reply, name string) *float64 {
	values := make([]float64, 0, len(replies))
	for _, r := range replies {
		value, ok := r.Metrics[name]
		if !ok {
			return nil
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return nil
	}
	m := median(values)
	return &m
}

// median returns the median of at least one value.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// identify asks the prover for the device, its driver and the versions.
func (b *bench) identify(ctx context.Context, r *report) error {
	version, err := b.ask(ctx, "version", "--json")
	if err != nil {
		return err
	}
	r.Prover = version
	if b.device != "" {
		r.Device = &deviceInfo{Name: b.device}
		return nil
	}
	inventory, err := b.ask(ctx, "devices", "--json", "--kernels", b.path("kernels"))
	if err != nil {
		return err
	}
	var found struct {
		Driver  json.RawMessage `json:"driver"`
		NVRTC   json.RawMessage `json:"nvrtc"`
		Devices []deviceInfo    `json:"devices"`
	}
	if err := json.Unmarshal(inventory, &found); err != nil || len(found.Devices) == 0 {
		return fmt.Errorf("prover devices: no device in %q", inventory)
	}
	r.Device, r.Driver, r.NVRTC = &found.Devices[0], found.Driver, found.NVRTC
	return nil
}

// ask runs the prover and decodes the JSON object that it prints.
func (b *bench) ask(ctx context.Context, arguments ...string) (json.RawMessage, error) {
	cmd := exec.CommandContext(ctx, b.path("prover"), arguments...)
	var output, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &failure
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("prover %s: %w: %s", arguments[0], err, lastLines(failure.String(), 3))
	}
	if !json.Valid(output.Bytes()) {
		return nil, fmt.Errorf("prover %s wrote %q, want a JSON object", arguments[0], output.String())
	}
	return bytes.TrimSpace(output.Bytes()), nil
}

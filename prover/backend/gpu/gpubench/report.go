package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// schema identifies the format of bench.json.
const schema = "chiasmus.gpubench/1"

// report is bench.json.
type report struct {
	Schema  string          `json:"schema"`
	Time    string          `json:"time"`    // when the run began, UTC
	Seconds float64         `json:"seconds"` // duration of the run
	Device  *deviceInfo     `json:"device"`
	Driver  json.RawMessage `json:"driver,omitempty"` // of `prover devices --json`
	NVRTC   json.RawMessage `json:"nvrtc,omitempty"`
	Prover  json.RawMessage `json:"prover"` // `prover version --json`
	CPUs    int             `json:"cpus"`
	Params  string          `json:"params"`
	Limits  *limits         `json:"limits"` // null on the software device
	Kernels []kernelReport  `json:"kernels"`
	Stages  []stageReport   `json:"stages"`
	Proofs  []proofReport   `json:"proofs"`
}

// deviceInfo is the part of `prover devices --json` about the device.
type deviceInfo struct {
	Name            string `json:"name"`
	UUID            string `json:"uuid,omitempty"`
	Architecture    string `json:"architecture,omitempty"`
	MemoryBytes     uint64 `json:"memory_bytes,omitempty"`
	Multiprocessors int    `json:"multiprocessors,omitempty"`
	ClockKilohertz  int    `json:"clock_kilohertz,omitempty"`
	DriverVersion   string `json:"driver_version,omitempty"`
}

// kernelReport is a benchmark, or a part of one that was timed by itself. Its work is null if it was not counted.
type kernelReport struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Work    *work   `json:"work"`
	Limit   *share  `json:"limit"`
}

// stageReport is a stage of the proofs of one size; times are medians.
type stageReport struct {
	Machine       string   `json:"machine"`
	Size          int      `json:"size"`
	Stage         string   `json:"stage"`
	HostSeconds   *float64 `json:"host_seconds"`
	DeviceSeconds *float64 `json:"device_seconds"` // between its first and last work on the device; null for "other"
	Launches      *float64 `json:"kernel_launches"`
	Work          *work    `json:"work"`
	Limit         *share   `json:"limit"`
}

// The outcomes of a size.
const (
	statusProved  = "proved"
	statusRefused = "refused"  // the prover ended before it was ready
	statusFailed  = "failed"   // a proof failed or was invalid
	statusLeftOut = "left_out" // the budget was spent
)

// proofReport describes the proofs of one size.
type proofReport struct {
	Machine            string   `json:"machine"`
	Size               int      `json:"size"`
	LogHeights         []int    `json:"log_heights,omitempty"`
	Status             string   `json:"status"`
	Reason             string   `json:"reason,omitempty"`
	SecurityBits       int      `json:"security_bits"`
	SetupSeconds       float64  `json:"setup_seconds"`
	ProveSeconds       *times   `json:"prove_seconds"` // of warm proofs
	Verified           int      `json:"verified"`      // number of proofs, including warm-up and traced proofs
	ProofBytes         float64  `json:"proof_bytes"`
	Launches           *float64 `json:"kernel_launches"`
	PredictedPeakBytes *float64 `json:"predicted_peak_device_bytes"`
	PeakBytes          *float64 `json:"peak_device_bytes"`
	PeakError          *float64 `json:"peak_error"`          // predicted over measured, less 1
	DeviceBusySeconds  *float64 `json:"device_busy_seconds"` // of traced proofs
	DeviceBusyFraction *float64 `json:"device_busy_fraction"`
	CPUProveSeconds    *float64 `json:"cpu_prove_seconds"` // on all of this host's CPUs
	CPURatio           *float64 `json:"cpu_ratio"`         // CPU over GPU
}

// times are the times of several proofs.
type times struct {
	Median float64   `json:"median"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	All    []float64 `json:"all"` // in order
}

// describe records what the untraced proofs report.
func (p *proofReport) describe(opened *ready, replies []*reply) {
	p.SecurityBits, p.SetupSeconds = opened.SecurityBits, opened.SetupSeconds
	var seconds, sizes []float64
	for _, r := range replies {
		seconds = append(seconds, r.Metrics["prove_seconds"])
		sizes = append(sizes, r.ProofBytes)
	}
	p.ProveSeconds = &times{Median: median(seconds), Min: slices.Min(seconds), Max: slices.Max(seconds), All: seconds}
	p.ProofBytes = median(sizes)
	p.Launches = counter(replies, "kernel_launches")
	p.PredictedPeakBytes = metric(replies, "predicted_peak_device_bytes")
	p.PeakBytes = metric(replies, "peak_device_bytes")
	if p.PredictedPeakBytes != nil && p.PeakBytes != nil && *p.PeakBytes > 0 {
		off := *p.PredictedPeakBytes / *p.PeakBytes - 1
		p.PeakError = &off
	}
}

// counter returns the median of a counter.
func counter(replies []*reply, name string) *float64 {
	renamed := make([]*reply, len(replies))
	for i, r := range replies {
		renamed[i] = &reply{Metrics: r.Counters}
	}
	return metric(renamed, name)
}

func (r *report) addKernel(k kernelReport) {
	k.Limit = r.Limits.judge(k.Work, k.Seconds)
	r.Kernels = append(r.Kernels, k)
}

// addStages judges the stages by their time on the device. The number of hashes that grinding takes depends on the
// seed, so its mean time is compared with the mean number of hashes.
func (r *report) addStages(p *proofReport, shape *protocol.Shape, replies []*reply) {
	counted := stageWork(shape)
	counted[prove.StageGather] = gatherWork(p.ProofBytes)
	hashes := 0.0
	for _, one := range replies {
		hashes += one.Counters["grind_hashes"] / float64(len(replies))
	}
	counted[prove.StageGrind] = grindWork(hashes)
	for _, stage := range prove.Stages {
		s := stageReport{
			Machine: p.Machine, Size: p.Size, Stage: string(stage),
			HostSeconds:   metric(replies, "stage_"+string(stage)+"_seconds"),
			DeviceSeconds: metric(replies, "device_"+string(stage)+"_seconds"),
			Launches:      counter(replies, "kernel_launches_"+string(stage)),
		}
		if stage == prove.StageGrind && s.DeviceSeconds != nil {
			mean := 0.0
			for _, one := range replies {
				mean += one.Metrics["device_grind_seconds"] / float64(len(replies))
			}
			s.DeviceSeconds = &mean
		}
		if w, ok := counted[stage]; ok {
			s.Work = &w
			if s.DeviceSeconds != nil {
				s.Limit = r.Limits.judge(s.Work, *s.DeviceSeconds)
			}
		}
		r.Stages = append(r.Stages, s)
	}
}

// write replaces the report file atomically.
func (r *report) write(path string) (err error) {
	r.CPUs = runtime.NumCPU()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(append(data, '\n'))
	if err == nil {
		err = temporary.Chmod(0o644)
	}
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temporary.Name()))
	}
	return err
}

// print writes the main figures as text.
func (r *report) print(out io.Writer) {
	if l := r.Limits; l != nil {
		fmt.Fprintf(out,
			"%s: copy %.2f TB/s, %.0f G multiplications/s, %.0f G additions/s, %.0f G products/s, %.0f G point-levels/s, %.2f "+
				"G Keccak permutations/s\n\n",
			r.Device.Name, l.Bytes/1e12, l.Multiplications/1e9, l.Additions/1e9, l.Products/1e9,
			l.PointLevels/1e9, l.Permutations/1e9)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...string) {
		for _, cell := range cells {
			fmt.Fprint(table, cell, "\t")
		}
		fmt.Fprintln(table)
	}
	if len(r.Kernels) > 0 {
		row("kernel", "ms", "GB", "of limit", "bound by")
		for _, k := range r.Kernels {
			if k.Work != nil {
				row(append([]string{k.Name, scaled(&k.Seconds, 1e3, 3)}, cells(k.Work, k.Limit)...)...)
			}
		}
		row()
	}
	row("proof", "stage", "host ms", "device ms", "GB", "of limit", "bound by")
	for _, s := range r.Stages {
		row(append([]string{fmt.Sprintf("%s %d", s.Machine, s.Size), s.Stage, scaled(s.HostSeconds, 1e3, 2),
			scaled(s.DeviceSeconds, 1e3, 2)}, cells(s.Work, s.Limit)...)...)
	}
	row()
	row("proof", "seconds", "busy", "predicted GB", "peak GB", "verified", "CPU/GPU", "status")
	for _, p := range r.Proofs {
		var seconds *float64
		if p.ProveSeconds != nil {
			seconds = &p.ProveSeconds.Median
		}
		status := p.Status
		if p.Reason != "" {
			status += ": " + p.Reason
		}
		row(fmt.Sprintf("%s %d", p.Machine, p.Size), scaled(seconds, 1, 4), scaled(p.DeviceBusyFraction, 1, 3),
			scaled(p.PredictedPeakBytes, 1e-9, 2),
			scaled(p.PeakBytes, 1e-9, 2), fmt.Sprint(p.Verified), scaled(p.CPURatio, 1, 1), status)
	}
	_ = table.Flush() // to a terminal or a log; bench.json is the result
}

func cells(w *work, s *share) []string {
	list := []string{"-", "-", "-"}
	if w != nil {
		list[0] = scaled(&w.Bytes, 1e-9, 2)
	}
	if s != nil {
		list[1], list[2] = scaled(&s.Fraction, 1, 2), s.BoundBy
	}
	return list
}

// scaled formats a value times a factor, or a dash.
func scaled(value *float64, factor float64, digits int) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, *value*factor)
}

package environment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// A gpuWatch samples the watched GPUs during a proof. A nil gpuWatch does nothing.
type gpuWatch struct {
	library    *nvml.Library
	devices    []nvml.Device
	thresholds Thresholds
	quit       chan struct{}
	done       sync.WaitGroup
	taken      []gpuSample
	begin      []gpuCounters
	before     [][]nvml.Process
	began      time.Time
	// sampled receives each sample, in tests.
	sampled func()
}

// A gpuSample is one reading of one device. Quantities that the device does not report are nil.
type gpuSample struct {
	clockSM, clockMemory, temperature *int
	power                             *float64
	used                              int64
	reasons                           nvml.Reasons
	haveReasons                       bool
}

// gpuCounters are counters that only grow.
type gpuCounters struct {
	energy, thermal *float64
	errors          *int64
}

// watchGPUs opens NVML. The note says why nothing is watched.
func watchGPUs(h host, t Thresholds) (w *gpuWatch, note string) {
	library, err := nvml.Open(h.nvml...)
	if errors.Is(err, nvml.ErrAbsent) {
		return nil, "no NVIDIA management library: GPUs are not observed"
	}
	if err != nil {
		return nil, "GPUs are not observed: " + err.Error()
	}
	devices, err := library.Devices()
	if err == nil {
		devices, err = chosen(devices, t.GPUs)
	}
	if err != nil || len(devices) == 0 {
		note = "GPUs are not observed: there is none"
		if err != nil {
			note = "GPUs are not observed: " + err.Error()
		}
		if err := library.Close(); err != nil {
			note += "; " + err.Error()
		}
		return nil, note
	}
	return &gpuWatch{library: library, devices: devices, thresholds: t}, ""
}

// chosen returns the devices that the configuration names, or all of them if it names none.
func chosen(devices []nvml.Device, indices []int) ([]nvml.Device, error) {
	if indices == nil {
		return devices, nil
	}
	var out []nvml.Device
	for _, i := range indices {
		if i >= len(devices) {
			return nil, fmt.Errorf("environment.gpus names GPU %d, but there are %d", i, len(devices))
		}
		out = append(out, devices[i])
	}
	return out, nil
}

func (w *gpuWatch) close() error {
	if w == nil {
		return nil
	}
	return w.library.Close()
}

// start reads the counters and starts sampling.
func (w *gpuWatch) start() {
	if w == nil {
		return
	}
	w.taken, w.begin, w.before, w.began = nil, w.counters(), w.processes(), time.Now()
	w.quit = make(chan struct{})
	quit := w.quit
	w.done.Go(func() {
		ticker := time.NewTicker(w.thresholds.Sample)
		defer ticker.Stop()
		for {
			w.sample()
			if w.sampled != nil {
				w.sampled()
			}
			select {
			case <-quit:
				return
			case <-ticker.C:
			}
		}
	})
}

// stop ends the sampling and returns the samples.
func (w *gpuWatch) stop() []gpuSample {
	if w == nil || w.quit == nil {
		return nil
	}
	close(w.quit)
	w.done.Wait()
	w.quit = nil
	return w.taken
}

func (w *gpuWatch) sample() {
	for _, d := range w.devices {
		s := gpuSample{
			clockSM: optional(d.Clock(nvml.SM)), clockMemory: optional(d.Clock(nvml.Memory)),
			temperature: optional(d.Temperature()), power: optional(d.Power()),
		}
		if _, used, err := d.MemoryInfo(); err == nil {
			s.used = used
		}
		if r, err := d.Throttle(); err == nil {
			s.reasons, s.haveReasons = r, true
		}
		w.taken = append(w.taken, s)
	}
}

func (w *gpuWatch) counters() []gpuCounters {
	out := make([]gpuCounters, len(w.devices))
	for i, d := range w.devices {
		out[i] = gpuCounters{optional(d.Energy()), optional(d.ThermalViolation()), optional(d.UncorrectedErrors())}
	}
	return out
}

func (w *gpuWatch) processes() [][]nvml.Process {
	out := make([][]nvml.Process, len(w.devices))
	for i, d := range w.devices {
		out[i], _ = d.Processes() // nil if the driver does not report them
	}
	return out
}

// owners determines which processes on a GPU belong to the measurement.
type owners struct {
	// exact means that PIDs can be looked up. In a container they may be the host's PIDs: then only the number of
	// processes is compared, and most is the number that may be ours.
	exact bool
	ours  func(pid int) bool
	most  int
}

// foreign returns the processes on a device that do not belong to the measurement.
func (o owners) foreign(list []nvml.Process) []nvml.Process {
	if o.exact {
		return slices.DeleteFunc(slices.Clone(list), func(p nvml.Process) bool { return o.ours(p.PID) })
	}
	if len(list) <= o.most {
		return nil
	}
	return list[o.most:]
}

// usedBy returns the share of a GPU that processes used since the start, or nil if no device reports it by process.
func (w *gpuWatch) usedBy(pids map[int]bool, o owners) *float64 {
	if w == nil || !o.exact {
		return nil
	}
	var total *float64
	for _, d := range w.devices {
		used, err := d.Utilization(w.began)
		if err != nil {
			continue // a partitioned device, or an old driver
		}
		if total == nil {
			total = new(float64)
		}
		for pid := range pids {
			*total += used[pid]
		}
	}
	return total
}

// judge adds the readings and causes of the GPUs.
func (w *gpuWatch) judge(out *Observation, samples []gpuSample, o owners) {
	if w == nil {
		return
	}
	w.readSamples(out, samples)
	w.readCounters(out)
	after := w.processes()
	for i, d := range w.devices {
		foreign := o.foreign(after[i])
		if len(foreign) == 0 {
			foreign = o.foreign(w.before[i])
		}
		if w.thresholds.GPUProcesses && len(foreign) > 0 {
			out.add(GPUShared, float64(len(foreign)), 0, "%d other processes on GPU %d", len(foreign), d.Index())
		}
	}
}

// readSamples reduces the samples to readings, and finds throttling.
func (w *gpuWatch) readSamples(out *Observation, samples []gpuSample) {
	var sm, memory, power, hot, used []float64
	var capped, throttled, known int
	var why nvml.Reasons
	for _, s := range samples {
		// The clocks of an idle device say nothing about the clocks during work.
		if s.reasons&nvml.Idle == 0 {
			sm, memory, power = appendValue(sm, s.clockSM), appendValue(memory, s.clockMemory), appendValue(power, s.power)
		}
		hot = appendValue(hot, s.temperature)
		used = append(used, float64(s.used))
		if s.haveReasons {
			known++
			capped += count(s.reasons&nvml.PowerCap != 0)
			throttled += count(s.reasons&nvml.Outside != 0)
			why |= s.reasons & nvml.Outside
		}
	}
	set := func(name string, xs []float64, reduce func([]float64) float64) {
		if len(xs) > 0 {
			out.Readings[name] = reduce(xs)
		}
	}
	set("gpu_clock_sm_mhz", sm, mean)
	set("gpu_clock_memory_mhz", memory, mean)
	set("gpu_power_watts", power, mean)
	set("gpu_temperature_celsius", hot, slices.Max[[]float64])
	set("gpu_memory_used_bytes", used, slices.Max[[]float64])
	if known == 0 {
		return
	}
	out.Readings["gpu_power_cap_share"] = float64(capped) / float64(known)
	out.Readings["gpu_throttle_share"] = float64(throttled) / float64(known)
	if w.thresholds.GPUThrottle {
		out.add(GPUThrottled, float64(throttled), 0, "GPU throttled (%s) in %d of %d samples",
			strings.Join(why.Names(), ", "), throttled, known)
	}
}

// readCounters adds the increments of the counters.
func (w *gpuWatch) readCounters(out *Observation) {
	end := w.counters()
	add := func(name string, a, b *float64) {
		if a != nil && b != nil && *b >= *a {
			out.Readings[name] += *b - *a
		}
	}
	for i := range end {
		add("gpu_energy_joules", w.begin[i].energy, end[i].energy)
		add("gpu_thermal_violation_seconds", w.begin[i].thermal, end[i].thermal)
		if a, b := w.begin[i].errors, end[i].errors; a != nil && b != nil {
			out.Readings["gpu_ecc_errors"] += float64(*b - *a)
		}
	}
	// The counter detects throttling between two samples.
	seconds := out.Readings["gpu_thermal_violation_seconds"]
	already := slices.ContainsFunc(out.Causes, func(c Cause) bool { return c.Kind == GPUThrottled })
	if w.thresholds.GPUThrottle && !already {
		out.add(GPUThrottled, seconds, 0, "GPU held down by heat for %.3f s", seconds)
	}
}

func appendValue[T int | float64](xs []float64, x *T) []float64 {
	if x == nil {
		return xs
	}
	return append(xs, float64(*x))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

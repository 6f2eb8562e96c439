package device

import (
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/cuda"
)

// Meter measures the use of the device by the stages of one proof. Its only cost is two timers a stage.
type Meter struct {
	device  *Handle
	timers  []*cuda.Event // kept from proof to proof
	laps    []lap         // the stages of the proof, in order
	before  cuda.Counters
	Proving Proving         // holder of the proof's memory, or nil
	peak    uint64          // predicted for the proof, in bytes
	lean    bool            // whether the proof recomputes extensions
	hashed  uint64          // permutations of the trees
	replays map[bool]uint64 // runs that could be replayed, by whether the device, not the host, made their records

	kernelBytes uint64        // decrease of free memory when kernels were loaded
	UsedBefore  uint64        // bytes in use on the device, by all processes, when the arena was taken
	busy        time.Duration // of the traced proof; 0 without a trace
}

// lap is one stage. Timers 2i and 2i+1 are at the beginning and the end of lap i.
type lap struct {
	stage    string
	launches uint64
	whole    bool // whether its end was reached
}

// Proving holds the memory of a proof.
type Proving interface {
	// PeakBytes returns the high-water mark of device memory.
	PeakBytes() uint64
}

// Start begins measuring a proof, and discards what was measured before. predicted is its predicted memory in bytes;
// lean reports whether it recomputes extensions.
func (m *Meter) Start(of Proving, predicted uint64, lean bool) {
	m.laps, m.before, m.busy = m.laps[:0], m.device.Context.Counters(), 0
	m.hashed = 0
	m.Proving, m.peak, m.lean = of, predicted, lean
	m.replays = map[bool]uint64{}
}

// Time runs a stage between two timers.
func (m *Meter) Time(stage string, work func() error) error {
	at := len(m.laps)
	m.laps = append(m.laps, lap{stage: stage})
	if err := m.mark(2 * at); err != nil {
		return err
	}
	launches := m.device.Context.Counters().Launches
	if err := work(); err != nil {
		return err
	}
	m.laps[at].launches = m.device.Context.Counters().Launches - launches
	err := m.mark(2*at + 1)
	m.laps[at].whole = err == nil
	return err
}

// Replayed counts a run that could be replayed, by whether the device replays it or the host had to make its records.
func (m *Meter) Replayed(onDevice bool) {
	if m.replays != nil {
		m.replays[onDevice]++
	}
}

// Hashed adds to the number of permutations with which the device hashes trees.
func (m *Meter) Hashed(permutations uint64) { m.hashed += permutations }

// mark records a timer on the compute stream.
func (m *Meter) mark(timer int) error {
	for len(m.timers) <= timer {
		event, err := m.device.Context.NewTimer()
		if err != nil {
			return err
		}
		m.timers = append(m.timers, event)
	}
	return m.timers[timer].Record(m.device.Stream)
}

func (m *Meter) close() error {
	var err error
	for _, timer := range m.timers {
		err = errors.Join(err, timer.Close())
	}
	m.timers, m.laps = nil, nil
	return err
}

// Report returns metrics of the last proof. For each stage, device_<stage>_seconds is the device's time between the
// stage's first and last work, and kernel_launches_<stage> counts its kernels. peak_device_bytes is the arena's
// high-water mark. It excludes device_kernel_bytes, for modules and their local memory, and
// device_used_before_arena_bytes, for everything in use on the device, by this context and others, when the arena was
// taken.
func (h *Handle) Report() (metrics map[string]float64, counters map[string]uint64) {
	m := &h.Meter
	metrics, counters = map[string]float64{}, map[string]uint64{"kernel_launches": 0}
	if h.software != nil {
		counters["softgpu"] = 1 // the metrics are not those of a GPU
	}
	if m.Proving == nil {
		return metrics, counters
	}
	for onDevice, count := range m.replays {
		counters[map[bool]string{false: "replays_on_host", true: "replays_on_device"}[onDevice]] = count
	}
	now := h.Context.Counters()
	counters["kernel_launches"] = now.Launches - m.before.Launches
	counters["device_synchronizes"] = now.Synchronizes - m.before.Synchronizes
	counters["to_device_bytes"] = now.BytesToDevice - m.before.BytesToDevice
	counters["to_host_bytes"] = now.BytesToHost - m.before.BytesToHost
	counters["hashes"] = m.hashed
	counters["extensions_again"] = 0
	if m.lean {
		counters["extensions_again"] = 1
	}
	metrics["peak_device_bytes"] = float64(m.Proving.PeakBytes())
	metrics["predicted_peak_device_bytes"] = float64(m.peak)
	metrics["device_kernel_bytes"] = float64(m.kernelBytes)
	metrics["device_used_before_arena_bytes"] = float64(m.UsedBefore)
	for _, l := range m.laps {
		counters["kernel_launches_"+l.stage] += l.launches
	}
	if m.busy > 0 {
		metrics["device_busy_seconds"] = m.busy.Seconds()
	}
	// Times that cannot be read, such as those of a lost device, are omitted, not reported as zero.
	_ = h.Bound("report", func() error { return m.times(metrics) })
	return metrics, counters
}

// times adds up the stages' device times.
func (m *Meter) times(metrics map[string]float64) error {
	if err := m.device.Stream.Synchronize(); err != nil {
		return err
	}
	for i, l := range m.laps {
		if !l.whole {
			continue
		}
		took, err := m.timers[2*i+1].Since(m.timers[2*i])
		if err != nil {
			return err
		}
		metrics["device_"+l.stage+"_seconds"] += took.Seconds()
	}
	return nil
}

// KernelsLoaded records the decrease of free memory from freeBefore, its value before kernels were loaded.
func (m *Meter) KernelsLoaded(freeBefore uint64) error {
	free, _, err := m.device.Context.MemoryInfo()
	if err == nil && free < freeBefore {
		m.kernelBytes += freeBefore - free
	}
	return err
}

package device

import (
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/cuda"
)

// Meter counts what the stages of one proof take of the device. Two timers a stage are all it costs.
type Meter struct {
	device  *Handle
	timers  []*cuda.Event // kept from proof to proof
	laps    []lap         // the stages of the proof, in order
	before  cuda.Counters
	Proving Proving         // whose proof it is, or nil
	peak    uint64          // predicted for the proof
	lean    bool            // it computes extensions again
	hashed  uint64          // permutations of the trees
	replays map[bool]uint64 // by whether a device, rather than the host, made the records of a run that could be replayed

	kernelBytes uint64        // by which free memory fell when kernels were loaded
	UsedBefore  uint64        // in use on the device, by all, when the arena was taken
	busy        time.Duration // of the traced proof; 0 without a trace
}

// lap is one stage: timers 2i and 2i+1 of the i-th lap stand at its ends.
type lap struct {
	stage    string
	launches uint64
	whole    bool // its end was reached
}

// Proving is what holds the memory of a proof.
type Proving interface {
	// PeakBytes is the high-water mark of device memory.
	PeakBytes() uint64
}

// Start begins a proof with its predicted memory, and says whether it computes extensions again: what was counted
// before belongs to another.
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

// Replayed counts a run that a device replays, or whose records the host had to make.
func (m *Meter) Replayed(onDevice bool) {
	if m.replays != nil {
		m.replays[onDevice]++
	}
}

// Hashed counts permutations of trees that the device hashes.
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

// Report returns figures of the last proof. By stage, device_<stage>_seconds is the device's time between the
// stage's first and last work, and kernel_launches_<stage> counts its kernels. peak_device_bytes is the arena's
// high-water mark; what lies outside the arena stands beside it: device_kernel_bytes for modules and their local
// memory, and device_used_before_arena_bytes for all that was in use on the device, by this context and others, when
// the arena was taken.
func (h *Handle) Report() (metrics map[string]float64, counters map[string]uint64) {
	m := &h.Meter
	metrics, counters = map[string]float64{}, map[string]uint64{"kernel_launches": 0}
	if h.software != nil {
		counters["softgpu"] = 1 // the figures are no GPU's
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
	// Times that cannot be read, such as those of a lost device, are left out and not reported as zero.
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

// KernelsLoaded notes how much free memory fell by.
func (m *Meter) KernelsLoaded(freeBefore uint64) error {
	free, _, err := m.device.Context.MemoryInfo()
	if err == nil && free < freeBefore {
		m.kernelBytes += freeBefore - free
	}
	return err
}

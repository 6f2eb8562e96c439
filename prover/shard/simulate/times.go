package simulate

import (
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/prover/shard/internal/cuts"
)

// Times are measurements of one program's proofs, in seconds unless stated otherwise.
type Times struct {
	// RunRate is the number of cycles per second at which a part of the run is recorded, concurrently with the others.
	// Without a CutRate it includes finding the cuts.
	RunRate float64 `json:"run_cycles_per_second"`
	// CutRate is the number of cycles per second of an earlier run that finds the cuts; 0 without such a run.
	CutRate float64 `json:"cut_cycles_per_second"`
	// Parts is the number of even parts of the run that are recorded concurrently, each on a core. A core first runs to
	// the beginning of its part without recording, at AheadRate cycles per second, which is at least RunRate. With one
	// part, AheadRate has no effect.
	Parts     int     `json:"run_parts"`
	AheadRate float64 `json:"ahead_cycles_per_second"`
	// Everywhere means that every host runs the program for its own devices, as workers of a cluster do, so that no
	// records are sent.
	Everywhere bool `json:"run_on_every_host"`
	// Overlap means that a shard begins when the run has passed its end, not when the whole run has ended.
	Overlap bool `json:"overlap"`

	// A shard takes a device Fixed[phase] + PerCycle[phase] x cycles in either phase. The first ends with the
	// cap of the main columns, the second with the proof.
	Fixed    [2]float64 `json:"phase_seconds"`
	PerCycle [2]float64 `json:"phase_seconds_per_cycle"`
	// Replay is the time per cycle in which a device first replays the run up to a shard's end, for the registers and the
	// memory that earlier shards leave. The device replays while it waits for the run. Runs in more than four shards start
	// each replay from a state instead: for these it is 0, and a shard's own replay belongs to its first phase.
	Replay float64 `json:"replay_seconds_per_cycle"`
	// Carried means that a device continues its replay at the end of its last shard, not from the beginning of the run. No
	// device does this yet.
	Carried bool `json:"replay_carried"`
	// Resident is the number of shards that a device keeps between the phases. Other shards go through the first phase
	// twice.
	Resident int `json:"resident_shards"`

	// Bandwidth is the bandwidth of the coordinator's network in either direction, in bytes per second, and Latency the
	// additional time of each message.
	Bandwidth float64 `json:"network_bytes_per_second"`
	Latency   float64 `json:"network_latency_seconds"`
	// RecordBytes are sent for each cycle, and ProofBytes are received for each shard.
	RecordBytes float64 `json:"record_bytes_per_cycle"`
	ProofBytes  float64 `json:"proof_bytes_per_shard"`

	// Verify is the time in which a core verifies the proof of one shard, and Cores the number of the coordinator's
	// cores.
	Verify float64 `json:"verify_seconds_per_shard"`
	Cores  int     `json:"verify_cores"`
	// Write is the coordinator's time at the end for each byte of the proof.
	Write float64 `json:"write_seconds_per_byte"`
}

// check rejects impossible times.
func (t Times) check() error {
	leastAhead := 0.0
	if t.Parts > 1 {
		leastAhead = t.RunRate // or the last part would not be reached last
	}
	for _, value := range []struct {
		name  string
		value float64
		least float64
	}{
		{"run rate", t.RunRate, 1}, {"cut rate", t.CutRate, 0}, {"rate ahead", t.AheadRate, leastAhead},
		{"parts of the run", float64(t.Parts), 1},
		{"bandwidth", t.Bandwidth, 1},
		{"resident shards", float64(t.Resident), 1}, {"cores", float64(t.Cores), 1},
		{"latency", t.Latency, 0}, {"bytes of records", t.RecordBytes, 0}, {"bytes of a proof", t.ProofBytes, 0},
		{"time to verify", t.Verify, 0}, {"time to write", t.Write, 0},
		{"time a cycle of the replay", t.Replay, 0},
		{"fixed time of phase 1", t.Fixed[0], 0}, {"fixed time of phase 2", t.Fixed[1], 0},
		{"time a cycle of phase 1", t.PerCycle[0], 0}, {"time a cycle of phase 2", t.PerCycle[1], 0},
	} {
		if !(value.value >= value.least) { // NaN, too
			return fmt.Errorf("%s %g: want at least %g", value.name, value.value, value.least)
		}
	}
	return nil
}

// passed returns the time at which a run that begins at 0 is recorded up to a cycle. Every part ends after the parts
// before it, and a shard that ends in a part also waits for the part before.
func (t Times) passed(upTo, all float64) float64 {
	each := all / float64(t.Parts)
	part := min(math.Ceil(upTo/each), float64(t.Parts)) - 1 // the part of upTo
	if part < 1 {
		return upTo / t.RunRate
	}
	before := (part-1)*each/t.AheadRate + each/t.RunRate
	return max(before, part*each/t.AheadRate+(upTo-part*each)/t.RunRate)
}

// Rates returns the rates by which shards of a run are cut, on devices of the coordinator's host.
func (t Times) Rates(cycles float64) cuts.Rates {
	r := cuts.Rates{Run: t.passed(cycles, cycles), Replay: cycles * t.Replay, Fixed: t.Fixed}
	for phase, each := range t.PerCycle {
		r.Whole[phase] = cycles * each
	}
	return r
}

// A Fleet describes the devices that prove a run.
type Fleet struct {
	Devices int // dealt to hosts in order, the coordinator's first
	PerHost int // devices of a host
	Shards  int // dealt to the devices in turn

	// Parts are the shards' fractions of the run, which add up to 1; nil means even shards.
	Parts []float64
}

// part returns a shard's fraction of the run.
func (f Fleet) part(shard int) float64 {
	if f.Parts == nil {
		return 1 / float64(f.Shards)
	}
	return f.Parts[shard]
}

func (f Fleet) check() error {
	if f.Devices < 1 || f.PerHost < 1 || f.Shards < 1 {
		return errors.New("devices, devices of a host and shards: want at least one of each")
	}
	if f.Parts != nil && len(f.Parts) != f.Shards {
		return fmt.Errorf("%d parts of %d shards", len(f.Parts), f.Shards)
	}
	return nil
}

// remote reports whether a device is on another host than the coordinator.
func (f Fleet) remote(device int) bool { return device >= f.PerHost }

// Hosts returns the number of hosts.
func (f Fleet) Hosts() int { return (f.Devices + f.PerHost - 1) / f.PerHost }

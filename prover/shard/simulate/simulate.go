package simulate

import "fmt"

// An Outcome has the times of a proof. Its parts are the parts of the critical path, so they add up to Total.
type Outcome struct {
	Total float64 `json:"seconds"`
	// Run is the time of the program's run, including an earlier run that finds the cuts. Records is the time from its end
	// until the last device has its records, and Phase1 the time from then to the last cap. Challenges is the transfer of
	// the last cap to the coordinator and of the challenges back. Phase2 lasts until the last proof is made, Return until
	// it is at the coordinator, and Verify until all proofs are verified. Write is the rest.
	Run        float64 `json:"run_seconds"`
	Records    float64 `json:"records_seconds"`
	Phase1     float64 `json:"phase1_seconds"`
	Challenges float64 `json:"challenges_seconds"`
	Phase2     float64 `json:"phase2_seconds"`
	Return     float64 `json:"return_seconds"`
	Verify     float64 `json:"verify_seconds"`
	Write      float64 `json:"write_seconds"`
	// Busy is the fraction of the devices' time in which they work.
	Busy float64 `json:"busy_share"`
	// Sent and Received are the bytes that the coordinator's network carries.
	Sent     float64 `json:"sent_bytes"`
	Received float64 `json:"received_bytes"`
}

// Prove simulates the proof of a run with a number of cycles, cut into the fleet's shards.
func Prove(times Times, fleet Fleet, cycles float64) (Outcome, error) {
	if err := times.check(); err != nil {
		return Outcome{}, err
	}
	if err := fleet.check(); err != nil {
		return Outcome{}, err
	}
	if !(cycles > 0) {
		return Outcome{}, fmt.Errorf("%g cycles: want more than 0", cycles)
	}
	p := newProof(times, fleet, cycles)
	p.begin()
	p.clock.run()
	return p.outcome(), nil
}

// A proof is the state of a simulated proof.
type proof struct {
	times    Times
	fleet    Fleet
	cycles   []float64 // of each shard
	upTo     []float64 // to its end
	clock    *clock
	running  int       // hosts that run the program, the coordinator's first
	up, down *resource // the coordinator's link
	devices  []*resource
	replayed []float64 // the cycle up to which each device has replayed
	cores    *resource

	caps, verified int
	// The latest time of each step over all shards.
	ran, arrived, committed, drawn, proven, returned, checked float64
	sent, received                                            float64
}

func newProof(times Times, fleet Fleet, cycles float64) *proof {
	p := &proof{times: times, fleet: fleet, clock: &clock{}}
	upTo := 0.0
	for shard := range fleet.Shards {
		own := cycles * fleet.part(shard)
		upTo += own
		p.cycles, p.upTo = append(p.cycles, own), append(p.upTo, upTo)
	}
	p.up, p.down = newResource(p.clock, 1), newResource(p.clock, 1)
	p.running = 1
	if times.Everywhere {
		p.running = fleet.Hosts()
	}
	p.cores = newResource(p.clock, times.Cores)
	for range fleet.Devices {
		p.devices, p.replayed = append(p.devices, newResource(p.clock, 1)), append(p.replayed, 0)
	}
	return p
}

// of returns the device of a shard.
func (p *proof) of(shard int) int { return shard % p.fleet.Devices }

// begin runs the program, after an earlier run if the cuts are not known.
func (p *proof) begin() {
	cut := 0.0
	if p.times.CutRate > 0 {
		cut = p.upTo[p.fleet.Shards-1] / p.times.CutRate
	}
	p.clock.after(cut, func() {
		for host := range p.running {
			p.execute(host)
		}
	})
}

// execute runs the program on a host.
func (p *proof) execute(host int) {
	left := p.fleet.Shards
	for shard := range p.fleet.Shards {
		p.clock.after(p.times.passed(p.upTo[shard], p.upTo[p.fleet.Shards-1]), func() {
			p.ran = p.clock.now
			if left--; p.times.Overlap {
				p.ready(host, shard)
			} else if left == 0 {
				for s := range p.fleet.Shards {
					p.ready(host, s)
				}
			}
		})
	}
}

// ready passes on the records of a shard if its device gets them from that host.
func (p *proof) ready(host, shard int) {
	if p.running == 1 || p.of(shard)/p.fleet.PerHost == host {
		p.send(shard)
	}
}

// send brings the records of a shard to its device.
func (p *proof) send(shard int) {
	arrive := func() {
		p.arrived = p.clock.now
		p.commit(shard)
	}
	if p.times.Everywhere || !p.fleet.remote(p.of(shard)) {
		arrive()
		return
	}
	bytes := p.cycles[shard] * p.times.RecordBytes
	p.sent += bytes
	p.up.use(bytes/p.times.Bandwidth, func() { p.clock.after(p.times.Latency, arrive) })
}

// phase returns the time of a shard in phase n, 0 or 1.
func (p *proof) phase(n, shard int) float64 {
	return p.times.Fixed[n] + p.times.PerCycle[n]*p.cycles[shard]
}

// replay returns the time in which a device replays up to the end of its next shard.
func (p *proof) replay(shard int) float64 {
	behind := &p.replayed[p.of(shard)]
	from := *behind
	if !p.times.Carried || from > p.upTo[shard] {
		from = 0
	}
	*behind = p.upTo[shard]
	return p.times.Replay * (p.upTo[shard] - from)
}

// commit simulates the first phase of a shard.
func (p *proof) commit(shard int) {
	p.devices[p.of(shard)].useAfter(p.replay(shard), p.phase(0, shard), func() {
		p.committed = p.clock.now
		if p.caps++; p.caps == p.fleet.Shards {
			p.challenge()
		}
	})
}

// challenge simulates the transfer of the last cap and of the challenges: no time on one host.
func (p *proof) challenge() {
	way := 0.0
	if p.fleet.Hosts() > 1 {
		way = 2 * p.times.Latency
	}
	p.clock.after(way, func() {
		p.drawn = p.clock.now
		for shard := range p.fleet.Shards {
			p.prove(shard)
		}
	})
}

// prove simulates the second phase of a shard, and the first phase again if the shard was not kept: a device keeps its
// first shards and its last one.
func (p *proof) prove(shard int) {
	device := p.of(shard)
	own, number := (p.fleet.Shards-device+p.fleet.Devices-1)/p.fleet.Devices, shard/p.fleet.Devices
	seconds := p.phase(1, shard)
	if number >= p.times.Resident-1 && number < own-1 {
		seconds += p.replay(shard) + p.phase(0, shard)
	}
	p.devices[device].use(seconds, func() {
		p.proven = p.clock.now
		if !p.fleet.remote(device) {
			p.verify()
			return
		}
		p.received += p.times.ProofBytes
		back := p.times.ProofBytes / p.times.Bandwidth
		p.clock.after(p.times.Latency, func() { p.down.use(back, p.verify) })
	})
}

// verify simulates the verification of a shard's proof at the coordinator.
func (p *proof) verify() {
	p.returned = p.clock.now
	p.cores.use(p.times.Verify, func() {
		if p.verified++; p.verified == p.fleet.Shards {
			p.checked = p.clock.now
			p.clock.after(p.times.Write*p.times.ProofBytes*float64(p.fleet.Shards), func() {})
		}
	})
}

func (p *proof) outcome() Outcome {
	o := Outcome{
		Total: p.clock.now, Run: p.ran, Records: p.arrived - p.ran,
		Phase1: p.committed - p.arrived, Challenges: p.drawn - p.committed, Phase2: p.proven - p.drawn,
		Return: p.returned - p.proven, Verify: p.checked - p.returned, Write: p.clock.now - p.checked,
		Sent: p.sent, Received: p.received,
	}
	for _, d := range p.devices {
		o.Busy += d.busy / o.Total / float64(len(p.devices))
	}
	return o
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/internal/bytesize"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// hostBytes is the memory of a process in addition to a backend's predicted peak: its code, the machine's declaration,
// the key, and memory that the collector has not returned. The guest and its records add a share of the peak. A test
// compares the sum with measurements.
const (
	hostBytes     = 160 << 20
	hostPeakShare = 8
)

// peakOf returns the predicted peak of the largest of some proofs on a backend; on the CPU, the peak of the process
// that makes them. If b is nil, it returns the largest peak on any backend.
func (p *program) peakOf(b *Backend, work *workload, key *protocol.Key, list [][]circuit.Instance) (uint64, error) {
	if b == nil {
		var most uint64
		for i := range p.backends {
			if p.backends[i].Predict == nil {
				continue
			}
			peak, err := p.peakOf(&p.backends[i], work, key, list)
			if err != nil {
				return 0, err
			}
			most = max(most, peak)
		}
		return most, nil
	}
	if b.Predict == nil {
		return 0, Usagef("--memory: backend %s does not predict the memory of a proof: use --shards", b.Name)
	}
	var most, files uint64
	for _, instances := range list {
		if err := key.CheckInstances(instances); err != nil {
			return 0, fmt.Errorf("%w: %w", run.ErrTooLarge, err)
		}
		peak, err := b.Predict(work.program.Fillers(), key.Shape(instances))
		if err != nil {
			return 0, err
		}
		bytes, err := key.ProofBytes(instances)
		if err != nil {
			return 0, err
		}
		most, files = max(most, peak), files+2*uint64(bytes) // decoded, and as a file
	}
	if b.Name == "cpu" {
		most += most/hostPeakShare + files + hostBytes
	}
	return most, nil
}

// chooseShards chooses the number of shards for --memory: the least with which the proof fits, or none if whole proofs
// are wanted and the whole proof fits. It prints its choice unless quiet is set.
func (p *program) chooseShards(ctx context.Context, work *workload, b *Backend, whole, quiet bool) error {
	memory := uint64(work.shards.memory)
	if memory == 0 || work.shards.given() {
		return nil
	}
	fits := func(count int) (peak uint64, err error) { return p.peakInShards(ctx, work, b, count) }
	say := func(text string, peak uint64) {
		if !quiet {
			fmt.Fprintf(p.stderr, "--memory %s: %s, predicted peak %s\n", sizeText(memory), text, bytesText(peak))
		}
	}
	if whole {
		peak, err := fits(1)
		if err != nil && !errors.Is(err, run.ErrTooLarge) {
			return err
		}
		if err == nil && peak <= memory {
			say("one proof of the whole run", peak)
			return nil
		}
		if work.guest.elfPath == "" {
			return Usagef("--memory %s: a proof of this size takes %s, and machine %s cannot be proven in shards",
				sizeText(memory), bytesText(peak), work.program.Machine().Name)
		}
	}
	count, peak, err := fewestShards(memory, fits)
	if err != nil {
		return err
	}
	if err := work.inShards(count); err != nil {
		return err
	}
	say(fmt.Sprintf("%d shards", count), peak)
	return nil
}

// fewestShards finds the least number of shards with which a proof fits, and its peak.
func fewestShards(memory uint64, fits func(count int) (peak uint64, err error)) (count int, peak uint64, err error) {
	last, least := 1, uint64(math.MaxUint64) // the largest number of shards that do not fit, and the least peak
	for count = protocol.MinShards; ; count = min(2*count, protocol.MaxShards) {
		peak, err = fits(count)
		if errors.Is(err, run.ErrTooShort) {
			short := err
			if count = mostShards(last, count, fits); count == last {
				return 0, 0, tooLittle(memory, last, least, short)
			}
			peak, err = fits(count)
		}
		if err == nil && peak <= memory {
			break
		}
		if err != nil && !errors.Is(err, run.ErrTooLarge) {
			return 0, 0, err
		}
		if err == nil {
			least = min(least, peak)
		}
		if last = count; count == protocol.MaxShards {
			return 0, 0, Usagef("--memory %s: the largest of %d shards takes at least %s", sizeText(memory), count,
				bytesText(least))
		}
	}
	for count-last > 1 {
		half := (last + count) / 2
		tried, err := fits(half)
		switch {
		case err == nil && tried <= memory:
			count, peak = half, tried
		case err == nil || errors.Is(err, run.ErrTooLarge):
			last = half
		default:
			return 0, 0, err
		}
	}
	return count, peak, nil
}

// mostShards returns the largest number of shards that a run can have. It can have least shards, and is too short for
// above shards.
func mostShards(least, above int, fits func(count int) (peak uint64, err error)) int {
	for above-least > 1 {
		half := (least + above) / 2
		if _, err := fits(half); errors.Is(err, run.ErrTooShort) {
			above = half
		} else {
			least = half
		}
	}
	return least
}

// tooLittle returns the error for a run that is too short for more than count shards, none of which fit the memory.
func tooLittle(memory uint64, count int, least uint64, short error) error {
	if count == 1 {
		return Usagef("--memory %s is too little for a proof of the whole run, and %w", sizeText(memory), short)
	}
	return Usagef("--memory %s: the largest of %d shards takes at least %s, and %w", sizeText(memory), count,
		bytesText(least), short)
}

// peakInShards returns the predicted peak of a proof of the run in this number of shards; 1 is a whole proof.
func (p *program) peakInShards(ctx context.Context, work *workload, b *Backend, count int) (uint64, error) {
	own := *work
	var list [][]circuit.Instance
	if count == 1 {
		_, instances, _, err := own.shape(ctx)
		if err != nil {
			return 0, err
		}
		list = [][]circuit.Instance{instances}
	} else {
		if err := own.inShards(count); err != nil {
			return 0, err
		}
		r, err := own.planned(ctx, run.Even(count))
		if err != nil {
			return 0, err
		}
		list = r.Instances
	}
	key, err := setup.NewKey(own.program.Machine(), own.params)
	if err != nil {
		return 0, err
	}
	return p.peakOf(b, &own, key, list)
}

// backendFor returns the backend that will prove: the one that the flags require, or the first that opens. devices is
// the value of --devices.
func (p *program) backendFor(f *backendFlags, devices string) (*Backend, error) {
	if b, _, err := p.required(f, devices); b != nil || err != nil {
		return b, err
	}
	options, err := p.check(f)
	if err != nil {
		return nil, err
	}
	for i := range p.backends {
		b := &p.backends[i]
		opened, err := b.Open(options)
		if err != nil {
			continue
		}
		return b, opened.Shutdown()
	}
	return nil, errors.New("--backend auto: no backend can run here")
}

// sizeText returns a number of bytes in the format of --memory.
func sizeText(n uint64) string { return bytesize.Size(n).Short() }

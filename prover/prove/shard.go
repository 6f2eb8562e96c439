package prove

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// Shard is the proof of a shard in progress: its main columns are committed, and it waits for the common challenges. It
// holds the backend's memory until it is proven or closed.
type Shard struct {
	run    *run
	main   backend.Main
	public func() circuit.Public
	number int
	again  *machine.Shard // to restart with another salt; nil if the execution was released
}

// BeginShard commits to the main columns of a run's shard with the given number. The prover cannot begin another proof
// until this shard is proven or closed. The run's statement is needed when the shard is proven, or earlier if a table
// reads it.
func (p *Prover) BeginShard(ctx context.Context, shard *machine.Shard, number int, options Options) (*Shard, error) {
	r, err := p.begin(ctx, shard.Execution, options)
	if err != nil {
		return nil, err
	}
	r.later = true
	messages := func() []circuit.Message { return counted(r.key.Machine, shard) }
	main, err := r.commitMain(shard.Execution, messages)
	if err != nil {
		r.begun.Close()
		return nil, err
	}
	r.watch.pause()
	begun := &Shard{run: r, main: main, public: shard.Public, number: number}
	if !options.Release {
		begun.again = shard
	}
	return begun, nil
}

// counted returns the messages that a shard's lookup tables answer in addition to those of its rows: the verifier's own
// in the last shard, and, with negated multiplicity, the messages of instances whose claimed sum is ignored.
func counted(m *circuit.Machine, shard *machine.Shard) (messages []circuit.Message) {
	if shard.Last {
		messages = m.Messages(shard.Public())
	}
	for _, message := range shard.Unanswered {
		message.Multiplicity = message.Multiplicity.Neg()
		messages = append(messages, message)
	}
	return messages
}

// Commitment returns the part of the shard that determines the common challenges.
func (s *Shard) Commitment() protocol.Commitment {
	return protocol.Commitment{Instances: s.run.proof.Instances, MainCap: s.run.proof.MainCap}
}

// Encode sets [Options.Encode] after BeginShard, when the number of shards is known.
func (s *Shard) Encode() { s.run.options.Encode = true }

// Prove completes the proof with the common challenges, and frees the backend's memory. If a challenge is refused,
// Prove commits again and tries the next salt, unless the execution was released.
func (s *Shard) Prove(common protocol.Common) (*protocol.Proof, *Metrics, error) {
	for {
		proof, metrics, err := s.proveUnder(common)
		if s.again == nil || !errors.Is(err, transcript.ErrRefused) {
			return proof, metrics, err
		}
		options := s.run.options
		options.Salt++
		again, err := s.run.prover.BeginShard(s.run.ctx, s.again, s.number, options)
		if err != nil {
			return nil, nil, err
		}
		s.run, s.main = again.run, again.main
	}
}

// proveUnder proves with the salt of the options.
func (s *Shard) proveUnder(common protocol.Common) (*protocol.Proof, *Metrics, error) {
	defer s.Close()
	r := s.run
	r.watch.resume()
	r.state(s.public)
	r.script = protocol.NewShardScript(r.options.Transcript(r.key.Params.ShardLabel()), r.key, common.Branch, s.number,
		r.proof.Salt)
	if r.shape.Present(protocol.Auxiliary) {
		r.logUp = common.LogUp
	}
	if err := r.prove(s.main); err != nil {
		return nil, nil, err
	}
	return r.proof, r.watch.stop(), nil
}

// Close frees the backend's memory. A closed shard may be begun again.
func (s *Shard) Close() { s.run.begun.Close() }

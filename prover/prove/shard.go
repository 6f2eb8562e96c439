package prove

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Shard is one shard of a run in the making: committed to its main columns, it waits for what all shards draw together.
// It holds the backend's memory until it is proven or closed.
type Shard struct {
	run       *run
	execution machine.Shard
	number    int
}

// BeginShard commits to the main columns of a shard of a run, the one of this number. Its prover can begin nothing else
// before it is proven or closed. What the run states is asked for when the shard is proven, or before where a table
// reads it.
func (p *Prover) BeginShard(ctx context.Context, execution machine.Shard, number int, options Options) (*Shard, error) {
	r, err := p.begin(ctx, execution, options)
	if err != nil {
		return nil, err
	}
	r.later = true
	messages := func() []circuit.Message { return counted(r.key.Machine, execution) }
	if err := r.commitMain(execution, messages); err != nil {
		r.backend.Close()
		return nil, err
	}
	r.watch.pause()
	return &Shard{r, execution, number}, nil
}

// counted are the messages that a shard's lookup tables answer beside those of its rows: the verifier's own in the last
// shard; and those of instances that do not count are taken back.
func counted(m *circuit.Machine, execution machine.Shard) (messages []circuit.Message) {
	if execution.Last() {
		messages = m.Messages(execution.Public())
	}
	for _, message := range execution.Unanswered() {
		message.Multiplicity = message.Multiplicity.Neg()
		messages = append(messages, message)
	}
	return messages
}

// Commitment is what the other shards need to know of this one.
func (s *Shard) Commitment() protocol.Commitment {
	return protocol.Commitment{Instances: s.run.proof.Instances, MainCap: s.run.proof.MainCap}
}

// Encode is [Options.Encode], asked for when it is known how many shards there are.
func (s *Shard) Encode() { s.run.options.Encode = true }

// Prove ends the proof under what all shards drew, and gives the backend's memory back.
func (s *Shard) Prove(common protocol.Common) (*protocol.Proof, *Metrics, error) {
	defer s.Close()
	r := s.run
	r.watch.resume()
	r.state(s.execution)
	r.script = protocol.NewShardScript(r.options.Transcript(r.key.Params.ShardLabel()), r.key, common.Branch, s.number,
		r.proof.Salt)
	if r.shape.Present(protocol.Auxiliary) {
		r.logUp = common.LogUp
	}
	if err := r.prove(); err != nil {
		return nil, nil, err
	}
	return r.proof, r.watch.stop(), nil
}

// Close gives the backend's memory back. A shard that is closed may be begun again.
func (s *Shard) Close() { s.run.backend.Close() }

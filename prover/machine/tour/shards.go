package tour

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
)

var _ machine.Sharded = (*program)(nil)

// blocks is how many rows of a table stay together, where it is more than one.
var blocks = [recorded]int{Office: blockRows}

// Shards cuts a walk: every shard gets as many rows of each table, whenever they were walked.
func (p *program) Shards(ctx context.Context, input machine.Input, cut machine.Cut) ([]machine.Shard, error) {
	walked, err := p.Execute(ctx, input)
	if err != nil {
		return nil, err
	}
	whole, ok := walked.(*execution)
	if !ok {
		return nil, fmt.Errorf("tour: an execution of type %T is not this machine's", walked)
	}
	parts, err := cut.Parts(len(whole.public.Data))
	if err != nil {
		return nil, err
	}
	count := len(parts)
	shards := make([]machine.Shard, count)
	all, before := 0, 0
	for _, part := range parts {
		all += part
	}
	for k := range shards {
		part := &execution{public: whole.public, last: k == count-1}
		for t, records := range whole.records {
			words := max(blocks[t], 1) * widths[t]
			n := len(records) / words
			part.records[t] = records[n*before/all*words : n*(before+parts[k])/all*words]
		}
		if err := part.cut(p.fillers.Machine, input.MinLogHeight); err != nil {
			return nil, err
		}
		shards[k] = part
		before += parts[k]
	}
	return shards, nil
}

// Last reports whether it is the last shard.
func (e *execution) Last() bool { return e.last }

// Unanswered is nothing: every table counts in every shard.
func (e *execution) Unanswered() []circuit.Message { return nil }

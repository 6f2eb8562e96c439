package tour

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/run"
)

// blocks is the number of adjacent rows of a table that must stay in one shard, if more than one.
var blocks = [recorded]int{Office: blockRows}

// shards cuts a walk. Every shard gets its part of the rows of each table, independently of the rows' times. Every
// table counts in every shard.
func (p *program) shards(whole *execution, input run.Input) (list []*machine.Shard, err error) {
	size := len(whole.public.Data)
	parts, err := input.Cut.Of(size)
	if err != nil {
		return nil, err
	}
	all, before := 0, 0
	for _, part := range parts {
		all += part
	}
	if all == 0 {
		return nil, errors.New("tour: a walk in no shards")
	}
	for k, part := range parts {
		e := &execution{public: whole.public}
		for t, records := range whole.records {
			words := max(blocks[t], 1) * widths[t]
			n := len(records) / words
			e.records[t] = records[n*before/all*words : n*(before+part)/all*words]
		}
		if err := e.cut(p.fillers.Machine, input.MinLogHeight); err != nil {
			return nil, err
		}
		before += part
		list = append(list, &machine.Shard{Execution: e, Last: k == len(parts)-1, End: size * before / all})
	}
	return list, nil
}

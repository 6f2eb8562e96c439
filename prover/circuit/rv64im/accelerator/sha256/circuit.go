package sha256

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
)

// Messages from a call's row to table Work. The time identifies the call.
type (
	// state is the state before the first round or, if Final is 1, after the last.
	state struct {
		Time, Final air.Expr
		Words       [8]air.Expr
	}
	// part is a quarter of the block.
	part struct {
		Time, Quarter air.Expr
		Words         [WordsOfRow]air.Expr
	}
)

// buses are the buses between a call's row and table Work.
type buses struct {
	state air.CallBus[state]
	part  air.CallBus[part]
}

func declare(all *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	own := &buses{air.NewCall[state](all, "SHA256S"), air.NewCall[part](all, "SHA256B")}
	return accelerator.Circuit{
		Call: func(b *air.Builder, m, ts air.Expr, read, written []air.Expr) {
			own.call(b, lookups, m, ts, read, written)
		},
		Work: own.work,
	}
}

// call declares the row of a call. The new state is the rounds' result plus the old state, word by word. Each word of
// the rounds' result is therefore the new word minus the old one, plus 2^32 if the sum had a carry.
func (own *buses) call(b *air.Builder, lookups accelerator.Lookups, m, ts air.Expr, read, written []air.Expr) {
	block, old := read[:16], read[16:]
	high := b.MainColumns("high", len(written))
	carry := b.MainColumns("carry", len(written))
	before := state{Time: ts, Final: b.Constant(0), Words: [8]air.Expr(old)}
	after := state{Time: ts, Final: b.Constant(1)}
	for i, word := range written {
		b.AssertBoolean(fmt.Sprintf("carry[%d] is boolean", i), carry[i])
		lookups.Range16(b, m, high[i])
		lookups.Range16(b, m, word.Sub(high[i].Scale(1<<16)))
		after.Words[i] = word.Sub(old[i]).Add(carry[i].Scale(Modulus))
	}
	own.state.Call(b, m, before)
	own.state.Call(b, m, after)
	for q := range uint64(4) {
		own.part.Call(b, m, part{ts, b.Constant(q), [WordsOfRow]air.Expr(block[4*q:])})
	}
}

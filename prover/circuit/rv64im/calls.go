package rv64im

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Calls of accelerators. CALL is the instruction: it goes on, reads a7 and a0 to a2 and sends them on bus CALL. The
// table of the calls of that code receives this, once, and accesses the words itself. What it writes is shown by the
// accelerator: in the same row, or by a message to a table of its own.
//
// A note is a call that states nothing. It reads the same registers, goes on, and sends no message: no row answers it,
// and neither a register nor a word of memory changes. What it shows is the emulator's affair. So a proof says of a
// note only that the program executed an ECALL with a7 = 1, and of a0 to a2 that they are below 2^32, as of all calls.
//
// Every row of calls has its time from CALL, so its accesses have their place among those of all instructions. The
// words of one operand are different words. Operands are accessed at different slots, in the order of which the one
// that is written is the last: where they overlap, each word has one chain of tokens that goes through both accesses,
// and everything is read before anything is written. An address that is no multiple of 8, or from which on some word is
// not of memory, has no tokens.

// instructionCall declares CALL. The high limbs of the registers are the constant 0. A code that no table has is
// received by nobody; the code of notes is, unless the flag says that the call is one.
func (b *buses) instructionCall() *row {
	r := b.newInstruction(table.Call, "code a0 a1 a2 pts0 pts1 pts2 pts3 note")
	note := r.at("note")
	r.boolean("note")
	r.assert("a note is a call", note.Mul(r.m.Not())) // else the multiplicity of the message would be -1
	r.assert("a note has its code", note.Mul(r.at("code").SubConstant(accelerator.CodeNote)))
	r.goesOn()
	r.isOf(r.Constant(uint64(table.ECALLS)))
	for i, column := range []string{"code", "a0", "a1", "a2"} {
		index := uint64(registerA7)
		if i > 0 {
			index = registerA0 + uint64(i) - 1
		}
		value := pair{r.at(column), r.zero()}
		r.access(r.Constant(index), r.at(fmt.Sprintf("pts%d", i)), r.ts.AddConstant(uint64(i)), value, value)
	}
	r.call.Call(r.Builder, r.m.Sub(note), call{r.at("code"), r.ts, [3]air.Expr{r.at("a0"), r.at("a1"), r.at("a2")}})
	return r
}

// accelerator declares the tables of an accelerator.
func (b *buses) accelerator(k *accelerator.Kind, add func(table.Table, func() *row)) {
	circuit := k.Declare(&b.all, b.lookups())
	add(k.Table, func() *row { return b.calls(k, circuit) })
	if k.Work == 0 {
		return
	}
	add(k.Work, func() *row {
		r := b.newRow(k.Work.String(), 0, "")
		r.Instances(0, table.MaxInstances(k.Work))
		circuit.Work(r.Builder)
		return r
	})
}

// lookups are the lookup tables as accelerators ask them.
func (b *buses) lookups() accelerator.Lookups {
	return accelerator.Lookups{
		Range16: func(t *air.Builder, multiplicity, value air.Expr) { b.range16.Ask(t, multiplicity, inRange{value}) },
		Range20: func(t *air.Builder, multiplicity, value air.Expr) { b.range20.Ask(t, multiplicity, inRange{value}) },
		Sign: func(t *air.Builder, multiplicity, signed, half, bit air.Expr) {
			b.sign.Ask(t, multiplicity, sign{signed, half, bit})
		},
		Bytes: func(t *air.Builder, multiplicity, op, x, y, z air.Expr) {
			b.bytes.Ask(t, multiplicity, bytes{op, x, y, z})
		},
	}
}

// callColumns are the columns of a table of calls: for each argument the number of its first word, or what it is where
// that is a number; for each word the
// time of its previous access, and the y of the gap; the limbs of all words, and those that the last operand's get.
func callColumns(k *accelerator.Kind) string {
	var b strings.Builder
	b.WriteString("m ts")
	family := func(name string, count int) {
		for i := range count {
			fmt.Fprintf(&b, " %s[%d]", name, i)
		}
	}
	family("word", k.Arguments())
	family("previous", k.Words())
	family("gap", k.Words())
	family("read", 2*k.Words())
	family("written", 2*k.Written())
	return b.String()
}

// calls declares the table of an accelerator's calls, a row each.
func (b *buses) calls(k *accelerator.Kind, circuit accelerator.Circuit) *row {
	r := b.newRow(k.Table.String(), 0, callColumns(k))
	r.Instances(0, table.MaxInstances(k.Table))
	r.m, r.ts = r.at("m"), r.at("ts")
	r.AssertBoolean("m is boolean", r.m)
	message := call{Code: r.Constant(uint64(k.Code)), Time: r.ts}
	for i := range message.Arguments {
		message.Arguments[i] = r.zero()
		if i < k.Arguments() {
			message.Arguments[i] = r.numbered("word", i).Scale(8)
		}
	}
	var numbers []air.Expr // as words
	for _, o := range k.Operands[:k.Numbers()] {
		number := r.numbered("word", o.Argument)
		message.Arguments[o.Argument] = number
		numbers = append(numbers, number, r.zero())
	}
	r.call.Serve(r.Builder, r.m, message)
	read, written := r.family("read", 2*k.Words()), r.family("written", 2*k.Written())
	at, firstWritten := 0, k.Words()-k.Written()
	for _, o := range k.Operands {
		for i := range o.Words {
			old := pair(read[2*at:])
			value := old
			if o.Writes {
				value = pair(written[2*(at-firstWritten):])
			}
			number := r.numbered("word", o.Argument).AddConstant(uint64(i))
			r.accessWordAt(uint64(o.Slot), r.m, number, r.numbered("previous", at), r.numbered("gap", at), old, value)
			at++
		}
	}
	circuit.Call(r.Builder, r.m, r.ts, append(numbers, read...), written)
	return r
}

// numbered is the column name[i], family the columns name[0] to name[count-1].
func (r *row) numbered(name string, i int) air.Expr { return r.at(fmt.Sprintf("%s[%d]", name, i)) }

func (r *row) family(name string, count int) []air.Expr {
	columns := make([]air.Expr, count)
	for i := range columns {
		columns[i] = r.numbered(name, i)
	}
	return columns
}

package rv64im

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Calls of accelerators. CALL is the instruction: it continues with the following instruction, reads a7 and a0 to a2
// and sends them on bus CALL. The table of the calls with that code receives the message once and accesses the words
// itself. The accelerator shows what it writes: in the same row, or by a message to its own table.
//
// A note is a call that states nothing. It reads the same registers, continues, and sends no message: no row answers
// it, and neither a register nor a word of memory changes. The emulator shows the note. So a proof says about a note
// only that the program executed an ECALL with a7 = 1 and, as for all calls, that a0 to a2 are below 2^32.
//
// Every row of calls gets its time from CALL, which orders its accesses among the accesses of all instructions. The
// words of one operand are different words. Written operands are accessed at the last slot. If operands at different
// slots overlap, a word's chain of tokens includes both accesses, and everything is read before anything is written. If
// operands at one slot overlap, one of the two accesses to a shared word would have to be later than itself.
//
// The number of an operand's word i is b/8 + offset + i in the field, where b is the base address: an argument, or the
// low limb of a word that the row reads. The high limb is 0: CALL says so of arguments, and a constraint of a word. So
// b < 2^32, because limbs in memory and registers are. Tokens exist only for numbers n in memory, below 2^29: the
// boundary has one for each of its words, which rise from the first word of memory to the last ([buses.boundary]), and
// all other tables replace tokens. Therefore b = 8(n - offset - i) modulo p. The right side is above -2^20 and below
// 2^32 as an integer, and b is below 2^32, so they are equal: b is a multiple of 8, and the word is the one at b +
// 8(offset + i), in memory. Nothing wraps, neither modulo 2^32 nor modulo p.

// Call has the columns of CALL: a7, a0 to a2, and the times of their previous accesses.
type Call[T any] struct {
	Header[T]
	Code      T
	Arguments [3]T `column:"a"`
	Previous  [4]T `column:"pts"`
	Note      T
}

// instructionCall declares CALL. The high limbs of the registers are the constant 0. A code without a table has no row
// that receives it. The flag marks a note, which sends nothing.
func (b *buses) instructionCall() *row {
	r, c := newInstruction[Call[expr]](b, table.Call)
	note := c.Note
	r.boolean(note)
	r.assert("a note is a call", note.Mul(r.m.Not())) // else the multiplicity of the message would be -1
	r.assert("a note has its code", note.Mul(c.Code.SubConstant(accelerator.CodeNote)))
	r.continues()
	r.isOf(r.Constant(uint64(table.ECALLS)), operands[expr]{})
	for i, low := range []expr{c.Code, c.Arguments[0], c.Arguments[1], c.Arguments[2]} {
		index := uint64(registerA7)
		if i > 0 {
			index = registerA0 + uint64(i) - 1
		}
		value := pair{low, r.zero()}
		r.access(r.Constant(index), c.Previous[i], r.ts.AddConstant(uint64(i)), value, value)
	}
	r.call.Call(r.Builder, r.m.Sub(note), call{c.Code, r.ts, c.Arguments})
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
		r := b.newTable(k.Work.String(), k.Work)
		r.Instances(0, table.MaxInstances(k.Work))
		circuit.Work(r.Builder)
		return r
	})
}

// lookups lets accelerators ask the lookup tables.
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
		Even: b.askEven,
	}
}

// AcceleratorCall has the columns of an accelerator's table of calls, except those that its circuit adds. Their number
// depends on the accelerator.
type AcceleratorCall[T any] struct {
	M, Time  []T // one each
	Word     []T // of each argument the address divided by 8; of a number the argument itself
	Previous []T // of each word the time of its previous access
	Gap      []T // y of the gap: see WordAccess
	Read     []T // the limbs of all words
	Written  []T // the limbs that the words of written operands get
}

// AcceleratorCallOf returns the columns of an accelerator's calls. take returns the next count columns with the given
// name; a name that ends in brackets is numbered.
func AcceleratorCallOf[T any](k *accelerator.Kind, take func(name string, count int) []T) AcceleratorCall[T] {
	return AcceleratorCall[T]{
		M:        take("m", 1),
		Time:     take("ts", 1),
		Word:     take("word[]", k.Arguments()),
		Previous: take("previous[]", k.Words()),
		Gap:      take("gap[]", k.Words()),
		Read:     take("read[]", 2*k.Words()),
		Written:  take("written[]", 2*k.Written()),
	}
}

// declareCall declares the columns of an accelerator's calls.
func (r *row) declareCall(k *accelerator.Kind) AcceleratorCall[expr] {
	c := AcceleratorCallOf(k, func(name string, count int) []expr {
		if base, numbered := strings.CutSuffix(name, "[]"); numbered {
			return r.MainColumns(base, count)
		}
		return []expr{r.Main(name)}
	})
	r.m, r.ts = c.M[0], c.Time[0]
	return c
}

// calls declares the table of an accelerator's calls, one row for each.
func (b *buses) calls(k *accelerator.Kind, circuit accelerator.Circuit) *row {
	r := b.newTable(k.Table.String(), k.Table)
	r.Instances(0, table.MaxInstances(k.Table))
	c := r.declareCall(k)
	r.AssertBoolean("m is boolean", r.m)
	message := call{Code: r.Constant(uint64(k.Code)), Time: r.ts}
	for i := range message.Arguments {
		message.Arguments[i] = r.zero()
		if i < k.Arguments() {
			message.Arguments[i] = c.Word[i].Scale(8)
		}
	}
	var numbers []expr // as words
	for _, o := range k.Operands[:k.Numbers()] {
		number := c.Word[o.Argument]
		message.Arguments[o.Argument] = number
		numbers = append(numbers, number, r.zero())
	}
	r.call.Serve(r.Builder, r.m, message)
	bases := r.pointers(k, c.Read)
	at, firstWritten := 0, k.Words()-k.Written()
	for _, o := range k.Operands {
		base, ok := bases[o.Pointer]
		if !ok {
			base = c.Word[o.Argument]
		}
		for i := range o.Words {
			old := pair{c.Read[2*at], c.Read[2*at+1]}
			value := old
			if o.Writes {
				w := 2 * (at - firstWritten)
				value = pair{c.Written[w], c.Written[w+1]}
			}
			number := base.AddConstant(uint64(o.Offset + i))
			r.accessWordAt(uint64(o.Slot), r.m, number, WordAccess[expr]{c.Previous[at], c.Gap[at]}, old, value)
			at++
		}
	}
	circuit.Call(r.Builder, r.m, r.ts, append(numbers, c.Read...), c.Written)
	return r
}

// pointers returns the addresses, divided by 8, in the words that are pointers, and declares that they are below 2^32.
// read has the limbs of all words.
func (r *row) pointers(k *accelerator.Kind, read []expr) map[accelerator.Pointer]expr {
	bases := map[accelerator.Pointer]expr{}
	for _, o := range k.Operands {
		word, ok := o.Pointer.Word()
		if _, declared := bases[o.Pointer]; !ok || declared {
			continue
		}
		r.assert(fmt.Sprintf("the address in word %d is below 2^32", word), read[2*word+1])
		bases[o.Pointer] = r.scale(inverse8, read[2*word])
	}
	return bases
}

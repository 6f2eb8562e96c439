package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// settle computes the records that depend on the whole trace: previous accesses and, if the program ends, touched
// words, the public output and the final registers.
func (b *builder) settle(ctx context.Context) error {
	sorted := byWord(b.pool, b.set.Accesses.Word)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	accessed, err := b.resolve(sorted)
	if err != nil {
		return err
	}
	if err := b.checkCalls(); err != nil {
		return err
	}
	if !b.ends {
		return nil
	}
	known := merged(b.accessed, accessed)
	if err := b.findOutput(known); err != nil {
		return err
	}
	b.findPrivate(known)
	b.set.Touched = b.boundary(known)
	end := &b.trace.Checkpoints[b.trace.Chunks()]
	last := b.clockBefore(b.trace.Chunks())
	for r := range b.set.Registers {
		b.set.Registers[r].Last = last[r]
		if r > 0 {
			b.set.Registers[r].Value = end.X[r%program.Sink]
		}
	}
	return nil
}

func compareWords(a, b memorymap.Word) int { return cmp.Compare(a.Index, b.Index) }

// resolve goes through the accesses of each word in the order of time. It returns every accessed word with its final
// contents.
func (b *builder) resolve(sorted []uint64) ([]record.Touched, error) {
	blocks := max(min(b.pool.Workers(), len(sorted)/minBlock), 1)
	// A block begins with a word's first access.
	bound := func(k int) int {
		i := len(sorted) * k / blocks
		for i > 0 && i < len(sorted) && sorted[i]>>32 == sorted[i-1]>>32 {
			i++
		}
		return i
	}
	parts, errs := make([][]record.Touched, blocks), make([]error, blocks)
	b.pool.Each(blocks, func(k int) { parts[k], errs[k] = b.resolveBlock(sorted[bound(k):bound(k+1)]) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.Concat(parts...), nil
}

func (b *builder) resolveBlock(sorted []uint64) ([]record.Touched, error) {
	var list []record.Touched
	a := &b.set.Accesses
	for i, key := range sorted {
		word, at := uint32(key>>32), uint32(key)
		if i == 0 || word != uint32(sorted[i-1]>>32) {
			list = append(list, b.before(word))
		}
		now := &list[len(list)-1]
		a.Previous[at], a.Old[at] = now.Last, now.Value
		if a.Mask[at] == 0 && a.Value[at] != now.Value {
			return nil, b.mismatch(at)
		}
		now.Last, now.Value = a.Time[at], record.Merge(now.Value, a.Value[at], a.Mask[at])
	}
	return list, nil
}

// mismatch returns the error for an access whose word does not have the contents in the trace.
func (b *builder) mismatch(at uint32) error {
	a := &b.set.Accesses
	return fmt.Errorf("cycle %d: the trace does not read the last value written: %#x at %#x, want %#x", a.Time[at]/4,
		a.Value[at], 8*uint64(a.Word[at]), a.Old[at])
}

// search finds a word in a list that is sorted by words.
func search(list []record.Touched, word uint32) (i int, ok bool) {
	return slices.BinarySearchFunc(list, word, func(t record.Touched, w uint32) int { return cmp.Compare(t.Word, w) })
}

// find returns a word of a list that is sorted by words, or the untouched word if the list does not have it.
func find(list []record.Touched, word uint32) record.Touched {
	i, ok := search(list, word)
	if !ok {
		return record.Touched{Word: word}
	}
	return list[i]
}

// findOutput reads the public output and the times of its words.
func (b *builder) findOutput(accessed []record.Touched) error {
	const first = uint32(memorymap.PublicOutput / memorymap.WordBytes)
	length := find(accessed, first).Value
	if length > uint64(memorymap.MaxPublicBytes) {
		return fmt.Errorf("the public output has %d bytes, at most %d fit", length, memorymap.MaxPublicBytes)
	}
	s := b.set
	s.Output = make([]byte, 0, length+7)
	for i := range uint32(1 + (length+7)/8) {
		t := find(accessed, first+i)
		s.OutputTimes = append(s.OutputTimes, t.Last)
		for k := 0; i > 0 && k < memorymap.WordBytes; k++ {
			s.Output = append(s.Output, byte(t.Value>>(8*k)))
		}
	}
	for _, behind := range s.Output[length:] {
		if behind != 0 {
			return fmt.Errorf("the last word of the public output is not 0 after its %d bytes", length)
		}
	}
	s.Output = s.Output[:length]
	return nil
}

// findPrivate finds the accessed words of the private input.
func (b *builder) findPrivate(accessed []record.Touched) {
	for _, w := range memorymap.Words(memorymap.PrivateInput, b.inputs.Private) {
		if _, ok := search(accessed, w.Index); ok {
			b.set.Private = append(b.set.Private, w)
		}
	}
}

// boundary returns the accessed words, and the words that the boundary always has: image, public input and public
// output.
func (b *builder) boundary(accessed []record.Touched) []record.Touched {
	must := slices.Clone(b.program.Image)
	must = append(must, memorymap.Words(memorymap.PublicInput, b.inputs.Public)...)
	slices.SortFunc(must, compareWords)
	var others []record.Touched // not accessed by any instruction
	add := func(word uint32, last, value uint64) {
		if _, ok := search(accessed, word); !ok {
			others = append(others, record.Touched{Word: word, Last: last, Value: value})
		}
	}
	for _, w := range must {
		add(w.Index, 1, w.Value)
	}
	for i := range b.set.OutputTimes {
		add(uint32(memorymap.PublicOutput/memorymap.WordBytes)+uint32(i), 0, 0)
	}
	slices.SortFunc(others, func(x, y record.Touched) int { return cmp.Compare(x.Word, y.Word) })
	merged := make([]record.Touched, 0, len(accessed)+len(others))
	for _, t := range accessed {
		for len(others) > 0 && others[0].Word < t.Word {
			merged, others = append(merged, others[0]), others[1:]
		}
		merged = append(merged, t)
	}
	return append(merged, others...)
}

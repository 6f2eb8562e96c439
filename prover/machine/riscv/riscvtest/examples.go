package riscvtest

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp3"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// examples generates words that a call may read, for accelerators that do not accept arbitrary words or treat rare
// words specially. The functions take the call's number.
var examples = map[*accelerator.Kind]func(i int, random *rand.Rand) []uint64{}

func init() {
	for _, f := range []*field.Field{field.Of256, field.Of384} {
		examples[&f.Kind] = func(i int, random *rand.Rand) []uint64 {
			modulus := f.Primes[i/3%len(f.Primes)]
			return slices.Concat(relation.Words(modulus, int(f.Size)), []uint64{uint64(i % 3)}, below(f.Size, nil, random),
				below(f.Size, nil, random), below(f.Size, modulus, random))
		}
	}
	for _, f := range []*ec.Family{ec.Of256, ec.Of384} {
		curve := func(i int) ([]uint64, *big.Int) {
			number := i % len(f.Curves)
			return []uint64{uint64(number)}, f.Curves[number].Prime
		}
		examples[&f.Add] = func(i int, random *rand.Rand) []uint64 {
			number, prime := curve(i)
			return slices.Concat(number, below(f.Size, prime, random), below(f.Size, nil, random),
				below(f.Size, prime, random), below(f.Size, nil, random))
		}
		examples[&f.Double] = func(i int, random *rand.Rand) []uint64 {
			number, prime := curve(i)
			return slices.Concat(number, below(f.Size, nil, random), below(f.Size, prime, random))
		}
	}
	for _, f := range []*fp2.Field{fp2.OfBN254, fp2.OfBLS12381} {
		element := func(random *rand.Rand) []uint64 {
			return append(below(f.Size, nil, random), below(f.Size, nil, random)...)
		}
		examples[&f.Operation] = func(i int, random *rand.Rand) []uint64 {
			return slices.Concat([]uint64{uint64(i % 3)}, element(random), element(random))
		}
		examples[&f.Sum] = func(_ int, random *rand.Rand) []uint64 {
			return slices.Concat(element(random), element(random), element(random))
		}
	}
	examples[&wide256.Kind] = func(i int, random *rand.Rand) []uint64 {
		var numbers []uint64
		for range 4 {
			numbers = append(numbers, below(wide256.NumberWords, nil, random)...)
		}
		return append(numbers, uint64(i))
	}
	examples[&absorb.Kind] = func(i int, random *rand.Rand) []uint64 {
		read := []uint64{uint64(i % absorb.Shifts)}
		for len(read) < absorb.ReadWords {
			read = append(read, []uint64{0, 1<<64 - 1, random.Uint64(), random.Uint64()}[random.IntN(4)])
		}
		return read
	}
	examples[&fp3.Row] = func(i int, random *rand.Rand) []uint64 { return aroundPrime(36, i, random) }
	examples[&fp3.MultiplyAdd] = func(i int, random *rand.Rand) []uint64 { return aroundPrime(9, i, random) }
}

// aroundPrime returns random words. In every third call all are 0 or 1; in every third some are around the prime of the
// machine's field.
func aroundPrime(count, i int, random *rand.Rand) []uint64 {
	const p = goldilocks.Modulus
	list := make([]uint64, count)
	for k := range list {
		list[k] = random.Uint64N(p)
		switch i % 3 {
		case 0:
			list[k] &= 1
		case 1:
			list[k] = []uint64{0, 1, p - 1, p, p + 1, 1<<64 - 1, list[k], list[k]}[random.IntN(8)]
		}
	}
	switch i {
	case 0:
		clear(list)
	case 2:
		list[3] = p // the only one
	}
	if i%3 == 1 && count > 35 {
		list[35] = uint64(i) / 3 % 2 // what a row's call before it refused
	}
	return list
}

// below returns a random number, less than bound if bound is not nil. Some of its words may be all ones or zeros.
func below(size relation.Size, bound *big.Int, random *rand.Rand) []uint64 {
	list := make([]uint64, size)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, random.Uint64(), random.Uint64()}[random.IntN(4)]
	}
	list[0] |= 1
	if bound == nil {
		return list
	}
	return relation.Words(new(big.Int).Mod(relation.Number(list), bound), int(size))
}

// HasExamples reports whether Example makes the calls of an accelerator: if it does not accept arbitrary words or
// arbitrary addresses, because operands have pointers, offsets or a common argument, or must not share words.
func HasExamples(k *accelerator.Kind) bool {
	for i, o := range k.Operands {
		if o.Offset > 0 || i > k.Numbers() && o.Slot == k.Operands[i-1].Slot {
			return true
		}
	}
	return examples[k] != nil || len(k.Operands) != k.Arguments()
}

// Example appends a call of an accelerator that has examples, and returns the addresses of its operands in memory.
// Operands with different base addresses do not overlap. The words of a kind without own examples are random.
func (p *Program) Example(k *accelerator.Kind, i int, random *rand.Rand) (addresses []int64) {
	const a0, a7 = 10, 17
	for register := range uint8(3) {
		p.Op(instruction.ADDI, a0+register, 0, 0, 0)
	}
	draw := examples[k]
	if draw == nil {
		draw = func(_ int, random *rand.Rand) []uint64 { return randomWords(k, random) }
	}
	read := draw(i, random)
	for _, o := range k.Operands[:k.Numbers()] {
		p.Op(instruction.ADDI, a0+uint8(o.Argument), 0, 0, int64(read[0]))
		read = read[1:]
	}
	bases, pointers := map[base]int64{}, map[int]int64{}
	var at []int64 // of each word
	for _, o := range k.Operands[k.Numbers():] {
		address, ok := bases[baseOf(o)]
		if !ok {
			address = p.block(k, baseOf(o))
			bases[baseOf(o)] = address
			if word, ok := o.Pointer.Word(); ok {
				pointers[word] = address
			} else {
				p.Address(a0+uint8(o.Argument), address)
			}
		}
		address += int64(8 * o.Offset)
		addresses = append(addresses, address)
		for w := range int64(o.Words) {
			p.operand(address+8*w, read[w])
			at = append(at, address+8*w)
		}
		read = read[o.Words:]
	}
	for word, address := range pointers { // last, because operands with the same base may share words
		p.operand(at[word], uint64(address))
	}
	p.Op(instruction.ADDI, a7, 0, 0, int64(k.Code))
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	return addresses
}

// operand sets a word of the operands.
func (p *Program) operand(address int64, word uint64) {
	binary.LittleEndian.PutUint64(p.operands[address-operandAddress:], word)
}

// base is the origin of a base address.
type base struct {
	argument int
	pointer  accelerator.Pointer
}

func baseOf(o accelerator.Operand) base { return base{o.Argument, o.Pointer} }

// block reserves room for the operands with a base address, and returns the address.
func (p *Program) block(k *accelerator.Kind, b base) int64 {
	words := 0
	for _, o := range k.Operands {
		if baseOf(o) == b {
			words = max(words, o.Offset+o.Words)
		}
	}
	address := int64(operandAddress + len(p.operands))
	p.operands = append(p.operands, make([]byte, 8*words)...)
	return address
}

// randomWords draws what a call reads: small numbers, and any words.
func randomWords(k *accelerator.Kind, random *rand.Rand) []uint64 {
	read := make([]uint64, k.Read())
	for i := range read {
		read[i] = random.Uint64()
		if i < k.Numbers() {
			read[i] %= 1 << 11
		}
	}
	return read
}

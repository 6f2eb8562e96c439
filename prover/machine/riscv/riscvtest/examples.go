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

// HasExamples reports whether an accelerator does not accept arbitrary words. Calls of such an accelerator are made by
// Example.
func HasExamples(k *accelerator.Kind) bool { return examples[k] != nil }

// Example appends a call of an accelerator that has examples. The operands do not overlap.
func (p *Program) Example(k *accelerator.Kind, i int, random *rand.Rand) {
	const a0, a7 = 10, 17
	for register := range uint8(3) {
		p.Op(instruction.ADDI, a0+register, 0, 0, 0)
	}
	read := examples[k](i, random)
	for _, o := range k.Operands {
		register := a0 + uint8(o.Argument)
		if o.Words == 0 {
			p.Op(instruction.ADDI, register, 0, 0, int64(read[0]))
			read = read[1:]
			continue
		}
		address := int64(operandAddress + len(p.operands))
		for _, w := range read[:o.Words] {
			p.operands = binary.LittleEndian.AppendUint64(p.operands, w)
		}
		read = read[o.Words:]
		p.Op(instruction.LUI, register, 0, 0, (address+0x800)&^0xfff)
		p.Op(instruction.ADDI, register, register, 0, address-(address+0x800)&^0xfff)
	}
	p.Op(instruction.ADDI, a7, 0, 0, int64(k.Code))
	p.Op(instruction.ECALL, 0, 0, 0, 0)
}

package kernelgen

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shareRegisters renames virtual registers so that registers which are never live at the same time share one. avo's
// allocator takes time quadratic in the number of virtual registers, and every step of a kernel makes a new one. Only
// registers that live within one basic block are renamed, from their definition to their last use.
func shareRegisters(f *ir.Function) {
	blocks := basicBlocks(f)
	home := map[reg.ID]int{} // the block in which a register lives, or shared
	const shared = -1
	for b, block := range blocks {
		for _, i := range block {
			for _, r := range i.Registers() {
				if id := r.ID(); reg.ToVirtual(r) != nil {
					if known, ok := home[id]; !ok {
						home[id] = b
					} else if known != b {
						home[id] = shared
					}
				}
			}
		}
	}
	free := pools{}
	for _, block := range blocks {
		renameInBlock(block, free, func(r reg.Register) bool {
			b, known := home[r.ID()]
			return known && b != shared
		})
	}
}

// basicBlocks returns the maximal sequences of instructions without a label or a branch inside.
func basicBlocks(f *ir.Function) (blocks [][]*ir.Instruction) {
	var block []*ir.Instruction
	end := func() {
		if block != nil {
			blocks, block = append(blocks, block), nil
		}
	}
	for _, node := range f.Nodes {
		switch n := node.(type) {
		case ir.Label:
			end()
		case *ir.Instruction:
			block = append(block, n)
			if n.IsBranch || n.IsTerminal {
				end()
			}
		}
	}
	end()
	return blocks
}

// renameInBlock renames the local registers of a block. free has the registers
// to rename to, which hold nothing between blocks; it grows as needed.
func renameInBlock(block []*ir.Instruction, free pools, local func(reg.Register) bool) {
	lastUse := map[reg.ID]int{}
	for n, i := range block {
		for _, r := range i.Registers() {
			lastUse[r.ID()] = n
		}
	}
	renamed := map[reg.ID]reg.Register{}
	for n, i := range block {
		registers := i.Registers()
		release := func(r reg.Register) {
			if v := renamed[r.ID()]; v != nil && lastUse[r.ID()] == n {
				free.put(v)
				lastUse[r.ID()] = -1 // released
			}
		}
		// An input that is used for the last time frees its register for the output.
		for _, r := range registers {
			release(r)
		}
		for _, r := range registers {
			if renamed[r.ID()] == nil && local(r) {
				renamed[r.ID()] = free.take(r)
				release(r) // a result that is never read
			}
		}
		for _, operands := range [][]operand.Op{i.Operands, i.Inputs, i.Outputs} {
			for k, op := range operands {
				operands[k] = rename(op, renamed)
			}
		}
	}
}

// pools holds free registers by kind and size.
type pools map[[2]uint][]reg.Register

func poolOf(r reg.Register) [2]uint { return [2]uint{uint(r.Kind()), r.Size()} }

func (p pools) put(r reg.Register) { p[poolOf(r)] = append(p[poolOf(r)], r) }

// take returns a free register of r's kind and size, or r itself.
func (p pools) take(r reg.Register) reg.Register {
	pool := p[poolOf(r)]
	if len(pool) == 0 {
		return r
	}
	p[poolOf(r)] = pool[:len(pool)-1]
	return pool[len(pool)-1]
}

func rename(op operand.Op, renamed map[reg.ID]reg.Register) operand.Op {
	of := func(r reg.Register) reg.Register {
		if r == nil {
			return nil
		}
		v := renamed[r.ID()]
		switch {
		case v == nil:
			return r
		case v.Size() == r.Size():
			return v
		case r.Size() == 32: // the lower half of a 64-byte register
			return v.(reg.Vec).AsY()
		}
		panic("kernelgen: a part of a register of a size that rename does not know")
	}
	switch o := op.(type) {
	case reg.Register:
		return of(o)
	case operand.Mem:
		o.Base, o.Index = of(o.Base), of(o.Index)
		return o
	}
	return op
}

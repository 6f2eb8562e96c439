// Package profile attributes a guest's cycles, and the cells that a proof commits to for them, to functions and the
// calls that led to them, in pprof's format.
//
// A function is a symbol of the ELF. Calls follow the calling convention: a jump that links is a call; an indirect jump
// to the return address of any active call returns from it; a jump into another function without a link replaces its
// caller (a tail call). Code without a symbol is one function.
//
// Cells are the cells of instructions' rows, and of the rows of accelerators that they call. Shared cells (the boundary
// of memory, lookup tables, padding, quotients) belong to no function.
package profile

import (
	"fmt"
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// maxDepth is the largest depth of calls; deeper calls count as their caller.
const maxDepth = 1 << 10

// node is a function in the tree of calls.
type node struct {
	function      int32
	parent        *node
	children      []*node
	cycles, cells int64
	calls         map[*accelerator.Kind]int64 // of accelerators; nil for none
}

// frame is a call that has not returned.
type frame struct {
	node    *node
	returns uint32 // index of the code after the call
}

// Profile collects the cycles and cells of a run.
type Profile struct {
	program   *program.Program
	functions []string // names
	first     []uint32 // index of each function's first code
	of        []int32  // the function of each code

	root    node
	stack   []frame
	now     *node
	deep    int    // calls beyond maxDepth that have not returned
	next    uint32 // index of the code after the last instruction
	last    *program.Code
	started bool
}

// New returns an empty profile of a program.
func New(p *program.Program) *Profile {
	f := &Profile{program: p, of: make([]int32, len(p.Code))}
	numbers := map[string]int32{}
	for i := range p.Code {
		address, ok := p.Address(uint32(i))
		if !ok {
			continue
		}
		name := fmt.Sprintf("code at %#x", p.Texts[0].Address)
		if symbol, found := p.File.Symbols.At(address); found {
			name = symbol.Name
		}
		number, known := numbers[name]
		if !known {
			number = int32(len(f.functions))
			numbers[name] = number
			f.functions = append(f.functions, name)
			f.first = append(f.first, uint32(i))
		}
		f.of[i] = number
	}
	return f
}

// Add counts an instruction. It is called for each, in the order of cycles. The accelerator is the one that the
// instruction calls, or nil.
func (f *Profile) Add(index uint32, cells int, call *accelerator.Kind) {
	if !f.started {
		f.started = true
		f.now = f.root.child(f.of[index])
	} else if index != f.next || f.last.Op == instruction.Link {
		f.jump(index)
	}
	f.now.cycles++
	f.now.cells += int64(cells)
	if call != nil {
		f.now.count(call)
	}
	f.next, f.last = index+1, &f.program.Code[index]
}

func (n *node) count(call *accelerator.Kind) {
	if n.calls == nil {
		n.calls = map[*accelerator.Kind]int64{}
	}
	n.calls[call]++
}

// jump follows the last instruction to its target.
func (f *Profile) jump(to uint32) {
	switch f.last.Op {
	case instruction.Link, instruction.JALR:
		f.call(to)
	case instruction.Indir:
		if f.unwind(to) {
			return
		}
		fallthrough
	default:
		if f.of[to] != f.now.function && f.now.parent != nil {
			f.now = f.now.parent.child(f.of[to])
		}
	}
}

func (f *Profile) call(to uint32) {
	if len(f.stack) == maxDepth {
		f.deep++
		return
	}
	f.stack = append(f.stack, frame{f.now, f.next})
	f.now = f.now.child(f.of[to])
}

// unwind returns from the innermost call with this return address, or reports false if there is none.
func (f *Profile) unwind(to uint32) bool {
	if f.deep > 0 {
		f.deep--
		return true
	}
	for i, call := range slices.Backward(f.stack) {
		if call.returns == to {
			f.now, f.stack = call.node, f.stack[:i]
			return true
		}
	}
	return false
}

func (n *node) child(function int32) *node {
	for _, c := range n.children {
		if c.function == function {
			return c
		}
	}
	c := &node{function: function, parent: n}
	n.children = append(n.children, c)
	return c
}

// Write writes the profile, compressed. Its samples are cycles, cells and calls of accelerators; pprof shows cells by
// default. An accelerator is a function with a name in brackets and without cycles, so that pprof lists its callers.
func (f *Profile) Write(w io.Writer) error {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cycles", Unit: "count"}, {Type: "cells", Unit: "count"},
			{Type: "calls", Unit: "count"}},
		DefaultSampleType: "cells",
		PeriodType:        &profile.ValueType{Type: "cycles", Unit: "count"},
		Period:            1,
		Mapping:           []*profile.Mapping{{ID: 1, Limit: 1 << 32, File: "guest", HasFunctions: true}},
	}
	for i, name := range f.functions {
		address, _ := f.program.Address(f.first[i])
		function := &profile.Function{ID: uint64(i) + 1, Name: name, SystemName: name}
		p.Function = append(p.Function, function)
		p.Location = append(p.Location, &profile.Location{
			ID: uint64(i) + 1, Mapping: p.Mapping[0], Address: address, Line: []profile.Line{{Function: function}},
		})
	}
	f.root.samples(p, accelerators(p), nil)
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

// accelerators adds a function for each accelerator.
func accelerators(p *profile.Profile) map[*accelerator.Kind]*profile.Location {
	locations := map[*accelerator.Kind]*profile.Location{}
	for _, kind := range all.Kinds() {
		name := "[" + kind.Name + "]"
		function := &profile.Function{ID: uint64(len(p.Function)) + 1, Name: name, SystemName: name}
		location := &profile.Location{
			ID: uint64(len(p.Location)) + 1, Mapping: p.Mapping[0], Line: []profile.Line{{Function: function}},
		}
		p.Function, p.Location = append(p.Function, function), append(p.Location, location)
		locations[kind] = location
	}
	return locations
}

// samples adds the samples of a node's children; outer is the node's stack of functions, the innermost first.
func (n *node) samples(p *profile.Profile, called map[*accelerator.Kind]*profile.Location, outer []*profile.Location) {
	for _, c := range n.children {
		stack := append([]*profile.Location{p.Location[c.function]}, outer...)
		if c.cycles > 0 {
			p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{c.cycles, c.cells, 0}})
		}
		for _, kind := range all.Kinds() {
			if times := c.calls[kind]; times > 0 {
				inner := append([]*profile.Location{called[kind]}, stack...)
				p.Sample = append(p.Sample, &profile.Sample{Location: inner, Value: []int64{0, 0, times}})
			}
		}
		c.samples(p, called, stack)
	}
}

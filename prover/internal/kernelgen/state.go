package kernelgen

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// One state of Keccak-f is in five registers of five lanes. Theta needs the lanes of a column in one lane of all
// registers, chi the lanes of a row. Pi only renames positions ([layout], linear mod 5), which leaves rows and
// columns askew: rotating register r by k*r lanes aligns either of them, with four permutes, twice a round. Rotations
// do not change which lanes share a register. Those lanes are a direction in the square of lanes, and pi cycles
// through all six directions that there are mod 5. When the direction is that of rows, chi reads each register in
// three rotations. Before it is that of columns, where no rotation helps theta, lanes move to other registers
// (shift).

// layout maps the position (x, y) of a lane in the state to its register and lane, all mod 5:
// register = m[0][0]x + m[0][1]y, lane = m[1][0]x + m[1][1]y.
type layout [2][2]int

// planes is the layout in memory: register y has the lanes x.
var planes = layout{{0, 1}, {1, 0}}

func (m layout) times(n layout) (product layout) {
	for i := range 2 {
		for j := range 2 {
			product[i][j] = (m[i][0]*n[0][j] + m[i][1]*n[1][j]) % 5
		}
	}
	return product
}

// position returns the register and lane of (x, y).
func (m layout) position(x, y int) (register, lane int) {
	return (m[0][0]*x + m[0][1]*y) % 5, (m[1][0]*x + m[1][1]*y) % 5
}

// afterPi returns the layout of the same registers after pi has moved (x, y) to (y, 2x+3y): (x, y) then holds what was
// at (x+3y, x).
func (m layout) afterPi() layout { return m.times(layout{{1, 3}, {1, 0}}) }

// rotated returns the layout after rotating register r by k*r lanes.
func (m layout) rotated(k int) layout { return layout{{1, 0}, {k, 1}}.times(m) }

// shifted returns the layout after moving lane l by k*l registers.
func (m layout) shifted(k int) layout { return layout{{1, k}, {0, 1}}.times(m) }

// rotation returns the k for which rotated puts x (axis 0) or y (axis 1) into one lane of all registers.
func (m layout) rotation(axis int) int {
	for k := range 5 {
		if m.rotated(k)[1][axis] == 0 {
			return k
		}
	}
	panic("kernelgen: no rotation puts the axis into one lane: it lies along a register")
}

// stateShifts are the shifts in the rounds of one iteration of the loop, 0 for none. Among the sequences that end in
// the initial layout, this one takes the fewest instructions, apart from sequences two and three times as long.
var stateShifts = [...]int{3, 0, 4, 0, 3, 0, 0, 0}

// stateConstants holds the constants in memory for the kernels of one state.
type stateConstants struct {
	rounds    operand.Mem
	rotations [5]operand.Mem         // number k is the lane order that rotates by k; 0 has none
	rho       map[layout]operand.Mem // for each layout that rho meets, the rotation counts of each register's lanes
}

func (b *builder) newStateConstants(rounds operand.Mem) *stateConstants {
	c := &stateConstants{rounds: rounds, rho: map[layout]operand.Mem{}}
	for k := 1; k < len(c.rotations); k++ {
		var order [8]uint64
		for l := range order[:5] {
			order[(l+k)%5] = uint64(l)
		}
		c.rotations[k] = b.words(fmt.Sprintf("rotateLanes%d", k), order)
	}
	return c
}

// words defines groups of eight words in read-only memory.
func (b *builder) words(name string, groups ...[8]uint64) operand.Mem {
	m := b.StaticGlobal(name + b.set.suffix())
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, group := range groups {
		for _, word := range group {
			b.AppendDatum(operand.U64(word))
		}
	}
	return m
}

// stateKernel is a kernel of one state, and its constant registers.
type stateKernel struct {
	*builder
	*stateConstants
	laneOrders      [5]value                      // of rotations, by count
	first, two, all reg.Register                  // masks of one, two and five lanes
	shifts          [len(shiftParts)]reg.Register // masks of the lanes that a part of a shift moves
}

func (b *builder) newStateKernel(c *stateConstants) *stateKernel {
	s := &stateKernel{builder: b, stateConstants: c}
	for k := 1; k < len(s.laneOrders); k++ {
		s.laneOrders[k] = b.load(c.rotations[k])
	}
	mask := func(lanes int) reg.Register {
		general, k := b.GP32(), b.K()
		b.MOVL(operand.U32(lanes), general)
		b.KMOVW(general, k)
		return k
	}
	s.first, s.two, s.all = mask(0b1), mask(0b11), mask(0b11111)
	for i, lanes := range shiftParts {
		s.shifts[i] = mask(lanes)
	}
	return s
}

// rotate rotates the lanes of a register by k.
func (s *stateKernel) rotate(v value, k int) value {
	k = (k%5 + 5) % 5
	if k == 0 {
		return v
	}
	r := s.vector()
	s.VPERMQ(v, s.laneOrders[k], r)
	return r
}

// permuteState applies Keccak-f[1600] to a state in the layout planes.
func (s *stateKernel) permuteState(a []value) {
	constant, iterations := s.GP64(), s.GP64()
	s.LEAQ(s.rounds, constant)
	s.MOVQ(operand.U64(24/len(stateShifts)), iterations)
	s.countdown(iterations, func() {
		registers, at := append([]value(nil), a...), planes
		for round, shift := range stateShifts {
			registers, at = s.columns(registers, at, shift)
			registers, at = s.rows(registers, at, operand.Mem{Base: constant, Disp: 8 * round})
		}
		if at != planes {
			panic("kernelgen: an iteration of the loop does not end in the layout planes")
		}
		s.ADDQ(operand.U32(8*len(stateShifts)), constant)
		for y := range a {
			s.VMOVDQA64(registers[y], a[y])
		}
	})
}

const (
	xor3      = 0x96 // dst ^ x ^ y
	xorAndNot = 0xd2 // dst ^ (^x & y)
)

func (b *builder) ternary(function int, dst, x, y value) { b.VPTERNLOGQ(imm(function), y, x, dst) }

func (b *builder) copied(v value) value {
	r := b.vector()
	b.VMOVDQA64(v, r)
	return r
}

// columns applies theta, rho and pi. A column is in one lane of all registers, and stays in that lane when it is
// shifted; the shift runs while theta's sums are computed. Each register continues as soon as it can.
func (s *stateKernel) columns(a []value, at layout, shift int) ([]value, layout) {
	parity := s.copied(a[0])
	s.ternary(xor3, parity, a[1], a[2])
	s.ternary(xor3, parity, a[3], a[4])
	rotated := s.vector()
	s.VPROLQ(imm(1), parity, rotated)
	left, right := s.rotate(parity, at[1][0]), s.rotate(rotated, -at[1][0])
	a, at = s.shift(a, shift), at.shifted(shift)
	next, counts, k := at.afterPi(), s.offsets(at), 0
	if next[0][0] != 0 {
		k = next.rotation(0)
	}
	for _, r := range [...]int{1, 2, 3, 4, 0} {
		s.ternary(xor3, a[r], left, right)
		s.VPROLVQ(counts.Offset(64*r), a[r], a[r])
		a[r] = s.rotate(a[r], k*r)
	}
	return a, next.rotated(k)
}

// offsets returns the rotation counts of rho for the lanes of each register.
func (s *stateKernel) offsets(at layout) operand.Mem {
	if _, known := s.rho[at]; !known {
		var counts [5][8]uint64
		for x := range 5 {
			for y := range 5 {
				r, l := at.position(x, y)
				counts[r][l] = uint64(rotation(x, y))
			}
		}
		s.rho[at] = s.words(fmt.Sprintf("rho%d", len(s.rho)), counts[:]...)
	}
	return s.rho[at]
}

// rows applies chi and iota, and puts each column into one lane of all registers.
func (s *stateKernel) rows(a []value, at layout, constant operand.Mem) ([]value, layout) {
	iota := func(v value) { s.VPXORQ_BCST(constant, v, s.first, v) }
	distance, k := at[0][0], at.rotation(1)
	result := make([]value, 5)
	if distance == 0 {
		s.chiWithin(result, a, at[1][0], k)
		iota(result[0])
		return result, at.rotated(k)
	}
	row := make([]value, 5)
	for x := range row {
		row[x] = a[x*distance%5]
	}
	s.chi(row)
	iota(row[0])
	for x := range row {
		r := x * distance % 5
		result[r] = s.rotate(row[x], k*r)
	}
	return result, at.rotated(k)
}

// chiWithin applies chi if the lanes of a row are in one register, d apart. It also rotates register r by k*r.
func (s *stateKernel) chiWithin(result, a []value, d, k int) {
	for r := range a {
		result[r] = s.copied(s.rotate(a[r], k*r))
		s.ternary(xorAndNot, result[r], s.rotate(a[r], k*r-d), s.rotate(a[r], k*r-2*d))
	}
}

// chi applies chi to the lanes of a row, in place.
func (b *builder) chi(row []value) {
	first, second := b.copied(row[0]), b.copied(row[1])
	b.ternary(xorAndNot, row[0], row[1], row[2])
	b.ternary(xorAndNot, row[1], row[2], row[3])
	b.ternary(xorAndNot, row[2], row[3], row[4])
	b.ternary(xorAndNot, row[3], row[4], first)
	b.ternary(xorAndNot, row[4], first, second)
}

// shiftParts are the masks of the lanes to move by one, two and four times the shift: lane l moves by l times the
// shift.
var shiftParts = [3]int{0b01010, 0b01100, 0b10000}

// shift moves lane l by k*l registers.
func (s *stateKernel) shift(a []value, k int) []value {
	if k == 0 {
		return a
	}
	for part, lanes := range s.shifts {
		moved := make([]value, 5)
		for r := range a {
			moved[r] = s.vector()
			from := ((r-k<<part)%5 + 5) % 5
			s.VPBLENDMQ(a[from], a[r], lanes, moved[r])
		}
		a = moved
	}
	return a
}

package independent

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The rules of rv64im: section 12.

// Numbers of the buses.
const (
	stateBus      = 1
	memoryBus     = 4
	endBus        = 11
	misalignedBus = 12
)

// run is the statement of a proof of rv64im.
type run struct {
	exit0, exit1, cycles, misaligned uint64
	input, output                    []byte
	times                            []uint64
}

func readRun(said Statement) (r run, err error) {
	r = run{exit0: said.Values[0], exit1: said.Values[1], cycles: said.Values[2], misaligned: said.Values[3]}
	if r.exit0 >= 1<<32 || r.exit1 >= 1<<32 || r.cycles < 1 || r.cycles > 1<<32-1<<10 || r.misaligned > r.cycles {
		return r, fmt.Errorf("public values %d", said.Values)
	}
	left := said.Data
	for _, part := range []*[]byte{&r.input, &r.output} {
		if len(left) < 8 {
			return r, errors.New("public data without a length")
		}
		n := binary.LittleEndian.Uint64(left)
		if n > 1<<16 || n > uint64(len(left)-8) {
			return r, fmt.Errorf("%d bytes of public input or output", n)
		}
		*part, left = left[8:8+n], left[8+n:]
	}
	if len(left) != 8*len(publicWords(r.output)) {
		return r, fmt.Errorf("%d bytes of times", len(left))
	}
	for ; len(left) > 0; left = left[8:] {
		time := binary.LittleEndian.Uint64(left)
		if time >= 1<<34 {
			return r, fmt.Errorf("time %d", time)
		}
		r.times = append(r.times, time)
	}
	return r, nil
}

// publicWords returns the length and the bytes, as words of two limbs.
func publicWords(data []byte) (words [][2]uint64) {
	padded := append(le64(uint64(len(data))), data...)
	for len(padded)%8 > 0 {
		padded = append(padded, 0)
	}
	for ; len(padded) > 0; padded = padded[8:] {
		words = append(words, [2]uint64{uint64(binary.LittleEndian.Uint32(padded)),
			uint64(binary.LittleEndian.Uint32(padded[4:]))})
	}
	return words
}

func checkRun(said Statement) error {
	_, err := readRun(said)
	return err
}

// runData returns the words of input and output, as halves, and the times.
func runData(said Statement) (numbers []uint64, lists [][]uint64) {
	r, err := readRun(said)
	if err != nil {
		return nil, nil // already rejected
	}
	lists = make([][]uint64, 3)
	for i, data := range [][]byte{r.input, r.output} {
		for _, limbs := range publicWords(data) {
			lists[i] = append(lists[i], limbs[:]...)
		}
		numbers = append(numbers, uint64(len(lists[i])/2))
	}
	lists[2] = r.times
	return numbers, lists
}

func runMessages(said Statement) []Message {
	r, err := readRun(said)
	if err != nil {
		return nil // already rejected
	}
	list := []Message{
		{Bus: stateBus, Multiplicity: 1, Values: []uint64{said.Entry, 4}},
		{Bus: endBus, Receive: true, Multiplicity: 1, Values: []uint64{4 * r.cycles, r.exit0, r.exit1}},
		{Bus: misalignedBus, Receive: true, Multiplicity: r.misaligned, Values: []uint64{0}},
	}
	exchange := func(w, before, after uint64, limbs [2]uint64, was [2]uint64) {
		list = append(list,
			Message{Bus: memoryBus, Receive: true, Multiplicity: 1, Values: []uint64{w, before, was[0], was[1]}},
			Message{Bus: memoryBus, Multiplicity: 1, Values: []uint64{w, after, limbs[0], limbs[1]}})
	}
	for i, limbs := range publicWords(r.input) {
		exchange(0xa0000000/8+uint64(i), 0, 1, limbs, [2]uint64{})
	}
	for i, limbs := range publicWords(r.output) {
		exchange(0xb0000000/8+uint64(i), r.times[i], 1<<34, limbs, limbs)
	}
	return list
}

// runColumns returns the columns of the fixed tables REG, R20, R16, SGN, B8 and SH.
func runColumns() [][][]uint64 {
	table := func(log, width int, row func(i uint64) []uint64) (columns [][]uint64) {
		columns = make([][]uint64, width)
		for i := range uint64(1) << log {
			for c, value := range row(i) {
				columns[c] = append(columns[c], value)
			}
		}
		return columns
	}
	return [][][]uint64{
		table(8, 2, func(i uint64) []uint64 { return []uint64{i, is(i <= 32)} }),
		table(16, 1, func(i uint64) []uint64 { return []uint64{i} }),
		table(16, 2, rangeRow),
		table(16, 2, func(i uint64) []uint64 { return []uint64{i, i >> 15} }),
		table(16, 3, func(i uint64) []uint64 { return []uint64{i >> 8, i % (1 << 8), i >> 8 & i} }),
		table(8, 8, shiftRow),
	}
}

// rangeRow returns a row of R16: i and, if i has at most six digits in base 5, the number whose digits in base 16 are
// their doubles, else 2^24.
func rangeRow(i uint64) []uint64 {
	if i >= 15625 {
		return []uint64{i, 1 << 24}
	}
	digits, unit := uint64(0), uint64(2)
	for rest := i; rest > 0; rest /= 5 {
		digits += rest % 5 * unit
		unit *= 16
	}
	return []uint64{i, digits}
}

func shiftRow(i uint64) []uint64 {
	kind := []uint64{0, 0, 2, 2, 4, 5, 6, 7}[i/32]
	amount := i % 32
	if kind < 4 {
		amount = i % 64
	}
	steps, factor := amount/16, uint64(1)<<(16-amount%16)
	if kind == 0 || kind == 4 {
		factor = 1 << (amount % 16)
	}
	if kind < 4 {
		return []uint64{kind, amount, factor, is(steps == 1), is(steps == 2), is(steps == 3), 0, 0}
	}
	return []uint64{kind, amount, factor, is(kind == 4 && steps == 0), is(kind == 4 && steps == 1),
		is(kind == 5 && steps == 0),
		is(kind >= 6 && steps == 0), is(kind >= 6 && steps == 1)}
}

func is(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

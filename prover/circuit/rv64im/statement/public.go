package statement

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/internal/sha256"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The public values: the exit code's limbs, the number of cycles, and the number of misaligned accesses.
const (
	publicExitLow = iota
	publicExitHigh
	publicCycles
	publicMisaligned
	publicCount
)

// Stated is the statement of a proof about a program.
type Stated struct {
	Exit       uint64
	Cycles     uint64
	Misaligned uint64
	Input      []byte   // public
	Output     []byte   // public
	Times      []uint64 // of the last access to each word of the output, its length first
}

// Public encodes s as in a proof: the numbers as public values; input, output and times as public data.
func (s *Stated) Public() circuit.Public {
	values := make([]goldilocks.Element, publicCount)
	values[publicExitLow], values[publicExitHigh] = goldilocks.Element(uint32(s.Exit)), goldilocks.Element(s.Exit>>32)
	values[publicCycles], values[publicMisaligned] = goldilocks.Element(s.Cycles), goldilocks.Element(s.Misaligned)
	var data []byte
	for _, bytes := range [][]byte{s.Input, s.Output} {
		data = binary.LittleEndian.AppendUint64(data, uint64(len(bytes)))
		data = append(data, bytes...)
	}
	for _, time := range s.Times {
		data = binary.LittleEndian.AppendUint64(data, time)
	}
	return circuit.Public{Values: values, Data: data}
}

// WithoutTimes is [Stated.Public] with zeros for the times of accesses to the output. A proof's size does not depend on
// them.
func (s Stated) WithoutTimes() circuit.Public {
	s.Times = make([]uint64, memorymap.Count(s.Output))
	return s.Public()
}

// Read decodes a statement, and checks the ranges of its values.
func Read(public circuit.Public) (*Stated, error) {
	if len(public.Values) != publicCount {
		return nil, fmt.Errorf("%d public values, want %d", len(public.Values), publicCount)
	}
	exitLow, exitHigh := uint64(public.Values[publicExitLow]), uint64(public.Values[publicExitHigh])
	s := &Stated{
		Exit:       exitLow | exitHigh<<32,
		Cycles:     uint64(public.Values[publicCycles]),
		Misaligned: uint64(public.Values[publicMisaligned]),
	}
	switch {
	case exitLow >= 1<<32 || exitHigh >= 1<<32:
		return nil, fmt.Errorf("the exit code's limbs are %d and %d, want less than 2^32", exitLow, exitHigh)
	case s.Cycles < 1 || s.Cycles > MaxCycles:
		return nil, fmt.Errorf("%d cycles, want 1 to %d", s.Cycles, MaxCycles)
	case s.Misaligned > s.Cycles:
		return nil, fmt.Errorf("%d misaligned accesses in %d cycles", s.Misaligned, s.Cycles)
	}
	left := public.Data
	var err error
	if s.Input, left, err = cutBytes(left, "input"); err != nil {
		return nil, err
	}
	if s.Output, left, err = cutBytes(left, "output"); err != nil {
		return nil, err
	}
	words := memorymap.Count(s.Output)
	if len(left) != 8*words {
		return nil, fmt.Errorf("%d bytes of times after the output, want %d for %d words", len(left), 8*words, words)
	}
	for i := range words {
		time := binary.LittleEndian.Uint64(left[8*i:])
		if time >= OutputTime {
			return nil, fmt.Errorf("word %d of the output was last accessed at %d, want less than 2^34", i, time)
		}
		s.Times = append(s.Times, time)
	}
	return s, nil
}

// cutBytes splits off a length and that number of bytes.
func cutBytes(data []byte, what string) (bytes, left []byte, err error) {
	if len(data) < 8 {
		return nil, nil, fmt.Errorf("%d bytes of public data, and the %s's length takes 8", len(data), what)
	}
	n := binary.LittleEndian.Uint64(data)
	if n > uint64(memorymap.MaxPublicBytes) || n > uint64(len(data)-8) {
		return nil, nil, fmt.Errorf("a public %s of %d bytes, want at most %d, and %d are left", what, n,
			memorymap.MaxPublicBytes, len(data)-8)
	}
	return data[8 : 8+n], data[8+n:], nil
}

func checkPublic(public circuit.Public) error {
	_, err := Read(public)
	return err
}

// dataLists returns the numbers of words of input and output, and three lists: the halves of the input's words, the
// halves of the output's words, and the times of the last accesses to the output.
func dataLists(public circuit.Public) (numbers []uint64, lists [][]uint64) {
	s, err := Read(public)
	if err != nil {
		return nil, nil // CheckPublic rejects it
	}
	halves := func(words []memorymap.Word) (list []uint64) {
		for _, w := range words {
			list = append(list, w.Value&0xffffffff, w.Value>>32)
		}
		return list
	}
	input, output := memorymap.Words(memorymap.PublicInput, s.Input), memorymap.Words(memorymap.PublicOutput, s.Output)
	return []uint64{uint64(len(input)), uint64(len(output))}, [][]uint64{halves(input), halves(output), s.Times}
}

// messages returns the verifier's messages: the first state and the end, the number of misaligned accesses, and for
// each public word the exchange of its token. A word of the input is written at time 1, and a word of the output is
// read after every instruction.
func (c *Claims) messages(public circuit.Public) []circuit.Message {
	s, err := Read(public)
	if err != nil {
		return nil // CheckPublic rejects it
	}
	buses := map[string]*air.Bus{}
	for _, bus := range c.machine.Buses {
		buses[bus.Name] = bus
	}
	var list messages
	list.add(air.Send, buses["S"], 1, c.machine.Program.Entry, 4)
	list.add(air.Receive, buses["E"], 1, 4*s.Cycles, s.Exit&0xffffffff, s.Exit>>32)
	list.add(air.Receive, buses["U"], s.Misaligned, 0)
	for _, w := range memorymap.Words(memorymap.PublicInput, s.Input) {
		list.add(air.Receive, buses["M"], 1, uint64(w.Index), 0, 0, 0)
		list.add(air.Send, buses["M"], 1, uint64(w.Index), 1, w.Value&0xffffffff, w.Value>>32)
	}
	for i, w := range memorymap.Words(memorymap.PublicOutput, s.Output) {
		list.add(air.Receive, buses["M"], 1, uint64(w.Index), s.Times[i], w.Value&0xffffffff, w.Value>>32)
		list.add(air.Send, buses["M"], 1, uint64(w.Index), OutputTime, w.Value&0xffffffff, w.Value>>32)
	}
	return list
}

type messages []circuit.Message

//go:noinline
func (l *messages) add(kind air.Kind, bus *air.Bus, multiplicity uint64, values ...uint64) {
	m := circuit.Message{Bus: bus, Kind: kind, Multiplicity: goldilocks.Element(multiplicity)}
	for _, v := range values {
		m.Values = append(m.Values, goldilocks.Element(v))
	}
	*l = append(*l, m)
}

// Size returns the number of cycles.
func (c *Claims) Size(public circuit.Public, _ []circuit.Instance) (int, error) {
	s, err := Read(public)
	if err != nil {
		return 0, err
	}
	return int(s.Cycles), nil
}

// Claim names the program, input and output by their digests.
func (c *Claims) Claim(public circuit.Public, _ int) string {
	s, err := Read(public)
	if err != nil {
		return "nothing: " + err.Error()
	}
	return fmt.Sprintf("program %x\ninput %d %x\noutput %d %x\nexit %d", c.machine.Program.Digest,
		len(s.Input), sha256.Sum256(s.Input), len(s.Output), sha256.Sum256(s.Output), s.Exit)
}

// Describe lists the statement's parts.
func (c *Claims) Describe(public circuit.Public) []circuit.Field {
	s, err := Read(public)
	if err != nil {
		return []circuit.Field{{Name: "error", Value: err.Error()}}
	}
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	return []circuit.Field{
		{Name: "image", Value: fmt.Sprintf("%x", c.machine.Program.Digest)},
		{Name: "cycles", Value: number(s.Cycles)},
		{Name: "exit", Value: number(s.Exit)},
		{Name: "misaligned", Value: number(s.Misaligned)},
		{Name: "input", Value: Words(s.Input)},
		{Name: "output", Value: Words(s.Output)},
	}
}

// Words formats up to 64 bytes in full, longer data as its length and digest, and no data as "none".
func Words(b []byte) string {
	const few = 64
	if len(b) == 0 {
		return "none"
	}
	if len(b) <= few {
		return fmt.Sprintf("%s %x", plural.Of(len(b), "byte"), b)
	}
	return fmt.Sprintf("%d bytes, SHA-256 %x", len(b), sha256.Sum256(b))
}

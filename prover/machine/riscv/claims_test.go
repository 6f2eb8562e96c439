package riscv_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// unbalanced are the buses on which the verifier's messages for another claim differ from those for the true claim.
func (s *subject) unbalanced(claim circuit.Public) (buses []string) {
	total := counted{}
	note := func(list []circuit.Message, sent, received func(total, n goldilocks.Element) goldilocks.Element) {
		for _, message := range list {
			k := key(message.Bus, message.Values)
			if message.Kind == air.Send {
				total[k] = sent(total[k], message.Multiplicity)
			} else {
				total[k] = received(total[k], message.Multiplicity)
			}
		}
	}
	note(s.program.Machine().Messages(claim), goldilocks.Element.Add, goldilocks.Element.Sub)
	note(s.messages, goldilocks.Element.Sub, goldilocks.Element.Add)
	for k, n := range total {
		if bus := k[:strings.IndexByte(k, ' ')]; n != 0 && !slices.Contains(buses, bus) {
			buses = append(buses, bus)
		}
	}
	slices.Sort(buses)
	return buses
}

// claimCheat is another claim about a run.
type claimCheat struct {
	change func(claim *circuit.Public)
	want   string // a bus, or the error
}

// claimCheats are about the sample's run.
func claimCheats(truth circuit.Public) map[string]claimCheat {
	input := int(binary.LittleEndian.Uint64(truth.Data))
	output := 8 + input // the offset of its length
	return map[string]claimCheat{
		"another exit code":       {func(c *circuit.Public) { c.Values[0] = 1 }, "E"},
		"an exit code above 2^32": {func(c *circuit.Public) { c.Values[1] = 1 }, "E"},
		"a limb of the exit code": {func(c *circuit.Public) { c.Values[0] = 1 << 32 },
			"the exit code's limbs are 4294967296 and 0"},
		"an end before the end": {func(c *circuit.Public) { c.Values[2]-- }, "E"},
		"no cycles":             {func(c *circuit.Public) { c.Values[2] = 0 }, "0 cycles, want 1 to 4294966272"},
		"a cycle too many": {func(c *circuit.Public) { c.Values[2] = 1<<32 - 1<<10 + 1 },
			"4294966273 cycles, want 1 to 4294966272"},
		"a misaligned access less": {func(c *circuit.Public) { c.Values[3]-- }, "U"},
		"more of them than cycles": {func(c *circuit.Public) { c.Values[3] = c.Values[2] + 1 }, "misaligned accesses in"},
		"another public input":     {func(c *circuit.Public) { c.Data[8] ^= 1 }, "M"},
		"another output":           {func(c *circuit.Public) { c.Data[output+8] ^= 1 }, "M"},
		"a time of the output":     {func(c *circuit.Public) { c.Data[len(c.Data)-8] ^= 1 }, "M"},
		"a time 2^32 later":        {func(c *circuit.Public) { c.Data[len(c.Data)-4] ^= 1 }, "M"},
		"a time of 2^63":           {func(c *circuit.Public) { c.Data[len(c.Data)-1] |= 0x80 }, "want less than 2^34"},
		"a time just too late": {func(c *circuit.Public) { copy(c.Data[len(c.Data)-8:], "\x00\x00\x00\x00\x04\x00\x00\x00") },
			"want less than 2^34"},
		"a time too many": {func(c *circuit.Public) { c.Data = append(c.Data, make([]byte, 8)...) },
			"bytes of times after the output"},
		"a longer input": {func(c *circuit.Public) { c.Data[0]++ }, "a public output of"},
		"an input without end": {func(c *circuit.Public) { binary.LittleEndian.PutUint64(c.Data, 1<<63) },
			"a public input of 9223372036854775808 bytes"},
		"a longer output":          {func(c *circuit.Public) { c.Data[output]++ }, "bytes of times after the output"},
		"an output of a word less": {func(c *circuit.Public) { *c = without(*c, output) }, "M"},
		"nothing": {func(c *circuit.Public) { c.Data = nil },
			"0 bytes of public data, and the input's length takes 8"},
		"an input alone": {func(c *circuit.Public) { c.Data = c.Data[:output] },
			"0 bytes of public data, and the output's length takes 8"},
		"a public value less": {func(c *circuit.Public) { c.Values = c.Values[:3] }, "3 public values, want 4"},
		"an output of 2^16 and 1": {func(c *circuit.Public) { c.Data = slices.Concat(make([]byte, 8), long(1<<16+1)) },
			"a public output of 65537 bytes, want at most 65536"},
		"what was claimed in a twist": {func(c *circuit.Public) { c.Values[0], c.Values[1] = 1, 2 }, "E"},
	}
}

// of returns the claim.
func (c claimCheat) of(truth circuit.Public) circuit.Public {
	claim := circuit.Public{Values: slices.Clone(truth.Values), Data: slices.Clone(truth.Data)}
	c.change(&claim)
	return claim
}

// Another claim about the same run is not a valid public value, or does not balance.
func TestClaims(t *testing.T) {
	s := honest(t)
	truth := s.execution.Public()
	for name, c := range claimCheats(truth) {
		claim := c.of(truth)
		if err := s.program.Machine().CheckStated(claim); err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			if list := s.program.Machine().Messages(claim); list != nil && len(claim.Values) == 4 {
				t.Errorf("%s: %d messages for what is refused", name, len(list))
			}
			continue
		}
		if buses := s.unbalanced(claim); len(buses) != 1 || buses[0] != c.want {
			t.Errorf("%s: unbalanced are %q, want %q", name, buses, c.want)
		}
	}
	if buses := s.unbalanced(truth); len(buses) != 0 {
		t.Errorf("the truth does not balance on %q", buses)
	}
	stated, err := statement.Read(truth)
	if err != nil || stated.Exit != 0 || string(stated.Input) != samplePublic ||
		string(stated.Output) != string(s.execution.Stated().Output) {
		t.Errorf("the truth reads as %v, %v", stated, err)
	}
}

// without is a claim whose output has a word less.
func without(c circuit.Public, output int) circuit.Public {
	n := binary.LittleEndian.Uint64(c.Data[output:])
	data := binary.LittleEndian.AppendUint64(slices.Clone(c.Data[:output]), n-8)
	data = append(data, c.Data[output+8:output+int(n)]...)
	c.Data = append(data, c.Data[output+8+int(n):len(c.Data)-8]...)
	return c
}

func long(n int) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(n)), make([]byte, n)...)
}

// Whole runs that differ from the claimed run are refused by what they would have to change.
func TestWholeCheats(t *testing.T) {
	s := honest(t)
	m, fillers := s.program.Machine(), s.program.Fillers().Mutable()
	check := func(name, want string, cheat *machine.Mutated) {
		t.Helper()
		cheat.Execution = s.execution
		if err := fillers.Check(parallel.New(2), cheat); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	halt := m.Tables[s.execution.Instances()[s.number("HALT")].Table]
	if err := m.CheckInstances(slices.Delete(slices.Clone(s.execution.Instances()), s.number("HALT"),
		s.number("HALT")+1)); err == nil || !strings.Contains(err.Error(), "0 instances of table HALT, want 1 to 1") {
		t.Errorf("a run without end: %v", err)
	}
	for _, table := range []string{"MB", "PRIV", "REG", "HALT", "IMAGE", "R16"} {
		at := s.number(table)
		twice := slices.Insert(slices.Clone(s.execution.Instances()), at, s.execution.Instances()[at])
		if err := m.CheckInstances(twice); err == nil ||
			!strings.Contains(err.Error(), "2 instances of table "+table+", want 1 to 1") {
			t.Errorf("two of %s: %v", table, err)
		}
	}
	check("a second run", "bus S", &machine.Mutated{Change: func(instance int, columns [][]goldilocks.Element) {
		if instance == s.number("J") { // a padding row becomes a copy of the first
			for _, c := range columns {
				c[len(c)-1] = c[0]
			}
		}
	}})
	check("two ends", "bus ", &machine.Mutated{Change: func(instance int, columns [][]goldilocks.Element) {
		if instance == s.number("HALT") {
			for _, c := range columns {
				c[1] = c[0]
			}
			columns[halt.Column("ts")][1] += 4
		}
	}})
}

// number is the index of a table's first instance.
func (s *subject) number(table string) int {
	return slices.IndexFunc(s.instances, func(i air.Instance) bool { return i.Table.Name == table })
}

// A lookup that is counted twice, or not at all, does not balance.
func TestCounts(t *testing.T) {
	checkCounts(t, honest(t), "P", "R20", "R16", "SGN", "B8", "SH")
	checkCounts(t, runOf(t, callsRun(), nil, nil), "EVEN")
}

// checkCounts changes a count of each of these buses.
func checkCounts(t *testing.T, s *subject, buses ...string) {
	t.Helper()
	public := s.execution.Public()
	air.CountLookups(s.instances, public.Values, s.messages)
	for _, bus := range buses {
		count := s.counts(bus)
		at := slices.IndexFunc(count, func(n goldilocks.Element) bool { return n > 0 })
		if at < 0 {
			t.Fatalf("no table sends on bus %s", bus)
		}
		count[at]++
		var imbalance *air.Imbalance
		if err := air.CheckBuses(s.instances, public.Values, s.messages); !errors.As(err, &imbalance) ||
			imbalance.Bus != bus {
			t.Errorf("a count of bus %s: %v, want an imbalance on it", bus, err)
		}
		count[at]--
	}
}

// counts is the column of counts of a lookup bus, of its first lane.
func (s *subject) counts(bus string) []goldilocks.Element {
	for _, in := range s.instances {
		for _, entry := range in.Table.Lookups {
			if entry.Bus.Name == bus {
				return in.Trace.Main[entry.CountColumn]
			}
		}
	}
	return nil
}

// REFRESH repeats a token, and nothing else.
func TestRefreshCheats(t *testing.T) {
	s := runOf(t, refreshProgram().ELF(false), nil, nil)
	rows := s.rows("REFRESH", nil)
	if len(rows) == 0 {
		t.Fatal("no refreshes")
	}
	for name, c := range map[string]struct {
		lie  func(r row)
		want []string
	}{
		"left out":         {func(r row) { r.set("m", 0) }, []string{"bus R"}},
		"twice":            {func(r row) { r.set("m", 2) }, []string{"REFRESH: m is boolean", "bus R"}},
		"another register": {func(r row) { r.add("idx", 1) }, []string{"bus R"}},
		"another value":    {func(r row) { r.add("lo", 1) }, []string{"bus R"}},
		"another time":     {func(r row) { r.add("pts", 1) }, []string{"bus R"}},
	} {
		for _, r := range spread(rows) {
			if found := s.lie(func() { c.lie(r) }, r); !slices.Equal(found, c.want) {
				t.Errorf("%s: refused by %q, want %q", name, found, c.want)
			}
		}
	}
	for _, c := range declared(t).Tables {
		if c.Name == "REFRESH" && len(c.Constraints) != 1 {
			t.Error("REFRESH has constraints that nothing here breaks")
		}
	}
}

// A program that differs in one byte of its image, or in its entry point, is another program.
func TestImageIsInTheID(t *testing.T) {
	ids := map[string]string{}
	for name, change := range map[string]func(p *riscvtest.Program){
		"itself":              func(*riscvtest.Program) {},
		"another byte":        func(p *riscvtest.Program) { p.Data[17] ^= 1 },
		"another instruction": func(p *riscvtest.Program) { p.Op(instruction.FENCE, 0, 0, 0, 0) },
	} {
		p := riscvtest.Random(9, 100)
		change(p)
		program, err := riscv.New(p.ELF(false))
		if err != nil {
			t.Fatal(err)
		}
		key, err := setup.NewKey(program.Machine(), small)
		if err != nil {
			t.Fatal(err)
		}
		id := key.ProgramID()
		if other, ok := ids[string(id[:])]; ok {
			t.Errorf("%s and %s have one id", name, other)
		}
		ids[string(id[:])] = name
	}
}

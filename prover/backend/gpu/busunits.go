package gpu

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
)

//go:embed buses.cu
var busesSource string

//go:embed count.cuh
var countHeader string

// batchesPerPart and sendsPerPart are how many batches or messages a thread works on. Each part of a row has a thread
// of its own, so that tables of few rows and many messages fill a device.
const (
	batchesPerPart = 16
	sendsPerPart   = 16
)

// parts is how many parts a number of items makes.
func parts(items, each int) int { return (items + each - 1) / each }

// busUnits are the generated kernels of a machine's buses, and those that all tables share. A machine without buses has
// none.
func busUnits(m *machine.Machine) []compile.Unit {
	if len(m.Buses) == 0 {
		return nil
	}
	units := []compile.Unit{kernels.Generated("buses.cu", busesSource)}
	for i, t := range m.Tables {
		if len(t.Interactions) > 0 {
			units = append(units, fractionUnit(m, t))
		}
		if t.Lookup != nil {
			units = append(units, countUnit(m, i))
		}
	}
	return units
}

func fractionKernel(m *machine.Machine, t *air.Table) string {
	return generate.SafeName("fractions", m.Name, t.Name)
}

// fractionUnit evaluates the fractions N/D of all batches of a table in the rows of the trace.
func fractionUnit(m *machine.Machine, t *air.Table) compile.Unit {
	s := generate.NewSource()
	name := fractionKernel(m, t)
	s.Line("// Numerators go to the auxiliary columns, denominators to memory of count words a batch. A row of blocks a part of the batches.")
	s.Line("KERNEL(%s, 128, TraceRows rows, u64 count, u64 *numerators, u64 stride, u64 *denominators, const u64 *challenges) {", name)
	s.Line("u64 i = global_index();")
	s.Line("if (i >= count) return;")
	s.Line("TraceRow row = trace_row(rows, i);")
	items := make([]generate.Item, len(t.Batches))
	for b, batch := range t.Batches {
		items[b] = batchItem(t, b, batch)
	}
	for k, run := range generate.FindRuns(t, items) {
		b := run.Items()[0]
		s.Line("if (blockIdx.y == %d) {", b/batchesPerPart)
		run.WriteLazily(s, fmt.Sprint("run_", k), func(v generate.Values) {
			generate.Fraction(s, t, t.Batches[b], v.Node, "challenges")
			s.Line("u64 *n = numerators + 3 * %s * stride + row.at, *d = denominators + %s * count + i;", v.Extra[0], v.Extra[0])
			s.Line("n[0] = numerator.a0.value, n[stride] = numerator.a1.value, n[2 * stride] = numerator.a2.value;")
			s.Line("const u64 next = %d * count;", len(t.Batches))
			s.Line("d[0] = denominator.a0.value, d[next] = denominator.a1.value, d[2 * next] = denominator.a2.value;")
		})
		s.Line("}")
	}
	s.Line("}")
	return kernels.Generated(name+".cu", s.String())
}

// batchItem is what a batch evaluates: each member's multiplicity and values.
func batchItem(t *air.Table, b int, batch []int) generate.Item {
	item := generate.Item{Key: fmt.Sprint("part ", b/batchesPerPart), Extra: []uint32{uint32(b)}}
	for _, i := range batch {
		interaction := t.Interactions[i]
		item.Key += fmt.Sprintf(" %s %d", interaction.Kind, interaction.Bus.Index)
		item.Nodes = append(append(item.Nodes, interaction.Multiplicity), interaction.Values...)
	}
	return item
}

// The kernels of a lookup table: what its rows say, counting what a table sends, and what the public values send.
func contentsKernel(m *machine.Machine, lookup *air.Table) string {
	return generate.SafeName("contents", m.Name, lookup.Name)
}

func countKernel(m *machine.Machine, lookup, sender *air.Table) string {
	return generate.SafeName("count", m.Name, lookup.Name, "of", sender.Name)
}

func countPublicKernel(m *machine.Machine, lookup *air.Table) string {
	return generate.SafeName("count", m.Name, lookup.Name, "of_public_values")
}

// sends are a table's interactions on a bus.
func sends(t *air.Table, bus air.Bus) []int {
	var list []int
	for i, interaction := range t.Interactions {
		if interaction.Bus.Index == bus.Index {
			list = append(list, i)
		}
	}
	return list
}

func countUnit(m *machine.Machine, table int) compile.Unit {
	t := m.Tables[table]
	s := generate.NewSource("count.cuh")
	writeContents(s, m, t)
	for i, sender := range m.Tables {
		if list := sends(sender, t.Lookup.Bus); i != table && len(list) > 0 {
			writeCount(s, m, t, sender, list)
		}
	}
	writeCountPublic(s, m, t)
	unit := kernels.Generated(generate.SafeName("count", m.Name, t.Name)+".cu", s.String())
	unit.Headers["count.cuh"] = countHeader
	return unit
}

// writeContents evaluates the message of each row, in the form of the first interaction on the bus.
func writeContents(s *generate.Source, m *machine.Machine, t *air.Table) {
	first := t.Interactions[sends(t, t.Lookup.Bus)[0]]
	s.Line("KERNEL(%s, 128, TraceRows rows, u64 *contents) {", contentsKernel(m, t))
	s.Line("u64 i = global_index();")
	s.Line("if (i >= rows.n) return;")
	s.Line("TraceRow row = trace_row(rows, i);")
	for _, run := range generate.FindRuns(t, []generate.Item{{Nodes: first.Values}}) {
		run.Write(s, "contents_run", func(v generate.Values) {
			for j, value := range v.Nodes {
				s.Line("contents[%d * rows.n + i] = %s;", j, value)
			}
		})
	}
	s.Line("}")
}

// writeCount counts what a table sends. Messages are named by their row and the number of the interaction.
func writeCount(s *generate.Source, m *machine.Machine, t, sender *air.Table, list []int) {
	name := countKernel(m, t, sender)
	s.Line("KERNEL(%s, 128, TraceRows rows, Lookup lookup) {", name)
	s.Line("u64 i = global_index();")
	s.Line("const bool live = i < rows.n;  // all threads of a warp count together")
	s.Line("TraceRow row = trace_row(rows, live ? i : 0);")
	items := make([]generate.Item, len(list))
	for k, i := range list {
		interaction := sender.Interactions[i]
		items[k] = generate.Item{Key: fmt.Sprint("part ", k/sendsPerPart, " ", interaction.Kind), Extra: []uint32{uint32(i)},
			Nodes: append([]air.NodeID{interaction.Multiplicity}, interaction.Values...)}
	}
	for k, run := range generate.FindRuns(sender, items) {
		item := run.Items()[0]
		s.Line("if (blockIdx.y == %d) {", item/sendsPerPart)
		run.Write(s, fmt.Sprint(name, "_", k), func(v generate.Values) {
			multiplicity := fmt.Sprintf("fp(%s)", v.Nodes[0])
			if sender.Interactions[list[item]].Kind == air.Receive {
				multiplicity = "-" + multiplicity
			}
			s.Line("const u64 values[%d] = {%s};", len(v.Nodes)-1, strings.Join(v.Nodes[1:], ", "))
			s.Line("count_message(lookup, %s, values, live ? %s : fp(0), row.at << 16 | %s);", place(t, v.Nodes[1:]), multiplicity, v.Extra[0])
		})
		s.Line("}")
	}
	s.Line("}")
}

// writeCountPublic counts messages in memory: each its multiplicity, negative if received, and its values. first
// is the number of the first of them.
func writeCountPublic(s *generate.Source, m *machine.Machine, t *air.Table) {
	arity := t.Lookup.Bus.Arity
	s.Line("KERNEL(%s, 32, const u64 *messages, u64 first, u64 count, Lookup lookup) {", countPublicKernel(m, t))
	s.Line("u64 i = global_index();")
	s.Line("const bool live = i < count;")
	s.Line("u64 values[%d];", arity)
	s.Line("UNROLL for (u32 j = 0; j < %d; j++) values[j] = live ? messages[%d * i + 1 + j] : 0;", arity, arity+1)
	values := make([]string, arity)
	for j := range values {
		values[j] = fmt.Sprintf("values[%d]", j)
	}
	s.Line("count_message(lookup, %s, values, fp(live ? messages[%d * i] : 0), first + i);", place(t, values), arity+1)
	s.Line("}")
}

// place is the row that a lookup table's weights give a message.
func place(t *air.Table, values []string) string {
	var terms []string
	for j, weight := range t.Lookup.Weights {
		switch weight {
		case 0:
		case 1:
			terms = append(terms, fmt.Sprintf("fp(%s)", values[j]))
		default:
			terms = append(terms, fmt.Sprintf("fp(%dull) * fp(%s)", uint64(weight), values[j]))
		}
	}
	if len(terms) == 0 {
		return "fp(0)"
	}
	return strings.Join(terms, " + ")
}

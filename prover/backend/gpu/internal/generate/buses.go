package generate

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

//go:embed buses.cu
var busesSource string

//go:embed count.cuh
var countHeader string

// batchesPerPart and sendsPerPart are the numbers of batches and messages per thread. Each part of a row has its own
// thread, so tables with few rows and many messages still fill a device.
const (
	batchesPerPart = 16
	sendsPerPart   = 16
)

// BatchParts returns the number of block rows that evaluate a table's batches.
func BatchParts(t *air.Table) int { return (len(t.Batches) + batchesPerPart - 1) / batchesPerPart }

// SendParts returns the number of block rows that count the given number of messages per row.
func SendParts(sends int) int { return (sends + sendsPerPart - 1) / sendsPerPart }

// Buses returns the generated kernels of a machine's buses and the kernels that all tables share. It returns nil for a
// machine without buses.
func Buses(m *circuit.Machine) []Unit {
	if len(m.Buses) == 0 {
		return nil
	}
	shared := map[string]string{"parts.cuh": partsHeader, "divided.cuh": dividedStruct.String()}
	units := []Unit{{Name: "buses.cu", Text: busesSource, Headers: shared}}
	for _, t := range m.Tables {
		if len(t.Interactions) > 0 {
			units = append(units, fractionUnit(m, t))
		}
		if unit, ok := countUnit(m, t); ok {
			units = append(units, unit)
		}
		for k := range t.Lookups {
			units = append(units, lookupUnit(m, t, &t.Lookups[k]))
		}
	}
	return units
}

// BusUnits returns the names of those units of [Buses] that only proofs with instances of a table need.
func BusUnits(m *circuit.Machine, t *air.Table) (names []string) {
	if len(t.Interactions) > 0 {
		names = append(names, FractionKernel(m, t)+".cu")
	}
	if len(countedEntries(m, t)) > 0 {
		names = append(names, countUnitName(m, t))
	}
	return names
}

// FractionKernel returns the name of the kernel that evaluates a table's fractions.
func FractionKernel(m *circuit.Machine, t *air.Table) string {
	return SafeName("fractions", m.Name, t.Name)
}

// fractionUnit evaluates the fractions N/D of all batches of a table in the rows of the trace.
func fractionUnit(m *circuit.Machine, t *air.Table) Unit {
	s := NewSource("parts.cuh")
	s.lines.WriteString(fractionStruct.Text())
	name := FractionKernel(m, t)
	s.Line("// Numerators go to the auxiliary columns, denominators to memory with next words per coordinate. Each row " +
		"of blocks evaluates a part of the batches.")
	s.Line("KERNEL(%s, %d, const FractionRows *parts, u32 count, u64 next, const u64 *challenges) {", name, PartThreads)
	s.Line("const FractionRows &part = part_of_block(parts, count);")
	s.Line("const u64 i = index_in_part(parts, part), rows = part.count, stride = part.stride;")
	s.Line("if (i >= rows) return;")
	s.Line("u64 *numerators = part.numerators, *denominators = part.denominators;")
	s.Line("TraceRow row = trace_row(part.rows, i);")
	items := make([]Item, len(t.Batches))
	for b, batch := range t.Batches {
		items[b] = batchItem(t, b, batch)
	}
	for k, run := range FindRuns(t, items) {
		b := run.Items()[0]
		s.Line("if (blockIdx.y == %d) {", b/batchesPerPart)
		run.WriteLazily(s, fmt.Sprint("run_", k), func(v Values) {
			batchSum(s, fractionsOf(t, t.Batches[b], v), "challenges")
			s.Line("u64 *n = numerators + 3 * %s * stride + row.at, *d = denominators + %s * rows + i;", v.Extra[0], v.Extra[0])
			s.Line("n[0] = numerator.a0.value, n[stride] = numerator.a1.value, n[2 * stride] = numerator.a2.value;")
			s.Line("d[0] = denominator.a0.value, d[next] = denominator.a1.value, d[2 * next] = denominator.a2.value;")
		})
		s.Line("}")
	}
	s.Line("}")
	headers := map[string]string{"parts.cuh": partsHeader}
	return Unit{Name: name + ".cu", Text: s.String(), Headers: headers}
}

// batchItem returns the item of a batch: each member's multiplicity and values.
func batchItem(t *air.Table, b int, batch []int) Item {
	item := Item{Key: fmt.Sprint("part ", b/batchesPerPart), Extra: []uint32{uint32(b)}}
	for _, i := range batch {
		interaction := t.Interactions[i]
		item.Key += fmt.Sprintf(" %s %d", interaction.Kind, interaction.Bus.Index)
		item.Nodes = append(append(item.Nodes, interaction.Multiplicity), interaction.Values...)
	}
	return item
}

// ContentsKernel returns the name of the kernel that writes the messages of a lookup entry's positions.
func ContentsKernel(m *circuit.Machine, entry *air.Entry) string {
	return SafeName("contents", m.Name, entry.Bus.Name)
}

// CountKernel returns the name of the kernel that counts the messages that a table sends to an entry.
func CountKernel(m *circuit.Machine, entry *air.Entry, sender *air.Table) string {
	return SafeName("count", m.Name, entry.Bus.Name, "of", sender.Name)
}

// CountPublicKernel returns the name of the kernel that counts public messages to an entry.
func CountPublicKernel(m *circuit.Machine, entry *air.Entry) string {
	return SafeName("count", m.Name, entry.Bus.Name, "of_public_messages")
}

// sends returns the indices of a table's interactions that send on a bus.
func sends(t *air.Table, bus *air.Bus) []int {
	var list []int
	for i, interaction := range t.Interactions {
		if interaction.Bus == bus && interaction.Kind == air.Send {
			list = append(list, i)
		}
	}
	return list
}

// countedEntries returns the lookup entries to which a table sends messages.
func countedEntries(m *circuit.Machine, sender *air.Table) (entries []*air.Entry) {
	for _, t := range m.Tables {
		for k := range t.Lookups {
			if entry := &t.Lookups[k]; len(sends(sender, entry.Bus)) > 0 {
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

func countUnitName(m *circuit.Machine, sender *air.Table) string {
	return SafeName("counts", m.Name, sender.Name) + ".cu"
}

// countUnit counts the messages that a table sends to lookup entries. It returns false if there is no such message.
func countUnit(m *circuit.Machine, sender *air.Table) (Unit, bool) {
	entries := countedEntries(m, sender)
	s := countSource()
	for _, entry := range entries {
		writeCount(s, m, entry, sender, sends(sender, entry.Bus))
	}
	return Unit{Name: countUnitName(m, sender), Text: s.String(), Headers: countHeaders()}, len(entries) > 0
}

// lookupUnit evaluates the messages of a lookup entry, and counts the public messages sent to it.
func lookupUnit(m *circuit.Machine, t *air.Table, entry *air.Entry) Unit {
	s := countSource()
	writeContents(s, m, t, entry)
	writeCountPublic(s, m, entry)
	return Unit{Name: SafeName("lookup", m.Name, entry.Bus.Name) + ".cu", Text: s.String(), Headers: countHeaders()}
}

func countSource() *Source {
	s := NewSource("count.cuh", "parts.cuh")
	s.lines.WriteString(countedStruct.Text())
	return s
}

func countHeaders() map[string]string {
	return map[string]string{"count.cuh": countHeader, "lookup.cuh": lookupStruct.String(), "parts.cuh": partsHeader}
}

// Lookup describes a lookup entry to the counting kernels.
type Lookup struct {
	Contents uint64 `cuda:"const u64 *"` // the positions' messages, value after value
	Places   uint64 // row i of lane k is position k rows + i
	// by position: sums of the multiplicities' low halves, sums of their high halves, then Copied low sums of each further
	// copy
	Counts   uint64 `cuda:"u64 *"`
	CopyMask uint64 // the number of copies, a power of two, less 1
	Copied   uint64
	// the smallest id of a message that is not in the table: by sending instance, and for public messages
	Miss          uint64 `cuda:"u64 *"`
	Wanted        uint64 // the id of the message to write to Message
	Message       uint64 `cuda:"u64 *"`
	First, Length uint64 // of the positions that answer
	// of an index: position << 1, plus 1 if the choice is added to the position; all ones for none
	Entries                  uint64 `cuda:"const u32 *"`
	EntryCount, Base, Stride uint64
}

var lookupStruct = header.New("goldilocks.cuh").Struct("Lookup", Lookup{})

// writeContents evaluates the messages of each row of a lookup table.
func writeContents(s *Source, m *circuit.Machine, t *air.Table, entry *air.Entry) {
	name := ContentsKernel(m, entry)
	s.Line("KERNEL(%s, 128, TraceRows rows, u64 *contents) {", name)
	s.Line("u64 i = global_index();")
	s.Line("if (i >= rows.n) return;")
	s.Line("TraceRow row = trace_row(rows, i);")
	items := make([]Item, entry.Lanes)
	for lane := range items {
		items[lane] = Item{Nodes: t.Interactions[entry.Interaction+lane].Values, Extra: []uint32{uint32(lane)}}
	}
	for k, run := range FindRuns(t, items) {
		run.Write(s, fmt.Sprint(name, "_", k), func(v Values) {
			for j, value := range v.Nodes {
				s.Line("contents[(%d + %s) * rows.n + i] = %s;", j*entry.Lanes, v.Extra[0], value)
			}
		})
	}
	s.Line("}")
}

func writeCount(s *Source, m *circuit.Machine, entry *air.Entry, sender *air.Table, list []int) {
	name := CountKernel(m, entry, sender)
	s.Line("KERNEL(%s, %d, const CountedRows *parts, u32 count, Lookup lookup) {", name, PartThreads)
	s.Line("SHARED(u32, own, [FEW_PLACES]);")
	s.Line("clear_counts(lookup, own);")
	s.Line("const CountedRows &part = part_of_block(parts, count);")
	s.Line("const u64 i = index_in_part(parts, part);")
	s.Line("const bool live = i < part.rows.n;  // all threads of a warp count together")
	s.Line("TraceRow row = trace_row(part.rows, live ? i : 0);")
	s.Line("lookup.miss += part.instance;")
	items := make([]Item, len(list))
	for k, i := range list {
		interaction := sender.Interactions[i]
		items[k] = Item{Key: fmt.Sprint("part ", k/sendsPerPart), Extra: []uint32{uint32(i)},
			Nodes: append([]air.NodeID{interaction.Multiplicity}, interaction.Values...)}
	}
	for k, run := range FindRuns(sender, items) {
		item := run.Items()[0]
		s.Line("if (blockIdx.y == %d) {", item/sendsPerPart)
		run.Write(s, fmt.Sprint(name, "_", k), func(v Values) {
			s.Line("const u64 values[%d] = {%s};", len(v.Nodes)-1, strings.Join(v.Nodes[1:], ", "))
			s.Line("count_message(lookup, own, %s, values, live ? fp(%s) : fp(0), row.at << 16 | %s);",
				position(entry, v.Nodes[1:]), v.Nodes[0], v.Extra[0])
		})
		s.Line("}")
	}
	s.Line("add_counts(lookup, own);")
	s.Line("}")
}

// writeCountPublic counts messages in memory, each a multiplicity followed by its values. first is the number of the
// first message.
func writeCountPublic(s *Source, m *circuit.Machine, entry *air.Entry) {
	arity := entry.Bus.Arity()
	s.Line("KERNEL(%s, 32, const u64 *messages, u64 first, u64 count, Lookup lookup) {", CountPublicKernel(m, entry))
	s.Line("SHARED(u32, own, [FEW_PLACES]);")
	s.Line("clear_counts(lookup, own);")
	s.Line("u64 i = global_index();")
	s.Line("const bool live = i < count;")
	s.Line("u64 values[%d];", arity)
	s.Line("UNROLL for (u32 j = 0; j < %d; j++) values[j] = live ? messages[%d * i + 1 + j] : 0;", arity, arity+1)
	values := make([]string, arity)
	for j := range values {
		values[j] = fmt.Sprintf("values[%d]", j)
	}
	s.Line("count_message(lookup, own, %s, values, fp(live ? messages[%d * i] : 0), first + i);", position(entry, values),
		arity+1)
	s.Line("add_counts(lookup, own);")
	s.Line("}")
}

// position returns the expression of a message's position, relative to the first position of the entry.
func position(entry *air.Entry, values []string) string {
	if len(entry.Weights) == 0 {
		field, choice := 0, 0
		if entry.Index != nil {
			field, choice = entry.Index.Field, entry.Index.Choice
		}
		return fmt.Sprintf("index_place(lookup, %s, %s)", values[field], values[choice])
	}
	var terms []string
	for j, weight := range entry.Weights {
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

package verifiertest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// The roles of an input, as in guests/verifier/aggregate.h.
const (
	statements = iota
	lift
	join
	root
)

// Offsets in an output that is a part.
const (
	atKind      = 32
	atProgram   = 48
	atStatement = 112
	atNode      = 144
	atAlpha     = 200
	atBranch    = 248
	atSum       = 280
	partBytes   = 304
)

func words(list ...uint64) (text []byte) {
	for _, n := range list {
		text = binary.LittleEndian.AppendUint64(text, n)
	}
	return text
}

// asked is an input: the aggregator's id, the role, the number of children, a 0 that spares no calls, and the rest.
func asked(self [32]byte, role, children uint64, rest ...[]byte) []byte {
	return append(append(self[:], words(role, children, 0)...), bytes.Join(rest, nil)...)
}

// file is a file in an input.
func file(data []byte) []byte {
	data = aggregate.InWords(data)
	return append(words(uint64(len(data))), data...)
}

// refused requires that the native aggregator refuses an input by the named check.
func refused(t *testing.T, name, want string, input []byte) {
	t.Helper()
	if _, have := aggregated(t, input); have != want {
		t.Errorf("%s: %s, want %s", name, have, want)
	}
}

// Inputs of an invalid format are refused.
func TestAggregateInputs(t *testing.T) {
	longtest.Only(t)
	self := [32]byte{1}
	proof := file(cached(t, "rv64im-3").file)
	for name, input := range map[string][]byte{
		"nothing":                nil,
		"half a head":            self[:],
		"no children":            asked(self, statements, 0),
		"children of a lift":     asked(self, lift, 1, proof),
		"257 children":           asked(self, statements, 257, proof),
		"a role too many":        asked(self, root+1, 1, proof),
		"a child that is absent": asked(self, statements, 2, proof),
		"a byte after":           asked(self, statements, 1, proof, []byte{0}),
		"a length beyond":        asked(self, statements, 1, words(1<<63)),
		"a length without words": asked(self, statements, 1, words(7), words(0)),
		"a length that wraps":    asked(self, statements, 1, words(^uint64(0)), proof),
		"no arity":               asked(self, join, 1),
		"no place":               asked(self, lift, 0),
	} {
		refused(t, name, "VERIFIER_INPUT", input)
	}
	refused(t, "a changed child", "VERIFIER_FILE_MAGIC", asked(self, statements, 1, file([]byte("CHIASMUR"))))
}

// The repository's aggregator accepts no proof of fewer than 128 bits.
func TestAggregatorWantsAllBits(t *testing.T) {
	guest := riscvtest.Load(t, guests.Aggregator())
	input := asked([32]byte{1}, statements, 1, file(cached(t, "rv64im-3").file))
	if result, _ := emulated(t, guest, input); verdicts[result.Exit] != "VERIFIER_SECURITY" || len(result.Output) != 0 {
		t.Errorf("verdict %s with %d bytes of output, want VERIFIER_SECURITY and none", verdicts[result.Exit],
			len(result.Output))
	}
}

// lifted is a run in two shards with the inputs of its lifts.
type lifted struct {
	*subject
	set    *protocol.Set
	common protocol.Common
}

func newLifted(t *testing.T) *lifted {
	s := runInShards(t)
	set := new(protocol.Set)
	must(t, set.UnmarshalBinary(s.file))
	common, err := verify.Together(set, s.key)
	must(t, err)
	return &lifted{s, set, common}
}

// place is a lift's place under the run's own challenges.
func (l *lifted) place(shards, first, span uint64) []byte {
	text := words(shards, first, span)
	for _, e := range []goldilocks.Extension{l.common.LogUp.Alpha, l.common.LogUp.Beta} {
		text = append(text, words(uint64(e[0]), uint64(e[1]), uint64(e[2]))...)
	}
	return append(text, l.common.Branch[:]...)
}

func (l *lifted) part(t *testing.T, first, end int) []byte {
	text, err := l.set.Part(first, end)
	must(t, err)
	return file(text)
}

// edited is a copy of a text with another word.
func edited(text []byte, at int, word uint64) []byte {
	text = bytes.Clone(text)
	binary.LittleEndian.PutUint64(text[at:], word)
	return text
}

// flipped is a copy of a text with another bit.
func flipped(text []byte, at int) []byte {
	text = bytes.Clone(text)
	text[at] ^= 1
	return text
}

// Lifts are rejected if their input states another place or other challenges than those that the shards were proven
// for.
func TestLiftCheats(t *testing.T) {
	longtest.Only(t)
	l := newLifted(t)
	self := [32]byte{1}
	first, both := l.part(t, 0, 1), l.part(t, 0, 2)
	if _, verdict := aggregated(t, asked(self, lift, 0, l.place(2, 0, 2), both)); verdict != accepted {
		t.Fatal(verdict)
	}
	const alphaInPlace, branchInPlace = 24, 72
	var other protocol.Set
	must(t, other.UnmarshalBinary(l.file))
	other.Shards[0].Nonce++
	nonce, err := other.Part(0, 1)
	must(t, err)
	for _, c := range []struct {
		name, verdict string
		place, shards []byte
	}{
		{"a run of one shard", "VERIFIER_SHARDS", l.place(1, 0, 1), first},
		{"a run of 257 shards", "VERIFIER_SHARDS", l.place(257, 0, 1), first},
		{"three leaves", "VERIFIER_PLACE", l.place(4, 0, 3), both},
		{"no leaves", "VERIFIER_PLACE", l.place(2, 0, 0), first},
		{"a shard after the run", "VERIFIER_PLACE", l.place(2, 2, 1), first},
		{"a subtree across another", "VERIFIER_PLACE", l.place(4, 1, 2), both},
		{"a shard too few", "VERIFIER_PLACE", l.place(2, 0, 2), first},
		{"a shard too many", "VERIFIER_PLACE", l.place(2, 0, 1), both},
		{"the first shard as the second", "VERIFIER_QUOTIENT", l.place(2, 1, 1), first},
		{"alpha that is not below p", "VERIFIER_CHALLENGE",
			edited(l.place(2, 0, 1), alphaInPlace, goldilocks.Modulus+uint64(l.common.LogUp.Alpha[0])&0xff), first},
		{"another alpha", "VERIFIER_QUOTIENT", flipped(l.place(2, 0, 1), alphaInPlace), first},
		{"another run's K", "VERIFIER_QUOTIENT", flipped(l.place(2, 0, 1), branchInPlace), first},
		{"grinding skipped", "VERIFIER_NONCE", l.place(2, 0, 1), file(nonce)},
	} {
		refused(t, c.name, c.verdict, asked(self, lift, 0, c.place, c.shards))
	}
}

// Joins and roots are refused if parts are missing, moved, duplicated, from other runs or under invented challenges.
// The echo proves what a cheating aggregator would have to prove.
func TestJoinCheats(t *testing.T) {
	longtest.Only(t)
	l, e := newLifted(t), newEcho(t, 0)
	var parts [2][]byte
	for i := range parts {
		output, verdict := aggregated(t, asked(e.id, lift, 0, l.place(2, uint64(i), 1), l.part(t, i, i+1)))
		if verdict != accepted || len(output) != partBytes {
			t.Fatalf("%s, %d bytes", verdict, len(output))
		}
		parts[i] = output
	}
	child := func(output []byte) []byte { return file(e.prove(t, output)) }
	a, b := child(parts[0]), child(parts[1])
	head := l.part(t, 0, 0)
	if _, verdict := aggregated(t, asked(e.id, root, 2, words(2), a, b, head)); verdict != accepted {
		t.Fatal(verdict)
	}
	// changed changes both parts in the same way, so that they agree with each other.
	changed := func(at int) []byte {
		return slices.Concat(words(2), child(flipped(parts[0], at)), child(flipped(parts[1], at)), head)
	}
	for _, c := range []struct {
		name, verdict  string
		role, children uint64
		rest           []byte
	}{
		{"a shard twice", "VERIFIER_PLACE", join, 2, slices.Concat(words(2), a, a)},
		{"shards in each other's place", "VERIFIER_PLACE", join, 2, slices.Concat(words(2), b, a)},
		{"a shard missing", "VERIFIER_PLACE", join, 1, slices.Concat(words(2), a)},
		{"an arity of 3", "VERIFIER_PLACE", join, 2, slices.Concat(words(3), a, b)},
		{"an arity of 0", "VERIFIER_PLACE", join, 1, slices.Concat(words(0), a)},
		{"more children than the arity", "VERIFIER_PLACE", join, 2, slices.Concat(words(1), a, b)},
		{"a root over a part of the run", "VERIFIER_PLACE", root, 1, slices.Concat(words(1), a, head)},
		{"a root over the end of the run", "VERIFIER_PLACE", root, 1, slices.Concat(words(1), b, head)},
		{"a part of another statement", "VERIFIER_PARTS", join, 2,
			slices.Concat(words(2), a, child(flipped(parts[1], atStatement)))},
		{"a part of another program", "VERIFIER_PARTS", join, 2,
			slices.Concat(words(2), a, child(flipped(parts[1], atProgram)))},
		{"a part under another alpha", "VERIFIER_PARTS", join, 2,
			slices.Concat(words(2), a, child(flipped(parts[1], atAlpha)))},
		{"p for 0 in a sum", "VERIFIER_CHALLENGE", join, 2,
			slices.Concat(words(2), a, child(edited(parts[1], atSum, goldilocks.Modulus)))},
		{"another sum", "VERIFIER_SUMS", root, 2, slices.Concat(words(2), a, child(flipped(parts[1], atSum)), head)},
		{"made-up challenges", "VERIFIER_COMMON", root, 2, changed(atAlpha)},
		{"a made-up K", "VERIFIER_COMMON", root, 2, changed(atBranch)},
		{"another commitment", "VERIFIER_COMMON", root, 2,
			slices.Concat(words(2), child(flipped(parts[0], atNode)), b, head)},
		{"parts of another program than the root's", "VERIFIER_PARTS", root, 2, changed(atProgram)},
		{"parts of another statement than the root's", "VERIFIER_PARTS", root, 2, changed(atStatement)},
		{"a part in a batch", "VERIFIER_ROLE", statements, 2, slices.Concat(a, b)},
		{"a part squeezed", "VERIFIER_ROLE", statements, 1, a},
		{"another program's id", "VERIFIER_CHILD_SELF", statements, 1, child(flipped(parts[0], 0))},
		{"an output of no kind", "VERIFIER_CHILD_OUTPUT", statements, 1, child(edited(parts[0], atKind, 4))},
		{"an output of another kind's length", "VERIFIER_CHILD_OUTPUT", statements, 1, child(edited(parts[0], atKind, 1))},
		{"a short output", "VERIFIER_CHILD_OUTPUT", statements, 1, child(parts[0][:atKind])},
		{"a run in a join", "VERIFIER_ROLE", join, 1, slices.Concat(words(1), file(cached(t, "rv64im-3").file))},
	} {
		refused(t, c.name, c.verdict, asked(e.id, c.role, c.children, c.rest))
	}
	failed := newEcho(t, 1)
	output := append(bytes.Clone(failed.id[:]), parts[0][32:]...)
	refused(t, "an aggregation that failed", "VERIFIER_CHILD_EXIT",
		asked(failed.id, statements, 1, file(failed.prove(t, output))))
}

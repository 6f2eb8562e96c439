package protocol

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// The kinds of lists that protocol 3 hashes: docs/spec/protocol.md, section 14.
const (
	listCanonical = 1
	listCap       = 2
	listKey       = 3
	listProgram   = 4
	listPlan      = 5
	listShard     = 6
	listStatement = 7
	listData      = 12 // and the following numbers, one for each list of public data
	listHeader    = 15
)

// KeyCapHeight is the height of the fixed caps in a protocol 3 key, which has one for each blowup.
const KeyCapHeight = 6

// listDigest returns the digest of a list, or zeros for an empty list.
func listDigest(kind byte, items []transcript.Item) merkle.Digest {
	if len(items) == 0 {
		return merkle.Digest{}
	}
	return transcript.List(kind, items...)
}

func digestItems(digests ...merkle.Digest) []transcript.Item {
	items := make([]transcript.Item, len(digests))
	for i, d := range digests {
		items[i] = transcript.DigestItem(d)
	}
	return items
}

// canonicalDigest returns the digest of the machine's canonical form.
func canonicalDigest(m *circuit.Machine) merkle.Digest {
	if m.CanonicalDigest != nil {
		return *m.CanonicalDigest
	}
	return CanonicalDigest(m)
}

// CanonicalDigest computes the digest of the machine's canonical form, which keys of protocol 3 contain.
func CanonicalDigest(m *circuit.Machine) merkle.Digest {
	return listDigest(listCanonical, transcript.Bytes(m.Canonical()))
}

// header encodes the program's entry and the heights of its tables.
func (k *ProgramKey) header() []byte {
	header := binary.LittleEndian.AppendUint64(nil, k.Entry)
	for _, h := range k.LogHeights {
		header = append(header, byte(h))
	}
	return header
}

// planDigest returns the digest of the parameters and instances.
func planDigest(params Params, instances []circuit.Instance) merkle.Digest {
	return listDigest(listPlan, append(transcript.Bytes(params.append(nil)),
		transcript.Bytes(appendInstances(nil, instances))...))
}

// statementDigest returns the digest of the statement of a proof or of a number of shards.
func statementDigest(m *circuit.Machine, public circuit.Public, shards int) merkle.Digest {
	var items []transcript.Item
	for _, value := range public.Values {
		items = append(items, transcript.NumberItem(uint64(value)))
	}
	items = append(items, transcript.NumberItem(uint64(shards)))
	if m.DataLists != nil {
		numbers, lists := m.DataLists(public)
		items = append(items, numberItems(numbers)...)
		for i, numbers := range lists {
			items = append(items, transcript.DigestItem(listDigest(byte(listData+i), numberItems(numbers))))
		}
	}
	return listDigest(listStatement, items)
}

func numberItems(numbers []uint64) []transcript.Item {
	items := make([]transcript.Item, len(numbers))
	for i, n := range numbers {
		items[i] = transcript.NumberItem(n)
	}
	return items
}

// shardsRoot returns the root of the tree over the shards' commitments, and the tree's number of leaves. The digest of
// an absent leaf, and of a node over absent leaves only, is zero.
func shardsRoot(params Params, shards []Commitment) (root merkle.Digest, span int) {
	for span = 1; span < len(shards); span *= 2 {
	}
	layer := make([]merkle.Digest, span)
	for i, shard := range shards {
		plan := planDigest(params, shard.Instances)
		layer[i] = listDigest(listShard, append(digestItems(plan), digestItems(shard.MainCap...)...))
	}
	for present := len(shards); len(layer) > 1; {
		present = (present + 1) / 2
		layer = append(merkle.Parents(merkle.Blake3, layer[:2*present]), make([]merkle.Digest, len(layer)/2-present)...)
	}
	return layer[0], span
}

// appendItems encodes extension elements as protocol 3's items: coordinates, and a zero.
func appendItems(dst []byte, list []goldilocks.Extension) []byte {
	for _, e := range list {
		for _, coordinate := range e {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(coordinate))
		}
		dst = binary.LittleEndian.AppendUint64(dst, 0)
	}
	return dst
}

// appendNumbers encodes numbers below the modulus as protocol 3's items.
func appendNumbers(dst []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		dst = appendItems(dst, []goldilocks.Extension{{goldilocks.Element(n)}})
	}
	return dst
}

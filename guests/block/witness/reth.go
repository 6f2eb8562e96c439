package witness

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// FromReth reads an input of ZisK's guest for reth, which 0xPolygonHermez/zisk-eth-client publishes
// (bin/guests/stateless-validator-reth/inputs). It has two parts, each with its length, encoded with bincode:
//
//	block (RLP), the chain's configuration, senders' keys    of which the block and the chain's id are read
//	nodes, codes, keys, ancestors' headers                   all read; keys are not needed
func FromReth(data []byte) (*Block, error) {
	public, rest, err := zisk(data)
	if err != nil {
		return nil, fmt.Errorf("first part: %w", err)
	}
	private, rest, err := zisk(rest)
	if err != nil {
		return nil, fmt.Errorf("second part: %w", err)
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d trailing bytes after the second part", len(rest))
	}
	r := bincode{rest: public}
	raw, chainID := r.bytes(), r.number()
	if r.err != nil {
		return nil, fmt.Errorf("first part: %w", r.err)
	}
	b, err := fromRLP(raw)
	if err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	b.ChainID = chainID
	w := bincode{rest: private}
	var headers [][]byte
	b.Nodes, b.Codes, _, headers = w.list(), w.list(), w.list(), w.list()
	if w.err == nil && len(w.rest) > 0 {
		w.err = fmt.Errorf("%d trailing bytes", len(w.rest))
	}
	if w.err != nil {
		return nil, fmt.Errorf("second part: %w", w.err)
	}
	if err := b.addParents(headers); err != nil {
		return nil, err
	}
	return b, nil
}

// zisk splits a part off: a length of eight bytes, the part, and zeros up to a multiple of eight.
func zisk(data []byte) (part, rest []byte, err error) {
	size, rest, err := word(data)
	if err != nil {
		return nil, nil, err
	}
	padding := -size & 7
	if size > uint64(len(rest)) || size+padding > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("%d bytes, and %d are left", size, len(rest))
	}
	if slices.ContainsFunc(rest[size:size+padding], func(b byte) bool { return b != 0 }) {
		return nil, nil, errors.New("padding that is not zero")
	}
	return rest[:size], rest[size+padding:], nil
}

// bincode reads values of bincode 2's standard configuration up to the first error.
type bincode struct {
	rest []byte
	err  error
}

func (r *bincode) take(n uint64) []byte {
	if r.err == nil && n > uint64(len(r.rest)) {
		r.err = fmt.Errorf("%d bytes, and %d are left", n, len(r.rest))
	}
	if r.err != nil {
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// number reads a number: a byte below 251, or 251, 252, 253 and a number of 2, 4, 8 bytes, lowest first.
func (r *bincode) number() uint64 {
	first := r.take(1)
	if r.err != nil {
		return 0
	}
	if first[0] < 251 {
		return uint64(first[0])
	}
	if first[0] > 253 {
		r.err = fmt.Errorf("a number begins with %d", first[0])
		return 0
	}
	var wide [8]byte
	copy(wide[:], r.take(2<<(first[0]-251)))
	return binary.LittleEndian.Uint64(wide[:])
}

func (r *bincode) bytes() []byte { return r.take(r.number()) }

func (r *bincode) list() (all [][]byte) {
	for n := r.number(); n > 0 && r.err == nil; n-- {
		all = append(all, r.bytes())
	}
	return all
}

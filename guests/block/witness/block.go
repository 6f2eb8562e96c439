package witness

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/crypto/sha3"
)

// Hash is a Keccak-256 digest.
type Hash [32]byte

func (h Hash) String() string { return fmt.Sprintf("0x%x", h[:]) }

func keccak(data []byte) (h Hash) {
	k := sha3.NewLegacyKeccak256()
	k.Write(data)
	k.Sum(h[:0])
	return h
}

// Block is a block with the data to validate it. Headers, withdrawals and nodes of tries are in RLP, transactions are
// encoded as in the trie of transactions (EIP-2718).
type Block struct {
	ChainID uint64
	// PreState is the root of the state before the block.
	PreState Hash
	// Headers are the headers of the block, its parent and older ancestors, without a gap. They may end with the block's.
	Headers      [][]byte
	Transactions [][]byte
	Withdrawals  [][]byte
	Nodes        [][]byte
	Codes        [][]byte
}

// magic begins an input of the guest, and includes the version of its encoding.
const magic = "block 1\n"

// Encode returns the guest's private input.
func (b *Block) Encode() []byte {
	out := binary.LittleEndian.AppendUint64([]byte(magic), b.ChainID)
	out = append(out, b.PreState[:]...)
	for _, list := range [][][]byte{b.Headers, b.Transactions, b.Withdrawals, b.Nodes, b.Codes} {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(list)))
		for _, part := range list {
			out = binary.LittleEndian.AppendUint64(out, uint64(len(part)))
			out = append(out, part...)
			out = append(out, make([]byte, -len(part)&7)...)
		}
	}
	return out
}

// Decode reads the guest's private input.
func Decode(data []byte) (*Block, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < 40 {
		return nil, fmt.Errorf("not an input of the block guest: it begins with %q", magic)
	}
	b := &Block{ChainID: binary.LittleEndian.Uint64(rest), PreState: Hash(rest[8:40])}
	rest = rest[40:]
	var err error
	for i, list := range []*[][]byte{&b.Headers, &b.Transactions, &b.Withdrawals, &b.Nodes, &b.Codes} {
		if *list, rest, err = decodeList(rest); err != nil {
			return nil, fmt.Errorf("list %d of the input: %w", i, err)
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d trailing bytes after the input", len(rest))
	}
	return b, nil
}

func decodeList(rest []byte) (list [][]byte, after []byte, err error) {
	n, rest, err := word(rest)
	for ; err == nil && n > 0; n-- {
		var size uint64
		if size, rest, err = word(rest); err != nil {
			break
		}
		padding := -size & 7
		if size > uint64(len(rest)) || size+padding > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("a part of %d bytes in %d", size, len(rest))
		}
		if slices.ContainsFunc(rest[size:size+padding], func(b byte) bool { return b != 0 }) {
			return nil, nil, fmt.Errorf("padding that is not zero after a part of %d bytes", size)
		}
		list, rest = append(list, rest[:size:size]), rest[size+padding:]
	}
	return list, rest, err
}

func word(data []byte) (uint64, []byte, error) {
	if len(data) < 8 {
		return 0, nil, fmt.Errorf("the input is cut off: %d bytes where a length should be", len(data))
	}
	return binary.LittleEndian.Uint64(data), data[8:], nil
}

// The indices of the header's fields that this package reads.
const (
	fieldParent = 0
	fieldState  = 3
	fieldNumber = 8
	leastFields = 15
)

// addAncestors puts the headers of ancestors after the block's own header: the parent's, then its parent's, and so on.
// The given headers may be in any order, but each must be an ancestor's.
func (b *Block) addAncestors(headers [][]byte) error {
	byHash := map[Hash][]byte{}
	for _, h := range headers {
		byHash[keccak(h)] = h
	}
	distinct := len(byHash)
	for at := b.Headers[0]; ; {
		fields, err := headerFields(at)
		if err != nil {
			return fmt.Errorf("header %d: %w", len(b.Headers)-1, err)
		}
		if len(b.Headers) == 2 {
			b.PreState = Hash(fields[fieldState])
		}
		parent := Hash(fields[fieldParent])
		next, ok := byHash[parent]
		if !ok {
			break
		}
		delete(byHash, parent)
		b.Headers, at = append(b.Headers, next), next
	}
	if len(byHash) > 0 {
		return fmt.Errorf("%d of %d headers are not consecutive ancestors of the block", len(byHash), distinct)
	}
	return nil
}

// addParents is addAncestors if the parent's header must be among them.
func (b *Block) addParents(headers [][]byte) error {
	if err := b.addAncestors(headers); err != nil {
		return err
	}
	if len(b.Headers) == 1 {
		return errors.New("the header of the block's parent is missing: its state's root begins the block")
	}
	return nil
}

// headerFields returns the fields of a header.
func headerFields(header []byte) ([][]byte, error) {
	item, rest, err := cut(header)
	if err == nil && (!item.list || len(rest) > 0) {
		err = fmt.Errorf("not a list in RLP, or %d bytes after it", len(rest))
	}
	if err != nil {
		return nil, err
	}
	var fields [][]byte
	for rest := item.payload; len(rest) > 0; {
		var field rlpItem
		if field, rest, err = cut(rest); err != nil {
			return nil, fmt.Errorf("field %d: %w", len(fields), err)
		}
		if field.list {
			return nil, fmt.Errorf("field %d is a list", len(fields))
		}
		fields = append(fields, field.payload)
	}
	if len(fields) < leastFields || len(fields[fieldParent]) != 32 || len(fields[fieldState]) != 32 {
		return nil, fmt.Errorf("%d fields: a header has at least %d, the parent's hash and the state's root have 32 bytes",
			len(fields), leastFields)
	}
	return fields, nil
}

package witness

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// rlpItem is an item that was split off the front of some bytes.
type rlpItem struct {
	whole   []byte // with its head
	payload []byte
	list    bool
}

var errShortRLP = errors.New("RLP is cut off")

// cut splits an item off. It accepts only canonical RLP.
func cut(data []byte) (item rlpItem, rest []byte, err error) {
	if len(data) == 0 {
		return item, nil, errShortRLP
	}
	first, start, size := data[0], 1, 0
	switch {
	case first < 0x80:
		start, size = 0, 1
	case first < 0xb8:
		size = int(first - 0x80)
	case first >= 0xc0 && first < 0xf8:
		size = int(first - 0xc0)
	default:
		n := int(first-0xb7) & 0x3f
		if first >= 0xf8 {
			n = int(first - 0xf7)
		}
		if len(data) < 1+n {
			return item, nil, errShortRLP
		}
		var wide [8]byte
		copy(wide[8-n:], data[1:1+n])
		long := binary.BigEndian.Uint64(wide[:])
		if data[1] == 0 || long < 56 {
			return item, nil, fmt.Errorf("RLP is not canonical: a length of %d in %d bytes", long, n)
		}
		if long > uint64(len(data)) {
			return item, nil, errShortRLP
		}
		start, size = 1+n, int(long)
	}
	if start+size > len(data) {
		return item, nil, errShortRLP
	}
	item = rlpItem{data[: start+size : start+size], data[start : start+size : start+size], first >= 0xc0}
	if start == 1 && size == 1 && !item.list && item.payload[0] < 0x80 {
		return item, nil, fmt.Errorf("RLP is not canonical: byte %#x has a head", item.payload[0])
	}
	return item, data[start+size:], nil
}

// items splits a list's payload into its items.
func items(payload []byte) (all []rlpItem, err error) {
	for len(payload) > 0 {
		var item rlpItem
		if item, payload, err = cut(payload); err != nil {
			return nil, fmt.Errorf("item %d: %w", len(all), err)
		}
		all = append(all, item)
	}
	return all, nil
}

func rlpHead(kind byte, n int) []byte {
	if n < 56 {
		return []byte{kind + byte(n)}
	}
	size := (bits.Len(uint(n)) + 7) / 8
	wide := binary.BigEndian.AppendUint64(nil, uint64(n))
	return append([]byte{kind + 55 + byte(size)}, wide[8-size:]...)
}

// rlpString encodes a string.
func rlpString(s []byte) []byte {
	if len(s) == 1 && s[0] < 0x80 {
		return s
	}
	return append(rlpHead(0x80, len(s)), s...)
}

// rlpList encodes a list of encoded items.
func rlpList(items ...[]byte) []byte {
	n := 0
	for _, i := range items {
		n += len(i)
	}
	out := rlpHead(0xc0, n)
	for _, i := range items {
		out = append(out, i...)
	}
	return out
}

package relation

import (
	"encoding/binary"
	"math/big"
)

// Hex parses a hexadecimal number. It panics if text is invalid.
func Hex(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 16)
	if !ok {
		panic("relation: " + text + " is not a hexadecimal number")
	}
	return n
}

// Number returns the number with these words, the least significant first.
func Number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// Words returns the count words of n, the least significant first. n must not be negative and must fit.
func Words(n *big.Int, count int) []uint64 {
	bytes, list := n.FillBytes(make([]byte, 8*count)), make([]uint64, count)
	for i := range list {
		list[i] = binary.BigEndian.Uint64(bytes[8*(count-1-i):])
	}
	return list
}

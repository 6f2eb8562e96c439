package relation

import (
	"encoding/binary"
	"math/big"
)

// Hex is a number by its hexadecimal digits. It panics if the text has others.
func Hex(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 16)
	if !ok {
		panic("relation: " + text + " is no hexadecimal number")
	}
	return n
}

// Number is a number of which the least significant word comes first.
func Number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}

// Words are those of a number that is not negative and has no more, the least significant first.
func Words(n *big.Int, count int) []uint64 {
	bytes, list := n.FillBytes(make([]byte, 8*count)), make([]uint64, count)
	for i := range list {
		list[i] = binary.BigEndian.Uint64(bytes[8*(count-1-i):])
	}
	return list
}

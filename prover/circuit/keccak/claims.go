package keccak

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/chiasmus/chiasmus/prover/circuit"
)

// Size returns the number of permutations, which follows from the length alone.
func (c *Claims) Size(public circuit.Public, _ []circuit.Instance) (int, error) {
	if err := c.machine.CheckStated(public); err != nil {
		return 0, err
	}
	return Permutations(int(public.Values[PublicLength])), nil
}

// Claim names the digest and the length.
func (c *Claims) Claim(public circuit.Public, _ int) string {
	return fmt.Sprintf("digest %s\nlength %d", digestText(public), uint64(public.Values[PublicLength]))
}

// Describe lists the digest and the length.
func (c *Claims) Describe(public circuit.Public) []circuit.Field {
	return []circuit.Field{
		{Name: "digest", Value: digestText(public)},
		{Name: "length", Value: strconv.FormatUint(uint64(public.Values[PublicLength]), 10)},
	}
}

// digestText returns the digest as 64 hexadecimal digits.
func digestText(public circuit.Public) string {
	var digest [DigestBytes]byte
	for i := range PublicLimbs {
		binary.LittleEndian.PutUint16(digest[2*i:], uint16(public.Values[i]))
	}
	return hex.EncodeToString(digest[:])
}

//go:build !amd64

package keccak

import "github.com/chiasmus/chiasmus/prover/goldilocks"

func hashRows8(dst []Digest, columns [][]goldilocks.Element, first int) int { return 0 }

func hashRows4(dst []Digest, columns [][]goldilocks.Element, first int) int { return 0 }

func hashNodes8(dst, children, extra []Digest) int { return 0 }

func hashNodes4(dst, children, extra []Digest) int { return 0 }

func (c *counted) sum8(dst []Digest, first uint64) int { return 0 }

func (c *counted) sum4(dst []Digest, first uint64) int { return 0 }

func permuteFast(*[25]uint64) bool { return false }

func absorbFast(*[25]uint64, []byte) int { return 0 }

func chainFast(s *[25]uint64, blocks, inputs []uint64) bool { return false }

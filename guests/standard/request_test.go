package standard

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// function is a function of the standard, by its number in standard.c.
type function uint32

const (
	keccak256 function = iota
	secp256k1Verify
	secp256k1Recover
	sha256Sum
	ripemd160Sum
	modexp
	bn254Add
	bn254Mul
	bn254Pairing
	blake2f
	kzgPointEval
	g1Add
	g1MSM
	g2Add
	g2MSM
	bls12Pairing
	mapToG1
	mapToG2
	secp256r1Verify
	functions
)

// vector is a call of a function and the required answer: nil if the call must fail.
type vector struct {
	name      string
	function  function
	arguments [][]byte
	answer    []byte
}

var (
	yes = []byte{1}
	no  = []byte{0}
)

// encode returns the input of standard.c for the calls.
func encode(vectors []vector) (input []byte) {
	for _, v := range vectors {
		input = binary.LittleEndian.AppendUint32(input, uint32(v.function))
		input = binary.LittleEndian.AppendUint32(input, uint32(len(v.arguments)))
		for _, a := range v.arguments {
			input = binary.LittleEndian.AppendUint32(input, uint32(len(a)))
			input = append(input, a...)
		}
	}
	return input
}

// compare compares the output of standard.c with the vectors.
func compare(vectors []vector, output []byte) (wrong []error) {
	for i, v := range vectors {
		if len(output) < 8 {
			return append(wrong, fmt.Errorf("%s and %d vectors after it have no answer", v.name, len(vectors)-1-i))
		}
		status, n := int32(binary.LittleEndian.Uint32(output)), binary.LittleEndian.Uint32(output[4:])
		output = output[8:]
		if uint64(len(output)) < uint64(n) {
			return append(wrong, fmt.Errorf("%s: %d bytes of answer, want %d", v.name, len(output), n))
		}
		answer := output[:n]
		output = output[n:]
		if v.function == secp256k1Recover && status == 0 && len(v.answer) == 32 {
			answer = addressOf(answer)
		}
		switch {
		case v.answer == nil && status != -1:
			wrong = append(wrong, fmt.Errorf("%s: status %d, answer %x, want ZKVM_EFAIL", v.name, status, answer))
		case v.answer != nil && status != 0:
			wrong = append(wrong, fmt.Errorf("%s: status %d, want the answer %x", v.name, status, v.answer))
		case v.answer != nil && !bytes.Equal(answer, v.answer):
			wrong = append(wrong, fmt.Errorf("%s: answer %x, want %x", v.name, answer, v.answer))
		}
	}
	if len(output) > 0 {
		wrong = append(wrong, fmt.Errorf("%d bytes after the last answer", len(output)))
	}
	return wrong
}

// mostCycles limits the cycles of one run's calls, as estimated by cycles: far fewer than a run can have.
const mostCycles = 150e6

// cycles estimates the cycles of a call in the guest.
func cycles(v vector) float64 {
	size := 0
	for _, a := range v.arguments {
		size += len(a)
	}
	n := float64(size)
	switch v.function {
	case blake2f:
		return 200 * float64(binary.LittleEndian.Uint32(v.arguments[0]))
	case modexp:
		m, e := float64(len(v.arguments[2])), float64(len(v.arguments[1]))
		return 1e4 + 10*e*m*m
	case secp256k1Verify, secp256k1Recover, secp256r1Verify:
		return 6e5
	case bn254Pairing:
		return 1e5 + 1e5*n/192
	case bls12Pairing:
		return 2e5 + 1e5*n/288
	case g2MSM:
		return 7e4 * n / 224
	}
	return 2e5
}

// batches splits vectors so that the answers of each batch fit a run's public output, and its calls a run's length.
func batches(vectors []vector) (all [][]vector) {
	size, work := 0, 0.0
	for i, v := range vectors {
		more, effort := 8+len(v.answer), cycles(v)
		if i == 0 || size+more > 1<<15 || work+effort > mostCycles {
			all = append(all, nil)
			size, work = 0, 0
		}
		size, work = size+more, work+effort
		all[len(all)-1] = append(all[len(all)-1], v)
	}
	return all
}

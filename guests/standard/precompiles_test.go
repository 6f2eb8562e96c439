package standard

import (
	"archive/zip"
	"bytes"
	"crypto/ecdh"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"math/big"
	"testing"

	"golang.org/x/crypto/sha3"
)

// gethCase is one of go-ethereum's cases for a precompiled contract.
type gethCase struct {
	Name, Input, Expected, ExpectedError string
}

// translate makes a call of the standard from the input of a precompiled contract. It reports false if the standard
// cannot express the input, such as one of the wrong length.
type translate func(c gethCase, input, expected []byte) (vector, bool)

// gethFiles are the files of core/vm/testdata/precompiles, with the number of cases that the standard can express.
var gethFiles = []struct {
	name      string
	cases     int
	translate translate
}{
	{"ecRecover", 5, recoverOf},
	{"modexp", 17, modexpOf},
	{"modexp_eip2565", 47, modexpOf},
	{"modexp_eip7883", 45, modexpOf},
	{"bn256Add", 16, pointsOf(bn254Add, 128, 64, 64)},
	{"bn256ScalarMul", 19, pointsOf(bn254Mul, 96, 64, 32)},
	{"bn256Pairing", 14, pairingOf},
	{"blake2F", 5, blake2fOf},
	{"fail-blake2f", 1, blake2fOf},
	{"pointEvaluation", 1, pointEvaluationOf},
	{"blsG1Add", 112, blsOf(g1Add, false, 2, 2)},
	{"fail-blsG1Add", 2, blsOf(g1Add, false, 2, 2)},
	{"blsG1Mul", 11, blsOf(g1MSM, true, 2, -32)},
	{"fail-blsG1Mul", 3, blsOf(g1MSM, true, 2, -32)},
	{"blsG1MultiExp", 154, blsOf(g1MSM, true, 2, -32)},
	{"fail-blsG1MultiExp", 3, blsOf(g1MSM, true, 2, -32)},
	{"blsG2Add", 112, blsOf(g2Add, false, 4, 4)},
	{"fail-blsG2Add", 2, blsOf(g2Add, false, 4, 4)},
	{"blsG2Mul", 11, blsOf(g2MSM, true, 4, -32)},
	{"fail-blsG2Mul", 3, blsOf(g2MSM, true, 4, -32)},
	{"blsG2MultiExp", 153, blsOf(g2MSM, true, 4, -32)},
	{"fail-blsG2MultiExp", 3, blsOf(g2MSM, true, 4, -32)},
	{"blsPairing", 106, blsOf(bls12Pairing, true, 2, 4)},
	{"fail-blsPairing", 5, blsOf(bls12Pairing, true, 2, 4)},
	{"blsMapG1", 105, blsOf(mapToG1, false, 1)},
	{"fail-blsMapG1", 1, blsOf(mapToG1, false, 1)},
	{"blsMapG2", 105, blsOf(mapToG2, false, 2)},
	{"fail-blsMapG2", 1, blsOf(mapToG2, false, 2)},
	{"p256Verify", 782, p256Of},
}

// gethVectors returns the cases of all files.
func gethVectors(t *testing.T) (vectors []vector) {
	module := download(t, "github.com/ethereum/go-ethereum@v1.16.7", "h1:qeM4TvbrWK0UC0tgkZ7NiRsmBGwsjqc64BHo20U59UQ=")
	for _, file := range gethFiles {
		var cases []gethCase
		text := readZipped(t, module, "/core/vm/testdata/precompiles/"+file.name+".json")
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatalf("%s: %v", file.name, err)
		}
		n := 0
		for _, c := range cases {
			input, expected := unhex(t, c.Input), unhex(t, c.Expected)
			if v, ok := file.translate(c, input, expected); ok {
				v.name = file.name + "/" + c.Name
				vectors = append(vectors, v)
				n++
			}
		}
		if n != file.cases {
			t.Errorf("%s: %d of %d cases can be expressed, want %d", file.name, n, len(cases), file.cases)
		}
	}
	return vectors
}

// pad returns the first n bytes of an input, extended with zeros.
func pad(input []byte, n int) []byte { return append(bytes.Clone(input), make([]byte, n)...)[:n] }

// isOne reports whether a contract's output is the number 1.
func isOne(output []byte) bool { return new(big.Int).SetBytes(output).Cmp(big.NewInt(1)) == 0 }

func truth(is bool) []byte {
	if is {
		return yes
	}
	return no
}

func recoverOf(_ gethCase, input, expected []byte) (vector, bool) {
	input = pad(input, 128)
	v := new(big.Int).SetBytes(input[32:64])
	recid := byte(4) // no recovery number
	if v.Cmp(big.NewInt(27)) == 0 || v.Cmp(big.NewInt(28)) == 0 {
		recid = byte(v.Uint64() - 27)
	}
	answer := []byte(nil)
	if len(expected) > 0 {
		answer = expected // an address: compare takes the key's hash
	}
	return vector{"", secp256k1Recover, [][]byte{input[:32], input[64:128], {recid}}, answer}, true
}

// addressOf is the account of a key, as the contract writes it.
func addressOf(key []byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	hash.Write(key)
	return append(make([]byte, 12), hash.Sum(nil)[12:]...)
}

func modexpOf(_ gethCase, input, expected []byte) (vector, bool) {
	head, input := pad(input, 96), input[min(96, len(input)):]
	var part [3][]byte
	for i := range part {
		n := int(new(big.Int).SetBytes(head[32*i : 32*i+32]).Int64())
		part[i] = pad(input, n)
		input = input[min(n, len(input)):]
	}
	return vector{"", modexp, part[:], append([]byte{}, expected...)}, true
}

// pointsOf reads arguments of fixed sizes from an input that is padded to n bytes.
func pointsOf(f function, n int, sizes ...int) translate {
	return func(_ gethCase, input, expected []byte) (vector, bool) {
		v := vector{"", f, nil, expected}
		input = pad(input, n)
		for _, size := range sizes {
			v.arguments = append(v.arguments, input[:size])
			input = input[size:]
		}
		return v, true
	}
}

func pairingOf(_ gethCase, input, expected []byte) (vector, bool) {
	return vector{"", bn254Pairing, [][]byte{input}, truth(isOne(expected))}, len(input)%192 == 0
}

func blake2fOf(c gethCase, input, expected []byte) (vector, bool) {
	if len(input) != 213 {
		return vector{}, false
	}
	rounds := binary.LittleEndian.AppendUint32(nil, binary.BigEndian.Uint32(input))
	if c.ExpectedError != "" {
		expected = nil
	}
	return vector{"", blake2f, [][]byte{rounds, input[4:68], input[68:196], input[196:213]}, expected}, true
}

func pointEvaluationOf(_ gethCase, input, _ []byte) (vector, bool) {
	return vector{"", kzgPointEval, [][]byte{input[96:144], input[32:64], input[64:96], input[144:192]}, yes}, true
}

// blsOf removes the 16 zeros before each number of 48 bytes. Sizes are the arguments' sizes in numbers, or in bytes if
// negative. Lists are one argument.
func blsOf(f function, list bool, sizes ...int) translate {
	return func(c gethCase, input, expected []byte) (vector, bool) {
		v := vector{"", f, nil, nil}
		var all []byte
		for rest := input; len(rest) > 0 || len(v.arguments) == 0 && !list; {
			for _, size := range sizes {
				var argument []byte
				var ok bool
				if argument, rest, ok = takeNumbers(rest, size); !ok {
					return vector{}, false
				}
				all = append(all, argument...)
				v.arguments = append(v.arguments, argument)
			}
		}
		if list {
			v.arguments = [][]byte{all}
		}
		if c.ExpectedError == "" {
			if f == bls12Pairing {
				v.answer = truth(isOne(expected))
			} else {
				v.answer, _, _ = takeNumbers(expected, len(expected)/64)
			}
		}
		return v, len(input) > 0 && (list || len(v.arguments) == len(sizes))
	}
}

func takeNumbers(from []byte, n int) (numbers, rest []byte, ok bool) {
	if n < 0 {
		if len(from) < -n {
			return nil, nil, false
		}
		return from[:-n], from[-n:], true
	}
	for range n {
		if len(from) < 64 || !bytes.Equal(from[:16], make([]byte, 16)) {
			return nil, nil, false
		}
		numbers, from = append(numbers, from[16:64]...), from[64:]
	}
	return numbers, from, true
}

func p256Of(_ gethCase, input, expected []byte) (vector, bool) {
	if len(input) != 160 {
		return vector{}, false
	}
	v := vector{"", secp256r1Verify, [][]byte{input[:32], input[32:96], input[96:]}, truth(isOne(expected))}
	if _, err := ecdh.P256().NewPublicKey(append([]byte{4}, input[96:]...)); err != nil {
		v.answer = nil // the contract does not distinguish a bad key from a bad signature
	}
	return v, true
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readZipped reads the file of a module's archive whose path ends with suffix.
func readZipped(t *testing.T, archive *zip.ReadCloser, suffix string) []byte {
	t.Helper()
	for _, f := range archive.File {
		if !bytes.HasSuffix([]byte(f.Name), []byte(suffix)) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Fatalf("the module has no file %s", suffix)
	return nil
}

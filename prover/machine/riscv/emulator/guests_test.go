package emulator_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	curve "github.com/consensys/gnark-crypto/ecc/secp256k1"
	"github.com/consensys/gnark-crypto/ecc/secp256k1/fr"
	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// run runs a guest.
func run(t *testing.T, guest string, in memory.Inputs) *emulator.Result {
	t.Helper()
	result, err := emulator.Run(context.Background(), riscvtest.Load(t, riscvtest.Guest(t, guest)), in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func check(t *testing.T, guest string, in memory.Inputs, want []byte) {
	t.Helper()
	if result := run(t, guest, in); result.Exit != 0 || !bytes.Equal(result.Output, want) {
		t.Errorf("%s: exit %d, output %x, want %x", guest, result.Exit, result.Output, want)
	}
}

func TestFib(t *testing.T) {
	for _, n := range []uint64{1, 2, 90, 1000} {
		a, b := uint64(0), uint64(1)
		for range n {
			a, b = b, a+b
		}
		check(t, "fib", memory.Inputs{Private: riscvtest.Numbers(n)}, riscvtest.Numbers(b))
	}
	if cycles := run(t, "fib", memory.Inputs{}).Cycles; cycles < 1_000_000 || cycles > 1_000_200 {
		t.Errorf("%d cycles without an input, want a million", cycles)
	}
	if result := run(t, "fib", memory.Inputs{Private: []byte{1}}); result.Exit != 1 {
		t.Errorf("exit %d with a wrong input, want 1", result.Exit)
	}
}

func TestHashes(t *testing.T) {
	source := rand.NewChaCha8([32]byte{2})
	for _, n := range []int{0, 1, 55, 56, 63, 64, 65, 119, 120, 135, 136, 137, 271, 272, 1000} {
		message := make([]byte, n)
		_, _ = source.Read(message)
		digest := sha256.Sum256(message)
		check(t, "sha256", memory.Inputs{Private: message}, digest[:])
		keccak := sha3.NewLegacyKeccak256()
		keccak.Write(message)
		check(t, "hashes", memory.Inputs{Private: message}, keccak.Sum(digest[:]))
	}
}

func TestQuicksort(t *testing.T) {
	const count, seed = 3000, 5
	numbers, draw := make([]uint64, count), uint64(seed)
	for i := range numbers {
		draw = draw*6364136223846793005 + 1442695040888963407
		numbers[i] = draw >> 16
	}
	slices.Sort(numbers)
	sum := uint64(0)
	for _, n := range numbers {
		sum = sum*31 + n
	}
	check(t, "quicksort", memory.Inputs{Private: riscvtest.Numbers(count, seed)},
		riscvtest.Numbers(numbers[0], numbers[count/2], numbers[count-1], sum))
}

func TestInterpreter(t *testing.T) {
	var want strings.Builder
	fmt.Fprintf(&want, "%d\n%d\n", 3+11+5, 11)
	for n := 11; n != 1; {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		fmt.Fprintf(&want, "%d\n", n)
	}
	check(t, "interpreter", memory.Inputs{
		Private: riscvtest.Numbers(3, 11, 5),
		Public:  []byte(riscvtest.Script),
	}, []byte(want.String()))
	for script, exit := range map[string]uint64{"+": 3, "nonsense": 8, "1 {": 6, "}": 6, strings.Repeat("1 ", 300): 2} {
		if result := run(t, "interpreter", memory.Inputs{Public: []byte(script)}); result.Exit != exit {
			t.Errorf("%.20q: exit %d, want %d", script, result.Exit, exit)
		}
	}
}

func TestCycle(t *testing.T) {
	const count, seed = 700, 9
	next, draw := make([]uint64, count), uint64(seed)
	for i := range next {
		next[i] = uint64(i)
	}
	for i := uint64(count - 1); i > 0; i-- {
		draw = draw*6364136223846793005 + 1442695040888963407
		other := (draw >> 32) * i >> 32
		next[i], next[other] = next[other], next[i]
	}
	steps, sum := uint64(0), uint64(0)
	for at := uint64(0); at != 0 || steps == 0; at = next[at] {
		steps, sum = steps+1, sum*31+at
	}
	if steps != count {
		t.Fatalf("the permutation's cycle has %d steps, want %d", steps, count)
	}
	check(t, "cycle", memory.Inputs{Private: riscvtest.Numbers(count, seed)}, riscvtest.Numbers(steps, sum))
}

// Small and large numbers, and ranges around strong pseudoprimes to the first bases.
func TestPrimes(t *testing.T) {
	const count = 60
	for _, first := range []uint64{0, 1000, 2047, 3215031751, 1 << 32, 3825123056546413051, 1<<64 - 100} {
		primes, last := uint64(0), uint64(0)
		for n := first; n < first+count; n++ {
			if new(big.Int).SetUint64(n).ProbablyPrime(0) {
				primes, last = primes+1, n
			}
		}
		check(t, "primes", memory.Inputs{Private: riscvtest.Numbers(first, count)}, riscvtest.Numbers(primes, last))
	}
}

// signature is an input of the guest ecdsa.
type signature struct {
	curve            uint64
	hash, r, s, x, y *big.Int
}

func (s signature) inputs() memory.Inputs {
	bytes32 := func(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }
	return memory.Inputs{
		Private: slices.Concat(riscvtest.Numbers(s.curve), bytes32(s.r), bytes32(s.s)),
		Public:  slices.Concat(bytes32(s.hash), bytes32(s.x), bytes32(s.y)),
	}
}

// signK1 signs with secp256k1, using another library's curve.
func signK1(hash, key, nonce *big.Int) signature {
	n := fr.Modulus()
	_, g := curve.Generators()
	var r, q curve.G1Affine
	r.ScalarMultiplication(&g, nonce)
	q.ScalarMultiplication(&g, key)
	rx := new(big.Int).Mod(r.X.BigInt(new(big.Int)), n)
	s := new(big.Int).Mul(rx, key)
	s.Add(s, hash).Mul(s, new(big.Int).ModInverse(nonce, n)).Mod(s, n)
	return signature{0, hash, rx, s, q.X.BigInt(new(big.Int)), q.Y.BigInt(new(big.Int))}
}

// signR1 signs with P-256, using the standard library.
func signR1(t *testing.T, hash *big.Int) signature {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.NewChaCha8([32]byte{9}))
	if err != nil {
		t.Fatal(err)
	}
	r, s, err := ecdsa.Sign(rand.NewChaCha8([32]byte{8}), key, hash.FillBytes(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return signature{1, hash, r, s, new(big.Int).SetBytes(public[1:33]), new(big.Int).SetBytes(public[33:])}
}

func TestECDSA(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	number := func() *big.Int {
		var b [32]byte
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		b[0] &= 0x7f
		return new(big.Int).SetBytes(b[:])
	}
	high := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)) // a hash above both orders
	for _, good := range []signature{
		signK1(number(), number(), number()), signK1(high, number(), number()), signK1(number(), big.NewInt(1), number()),
		signR1(t, number()), signR1(t, high),
	} {
		check(t, "ecdsa", good.inputs(), []byte{1})
		for name, bad := range map[string]signature{
			"hash":   {good.curve, new(big.Int).Xor(good.hash, big.NewInt(2)), good.r, good.s, good.x, good.y},
			"r":      {good.curve, good.hash, new(big.Int).Xor(good.r, big.NewInt(2)), good.s, good.x, good.y},
			"s":      {good.curve, good.hash, good.r, new(big.Int).Xor(good.s, big.NewInt(2)), good.x, good.y},
			"zero r": {good.curve, good.hash, new(big.Int), good.s, good.x, good.y},
			"zero s": {good.curve, good.hash, good.r, new(big.Int), good.x, good.y},
			"high r": {good.curve, good.hash, high, good.s, good.x, good.y},
		} {
			if result := run(t, "ecdsa", bad.inputs()); result.Exit != 0 || !bytes.Equal(result.Output, []byte{0}) {
				t.Errorf("%s: exit %d, output %x, want a refusal", name, result.Exit, result.Output)
			}
		}
		off := good
		off.y = new(big.Int).Xor(good.y, big.NewInt(1))
		if result := run(t, "ecdsa", off.inputs()); result.Exit != 2 {
			t.Errorf("a key off the curve: exit %d, want 2", result.Exit)
		}
	}
}

// Recovery finds the account of the signing key, and rejects signatures that no key could have made.
func TestRecover(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	number := func() *big.Int {
		n := new(big.Int).SetUint64(random.Uint64() >> 1)
		for range 3 {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(random.Uint64()))
		}
		return n
	}
	bytes32 := func(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }
	high := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for _, hash := range []*big.Int{number(), high, new(big.Int)} {
		nonce, key := number(), number()
		s := signK1(hash, key, nonce)
		keccak := sha3.NewLegacyKeccak256()
		keccak.Write(append(bytes32(s.x), bytes32(s.y)...))
		account := keccak.Sum(nil)[12:]
		_, g := curve.Generators()
		var r curve.G1Affine
		r.ScalarMultiplication(&g, nonce)
		right := byte(r.Y.BigInt(new(big.Int)).Bit(0)) // x above the order is too rare to occur
		for recid := range byte(5) {
			in := memory.Inputs{Private: slices.Concat(bytes32(s.r), bytes32(s.s), []byte{recid}), Public: bytes32(hash)}
			result := run(t, "recover", in)
			switch {
			case recid == right && (result.Exit != 0 || !bytes.Equal(result.Output, account)):
				t.Errorf("exit %d, account %x, want %x", result.Exit, result.Output, account)
			case recid == right^1 && (result.Exit != 0 || bytes.Equal(result.Output, account)):
				t.Errorf("with the other parity: exit %d, account %x", result.Exit, result.Output)
			case recid > 1 && result.Exit != 2:
				t.Errorf("recovery number %d: exit %d, want 2", recid, result.Exit)
			}
		}
		// x = 5 is not the coordinate of any point of the curve.
		in := memory.Inputs{Private: slices.Concat(bytes32(big.NewInt(5)), bytes32(s.s), []byte{0}), Public: bytes32(hash)}
		if result := run(t, "recover", in); result.Exit != 2 {
			t.Errorf("no point has this r: exit %d, want 2", result.Exit)
		}
	}
}

// An input that exceeds the maximum length is rejected before the program runs.
func TestInputLengthIsChecked(t *testing.T) {
	_, err := emulator.Run(context.Background(), riscvtest.Load(t, riscvtest.Guest(t, "fib")),
		memory.Inputs{Private: make([]byte, memorymap.MaxPrivateBytes+1)}, emulator.Options{})
	if err == nil || !strings.Contains(err.Error(), "134217721 bytes") {
		t.Errorf("a private input that is too long: %v", err)
	}
	_, err = emulator.Run(context.Background(), riscvtest.Load(t, riscvtest.Guest(t, "fib")),
		memory.Inputs{Public: make([]byte, memorymap.MaxPublicBytes+1)}, emulator.Options{})
	if err == nil || !strings.Contains(err.Error(), "65537 bytes") {
		t.Errorf("a public input that is too long: %v", err)
	}
}

func TestLimitAndCancellation(t *testing.T) {
	p := riscvtest.Load(t, riscvtest.Guest(t, "fib"))
	_, err := emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{Limit: 1000})
	var limit *emulator.LimitError
	if !errors.As(err, &limit) || limit.Limit != 1000 || !strings.HasPrefix(limit.At.Symbol, "fib_loop") {
		t.Errorf("a limit of 1000 cycles: %v", err)
	}
	full, err := emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{Limit: full.Cycles}); err != nil {
		t.Errorf("a limit of exactly what the program takes: %v", err)
	}
	if _, err := emulator.Run(context.Background(), p, memory.Inputs{},
		emulator.Options{Limit: full.Cycles - 1}); err == nil {
		t.Error("a limit of one cycle less is not kept")
	}
	if _, err := emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{Limit: 1 << 32}); err == nil {
		t.Error("a limit above what can be proven is taken")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	chunks := 0
	_, err = emulator.Run(ctx, p, memory.Inputs{}, emulator.Options{Observe: func(*emulator.Chunk) error {
		if chunks++; chunks == 3 {
			cancel(why)
		}
		return nil
	}})
	var stop *emulator.StopError
	if !errors.Is(err, why) || chunks > 70 || !errors.As(err, &stop) {
		t.Fatalf("cancelled in chunk 3: %v after %d chunks", err, chunks)
	}
	_, err = emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{Limit: stop.Cycles})
	if !errors.As(err, &limit) || limit.At != stop.At || !strings.HasPrefix(stop.Error(), "enough after ") {
		t.Errorf("%v; a limit of as many cycles says %v", stop, err)
	}
}

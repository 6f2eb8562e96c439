package protocol

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Params are the parameters of a proof. They are part of the proof and of the transcript. Package soundness computes
// the bits of security that they give for a machine.
type Params struct {
	LogBlowup      int // ratio of extension domain to trace domain, log2
	Queries        int // number of sampled positions, with replacement
	GrindingBits   int // zero bits required of a nonce before queries are sampled
	LogArity       int // largest FRI fold, log of the arity
	LogFinalLength int // FRI stops at a polynomial of 2^LogFinalLength coefficients, or earlier
	CapHeight      int // Merkle trees stop at 2^CapHeight nodes, or earlier
	MinLogHeight   int // every table has at least 2^MinLogHeight rows
	Hash           merkle.Hash
}

// Limits of the parameters. They bound the verifier's work for a malicious proof, and exceed the needs of any useful
// proof.
const (
	MaxLogBlowup      = 4
	MaxQueries        = 1024
	MaxGrindingBits   = 48
	MaxLogArity       = 4
	MaxLogFinalLength = 10
	MaxCapHeight      = 10
	MaxLogDomain      = 32 // two-adicity of the field: log height + LogBlowup
)

// Version returns the version of the protocol, and of files, with these parameters.
func (p Params) Version() int { return p.variant().version() }

// Salted reports whether proofs with these parameters have a salt: see [Proof.Salt].
func (p Params) Salted() bool { return p.variant().salted() }

// Validate checks every parameter against its limits.
func (p Params) Validate() error {
	var errs []error
	for _, limit := range []struct {
		name             string
		value, low, high int
	}{
		{"LogBlowup", p.LogBlowup, 1, MaxLogBlowup},
		{"Queries", p.Queries, 1, MaxQueries},
		{"GrindingBits", p.GrindingBits, 0, p.variant().maxGrindingBits()},
		{"LogArity", p.LogArity, 1, MaxLogArity},
		{"LogFinalLength", p.LogFinalLength, 0, MaxLogFinalLength},
		{"CapHeight", p.CapHeight, 0, MaxCapHeight},
		{"MinLogHeight", p.MinLogHeight, 1, p.variant().maxLogDomain() - p.LogBlowup},
	} {
		if limit.value < limit.low || limit.value > limit.high {
			errs = append(errs, fmt.Errorf("%s is %d, want %d to %d", limit.name, limit.value, limit.low, limit.high))
		}
	}
	errs = append(errs, p.Hash.Validate())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	return nil
}

// Layout returns the parameters that a backend needs.
func (p Params) Layout() Layout {
	return Layout{
		LogBlowup:      p.LogBlowup,
		LogArity:       p.LogArity,
		LogFinalLength: p.LogFinalLength,
		CapHeight:      p.CapHeight,
		Hash:           p.Hash,
	}
}

func (p Params) String() string {
	hash := ""
	if p.Hash != merkle.Keccak {
		hash = ", " + p.Hash.Title()
	}
	return fmt.Sprintf("blowup %d, %d queries, %d-bit grinding, arity %d, final length %d, cap %d, at least %d rows%s",
		1<<p.LogBlowup, p.Queries, p.GrindingBits, 1<<p.LogArity, 1<<p.LogFinalLength, 1<<p.CapHeight,
		uint64(1)<<p.MinLogHeight, hash)
}

// Preset is a named set of parameters.
type Preset struct {
	Name   string
	Params Params
	Bits   int    // claimed bits; proofs with fewer are refused
	Use    string // one line for help texts

	Aim circuit.Aim // of the plan of instances
}

// Presets returns the named parameters, the default first. Package soundness checks the claimed bits for every machine.
func Presets() []Preset {
	return []Preset{
		{Name: "default", Params: Params{1, 219, 20, 3, 5, 4, 8, merkle.Keccak}, Bits: 128,
			Use: "128 proven bits, blowup 2"},
		{Name: "default-4", Params: Params{2, 110, 20, 3, 5, 4, 8, merkle.Keccak}, Bits: 128,
			Use: "128 proven bits, blowup 4: smaller proofs, more work"},
		{Name: "rv", Params: Params{1, 220, 20, 3, 5, 4, 8, merkle.Blake3}, Bits: 128,
			Use: "128 proven bits for programs, BLAKE3: up to 2^24 rows, all heights present"},
		{Name: "shard", Params: Params{1, 263, 20, 3, 5, 4, 8, merkle.Blake3}, Bits: 128,
			Use: "128 proven bits for programs in up to 256 shards, BLAKE3, and for any single proof"},
		{Name: "lift", Params: Params{1, 253, 24, 3, 5, 6, 8, merkle.Blake3}, Bits: 128, Aim: circuit.Aggregated,
			Use: "128 proven bits for programs in up to 256 shards that are aggregated, BLAKE3: verified in fewer cycles"},
		{Name: "small-4", Params: Params{2, 110, 20, 3, 5, 6, 8, merkle.Blake3}, Bits: 128, Aim: circuit.SmallProof,
			Use: "128 proven bits, blowup 4, BLAKE3, few instances: small proofs"},
		{Name: "small-8", Params: Params{3, 74, 20, 3, 5, 6, 8, merkle.Blake3}, Bits: 128, Aim: circuit.SmallProof,
			Use: "128 proven bits, blowup 8, BLAKE3, few instances: smaller proofs"},
		{Name: "small", Params: Params{4, 54, 22, 3, 5, 6, 8, merkle.Blake3}, Bits: 128, Aim: circuit.SmallProof,
			Use: "128 proven bits, blowup 16, BLAKE3, few instances: small proofs, the most work"},
		{Name: "smallest", Params: Params{4, 49, 32, 4, 8, 4, 8, merkle.Blake3}, Bits: 128, Aim: circuit.SmallestProof,
			Use: "128 proven bits, blowup 16, BLAKE3, few heights: the smallest proofs; 2^32 nonces are searched, on a GPU"},
		{Name: "100", Params: Params{1, 163, 20, 3, 5, 4, 8, merkle.Keccak}, Bits: 100,
			Use: "100 proven bits, blowup 2"},
		{Name: "test", Params: Params{1, 4, 8, 2, 2, 1, 5, merkle.Keccak}, Bits: 0,
			Use: "no security: small proofs for tests"},
	}
}

// Default returns the default parameters.
func Default() Params { return Presets()[0].Params }

// PresetByName returns a preset. The error lists the available names.
func PresetByName(name string) (Preset, error) {
	presets := Presets()
	names := make([]string, len(presets))
	for i, preset := range presets {
		if preset.Name == name {
			return preset, nil
		}
		names[i] = preset.Name
	}
	return Preset{}, fmt.Errorf("no parameters named %q: there are %q", name, names)
}

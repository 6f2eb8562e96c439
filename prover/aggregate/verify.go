package aggregate

import (
	"context"
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

//go:embed aggregator.id
var pinnedID string

// ID returns the program id of the aggregator of this release: guests/elf/aggregator.elf.
func ID() (id [32]byte) {
	decoded, err := hex.DecodeString(strings.TrimSpace(pinnedID))
	if err != nil || len(decoded) != len(id) {
		panic("aggregate: aggregator.id is not a program id")
	}
	return [32]byte(decoded)
}

// Options are a verifier's requirements. The zero value is a good default.
type Options struct {
	MinBits int // the minimum number of proven bits of the outermost proof; 0 means 128
	Workers int // the maximum number of concurrent goroutines; 0 means GOMAXPROCS

	// ID, unless nil, is the program id of the aggregator, instead of this release's.
	ID *[32]byte
}

func (o *Options) id() [32]byte {
	if o.ID != nil {
		return *o.ID
	}
	return ID()
}

// Result is a valid aggregated proof.
type Result struct {
	*File
	Outer *verify.Result // of the outermost proof
}

// Verify verifies an aggregated file: its proof must show a run of the aggregator that ended with exit code 0, and
// whose output has its own id and the statements that the file lists. The caller must compare the statements with the
// expected statements.
func Verify(ctx context.Context, data []byte, options Options) (*Result, error) {
	file := new(File)
	if err := file.UnmarshalBinary(data); err != nil {
		return nil, &verify.RejectError{Check: verify.CheckDecoding, Err: err}
	}
	id := options.id()
	outer, err := verify.Verify(ctx, file.Proof, verify.Options{MinBits: options.MinBits, Workers: options.Workers,
		Find: known.Find(&id)})
	if err != nil {
		return nil, err
	}
	if err := known.CheckExit(outer.Proof, 0); err != nil {
		return nil, err
	}
	run, err := statement.Read(outer.Proof.Public)
	if err != nil {
		return nil, &verify.RejectError{Check: verify.CheckPublic, Err: err}
	}
	if err := file.Tree.difference(id, file.Runs, run.Output); err != nil {
		return nil, &verify.RejectError{Check: verify.CheckStatement, Err: err}
	}
	return &Result{file, outer}, nil
}

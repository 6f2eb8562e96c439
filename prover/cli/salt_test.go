package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// A refused challenge leads to the next salt; any other error ends the loop.
func TestUnderSalts(t *testing.T) {
	other := errors.New("other")
	for _, end := range []error{nil, other} {
		var tried []uint64
		err := underSalts(func(salt uint64) error {
			if tried = append(tried, salt); salt < 3 {
				return fmt.Errorf("stage open: %w", transcript.ErrRefused)
			}
			return end
		})
		if err != end || fmt.Sprint(tried) != "[0 1 2 3]" {
			t.Errorf("salts %d, error %v, want 0 to 3 and %v", tried, err, end)
		}
	}
}

// refusing is a transcript that refuses its first challenge, as the real one does once in 2^32 draws.
type refusing struct{ protocol.Transcript }

func (refusing) Refused() error { return transcript.ErrRefused }

// The engine executes again for each salt until one is not refused.
func TestEngineTakesTheNextSalt(t *testing.T) {
	program, err := lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	preset.Params.Hash = merkle.Blake3
	work := &workload{program: program, size: 64, params: preset.Params, pool: parallel.New(1)}
	e := &engine{work: work, devices: []backend.Backend{cpu.New(work.pool)}}
	if e.key, err = setup.NewKey(program.Machine(), work.params); err != nil {
		t.Fatal(err)
	}
	made, whole := 0, new(wholeProver)
	whole.Prover, err = prover.NewOf(e.key, program.Fillers(), e.devices[0], prover.Options{Release: true,
		Transcript: func(label string) protocol.Transcript {
			if made++; made <= 2 {
				return refusing{protocol.NewTranscript(label)}
			}
			return protocol.NewTranscript(label)
		}})
	if err != nil {
		t.Fatal(err)
	}
	e.prover = whole
	defer e.close()
	proven, err := e.attempt(context.Background(), e.prover, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof := proven.shards()[0]
	if proof.Salt != 2 || made != 3 {
		t.Errorf("salt %d after %d transcripts, want 2 after 3", proof.Salt, made)
	}
	if err := verify.Proof(proof, e.key); err != nil {
		t.Error(err)
	}
}

// A run in shards of which one's challenge is refused is executed again, under the next salt for all shards.
func TestShardsTakeTheNextSalt(t *testing.T) {
	guest := riscvtest.NewProgram(nil)
	for range 1200 {
		guest.Op(instruction.ADDI, 5, 5, 0, 1)
	}
	elf := filepath.Join(t.TempDir(), "counts.elf")
	if err := os.WriteFile(elf, guest.ELF(false), 0o600); err != nil {
		t.Fatal(err)
	}
	set := pflag.NewFlagSet("prove", pflag.ContinueOnError)
	work := addWorkloadFlags(set)
	work.shards.add(set)
	if err := set.Parse([]string{"--elf", elf, "--params", "test", "--hash", "blake3", "--shards", "2"}); err != nil {
		t.Fatal(err)
	}
	if err := work.resolve(nil); err != nil {
		t.Fatal(err)
	}
	work.pool = parallel.New(1)
	key, err := setup.NewKey(work.program.Machine(), work.params)
	if err != nil {
		t.Fatal(err)
	}
	devices := []backend.Backend{cpu.New(work.pool)}
	e := &engine{work: work, key: key, devices: devices}
	transcripts, shards := 0, &shardProver{work: work, key: key, devices: devices}
	shards.Prover = shard.New(key, work.program.Fillers(), devices, shard.Options{WaitingBytes: math.MaxUint64,
		Transcript: func(label string) protocol.Transcript {
			if transcripts++; transcripts == 2 { // the second shard's, under salt 0
				return refusing{protocol.NewTranscript(label)}
			}
			return protocol.NewTranscript(label)
		}})
	e.prover = shards
	defer e.close()
	result, err := e.prove(context.Background(), 1, time.Now(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	made := result.product.(*shardSet).set
	for i, proof := range made.Shards {
		if proof.Salt != 1 {
			t.Errorf("shard %d is proven under salt %d, want 1", i, proof.Salt)
		}
	}
	if len(made.Shards) != 2 || transcripts != 4 {
		t.Errorf("%d shards after %d transcripts, want 2 after 4", len(made.Shards), transcripts)
	}
	if err := verify.Set(made, key); err != nil {
		t.Error(err)
	}
	_, decoded, err := verify.Decode(result.encoded)
	if err != nil || decoded.Shards[1].Salt != 1 {
		t.Errorf("the encoded run cannot be read or has another salt: %v", err)
	}
}

package prover_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// prove runs a program and proves the run.
func prove(ctx context.Context, program run.Program, input []byte, params prover.Params) ([]byte, error) {
	p, err := prover.New(program.Fillers(), params, cpu.New(parallel.New(0)), prover.Options{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	r, err := program.Run(ctx, run.Input{Data: input, MinLogHeight: params.MinLogHeight})
	if err != nil {
		return nil, err
	}
	proof, _, err := p.Prove(ctx, r, nil)
	if err != nil {
		return nil, err
	}
	return proof.MarshalBinary()
}

// fibonacci is a program, with parameters for fast proofs without security.
func fibonacci() (run.Program, prover.Params, error) {
	file, err := os.ReadFile("../guests/elf/fib.elf")
	if err != nil {
		return nil, prover.Params{}, err
	}
	program, err := riscv.New(file)
	if err != nil {
		return nil, prover.Params{}, err
	}
	test, err := protocol.PresetByName("test")
	return program, test.Params, err
}

// A RISC-V program is proven on the CPU, and its proof is verified. A real prover uses [prover.Default], and a real
// verifier leaves MinBits at 0.
func Example() {
	ctx := context.Background()
	program, params, err := fibonacci()
	if err != nil {
		log.Fatal(err)
	}
	input := binary.LittleEndian.AppendUint64(nil, 90) // iterations
	data, err := prove(ctx, program, input, params)
	if err != nil {
		log.Fatal(err)
	}

	result, err := prover.Verify(ctx, data, prover.VerifyOptions{MinBits: prover.AnyBits, Program: program})
	if err != nil {
		log.Fatal(err)
	}
	run, err := statement.Read(result.Proof.Public)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit code", run.Exit)
	fmt.Println("output", binary.LittleEndian.Uint64(run.Output))
	// Output:
	// exit code 0
	// output 4660046610375530309
}

// A proof that a program failed is valid, too. A verifier accepts it if it expects that exit code. This one limits the
// verification to a minute and two processors.
func ExampleVerify() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	program, params, err := fibonacci()
	if err != nil {
		log.Fatal(err)
	}
	data, err := prove(ctx, program, make([]byte, 8), params) // zero iterations are too few
	if err != nil {
		log.Fatal(err)
	}

	options := prover.VerifyOptions{MinBits: prover.AnyBits, Program: program, Workers: 2}
	_, err = prover.Verify(ctx, data, options)
	fmt.Println(err)
	options.Exit = 1
	_, err = prover.Verify(ctx, data, options)
	fmt.Println(err)
	// Output:
	// proof rejected: statement: the proof is about exit code 1, want 0
	// <nil>
}

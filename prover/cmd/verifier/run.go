package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// The exit codes of the prover's command line.
const (
	exitValid = iota
	exitInvalid
	exitUsage
)

// wanted is what the flags demand of a proof.
type wanted struct {
	options verify.Options
	exit    uint64
	path    string
}

// run verifies the proof that the arguments name, and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	want, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitValid
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(want.path)
	}
	if err != nil {
		fmt.Fprintf(stderr, "verifier: %v\n", err)
		return exitUsage
	}
	result, err := verify.Verify(context.Background(), data, want.options)
	if err == nil {
		err = known.CheckExit(result.Proof, want.exit)
	}
	if err != nil {
		fmt.Fprintf(stderr, "verifier: %s: %v\n", want.path, err)
		return exitInvalid
	}
	report(stdout, result)
	return exitValid
}

func parse(args []string, stderr io.Writer) (*wanted, error) {
	want := new(wanted)
	flags := flag.NewFlagSet("verifier", flag.ContinueOnError)
	flags.SetOutput(stderr)
	id := flags.String("id", "", "the program's `ID`, 64 hexadecimal digits, for proofs of programs")
	flags.IntVar(&want.options.MinBits, "min-bits", 0, "refuse proofs of fewer proven bits; 0 means 128, -1 accepts any")
	flags.Uint64Var(&want.exit, "exit", 0, "the exit `CODE` that the program must have ended with")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() != 1 {
		return nil, fmt.Errorf("%d arguments, want one: the file of a proof", flags.NArg())
	}
	want.path = flags.Arg(0)
	var program *[32]byte
	if *id != "" {
		digest, err := hex.DecodeString(*id)
		if err != nil || len(digest) != len(program) {
			return nil, fmt.Errorf("--id %s: want 64 hexadecimal digits", *id)
		}
		program = (*[32]byte)(digest)
	}
	want.options.Find = known.Find(program)
	return want, nil
}

// report prints what a valid proof proves.
func report(w io.Writer, result *verify.Result) {
	machine := result.Claims.Machine()
	fmt.Fprintf(w, "valid: machine %s, %d %ss, %d proven bits\n", machine.Name, result.Size, machine.Unit, result.Bits)
	for _, field := range result.Claims.Describe(result.Proof.Public) {
		fmt.Fprintf(w, "%s: %s\n", field.Name, field.Value)
	}
	fmt.Fprintf(w, "statement: %x\n", result.ExactStatement)
}

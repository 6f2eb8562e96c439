package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// The exit codes of the prover's command line.
const (
	exitValid = iota
	exitInvalid
	exitUsage
)

// wanted holds the flags' requirements for a proof.
type wanted struct {
	options verify.Options
	exit    uint64
	path    string
}

// run verifies the proof that the arguments name, and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	want, err := parse(args)
	if err == errHelp {
		fmt.Fprint(stdout, usage)
		return exitValid
	}
	var data []byte
	if err == nil {
		data, err = read(want.path)
	}
	if err != nil {
		fmt.Fprintf(stderr, "verifier: %v\n", err)
		return exitUsage
	}
	result, err := verify.Uncancellable(data, want.options)
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

// read reads the file of a proof, up to one byte more than the maximum size of a proof.
func read(path string) ([]byte, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, protocol.MaxFileBytes+1))
}

const usage = `usage: verifier [--id PROGRAM_ID] [--min-bits N] [--exit CODE] PROOF

  --id PROGRAM_ID  the program's id, 64 hexadecimal digits, for proofs of programs
  --min-bits N     refuse proofs of fewer proven bits; 0 means 128, -1 accepts any (default 0)
  --exit CODE      the exit code that the program must have ended with (default 0)
`

// errHelp reports that the arguments request the usage.
var errHelp = errors.New("help")

// parse reads the flags, and the proof's file after them. Package flag would add 120 KB to the program.
func parse(args []string) (*wanted, error) {
	want := new(wanted)
	var program *[32]byte
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		flag, value, found := strings.Cut(args[0], "=")
		name := strings.TrimLeft(flag, "-")
		if args = args[1:]; name == "h" || name == "help" {
			return nil, errHelp
		}
		if !found && len(args) > 0 {
			value, args, found = args[0], args[1:], true
		}
		var err error
		switch name {
		case "id":
			program, err = decodeID(value)
		case "min-bits":
			want.options.MinBits, err = strconv.Atoi(value)
		case "exit":
			want.exit, err = strconv.ParseUint(value, 10, 64)
		default:
			return nil, fmt.Errorf("unknown flag %s: see verifier --help", flag)
		}
		if !found {
			return nil, fmt.Errorf("%s: want a value", flag)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, value, err)
		}
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("%d arguments, want one: the file of a proof", len(args))
	}
	want.path = args[0]
	want.options.Find = known.Find(program)
	return want, nil
}

// decodeID decodes a program's id.
func decodeID(text string) (*[32]byte, error) {
	digest, err := hex.DecodeString(text)
	if err != nil || len(digest) != 32 {
		return nil, errors.New("want 64 hexadecimal digits")
	}
	return (*[32]byte)(digest), nil
}

// report prints the statement of a valid proof.
func report(w io.Writer, result *verify.Result) {
	machine := result.Claims.Machine()
	fmt.Fprintf(w, "valid: machine %s, %d %ss, %d proven bits\n", machine.Name, result.Size, machine.Unit, result.Bits)
	for _, field := range result.Claims.Describe(result.Proof.Public) {
		fmt.Fprintf(w, "%s: %s\n", field.Name, field.Value)
	}
	fmt.Fprintf(w, "statement: %x\n", result.ExactStatement)
}

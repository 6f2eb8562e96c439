package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
	"github.com/chiasmus/chiasmus/prover/verify"
)

func (p *program) verifyCommand() *cobra.Command {
	want := new(expectations)
	cmd := &cobra.Command{
		Use:   "verify PROOF [--elf PROGRAM.elf | --program ID]",
		Short: "Check a proof, and print what it proves",
		Long: `Check a proof, and print what it proves: machine, public values, parameters, proven bits.

A proof that a program ran is checked against the program: its file, or the id that prover program-id prints. Take the
id from a source you trust, not from whoever gave you the proof. A run with an exit code other than 0 is
rejected unless --exit names its code.

An aggregated proof (prover aggregate, compress) states several runs. --elf or --program must be the program of all of
them, or --of names proofs whose statements it must contain.

Exit codes: 0 valid; 1 invalid, malformed, too weak, or about another statement than expected;
2 wrong flags or a file that cannot be read.`,
		Args: Exactly("PROOF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer debug.SetGCPercent(debug.SetGCPercent(verifyHeapGrowth))
			if err := want.check(cmd.Flags().Changed, args[0]); err != nil {
				return err
			}
			data, err := readFile(args[0], maxProofBytes)
			if err != nil {
				return &usageError{err}
			}
			if len(data) > smallProof {
				debug.SetGCPercent(heapGrowth)
			}
			if aggregate.IsFile(data) {
				return p.verifyAggregated(cmd.Context(), want, args[0], data)
			}
			if len(want.ofPaths) > 0 {
				return Usagef("--of is for aggregated proofs, and %s is a single one", args[0])
			}
			result, err := want.verify(cmd.Context(), data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if want.outputPath != "" {
				if err := writeOutput(want.outputPath, result.Proof); err != nil {
					return err
				}
			}
			return p.printVerified(result)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&want.minBits, "min-bits", soundness.HashBits, "proven bits to demand: `N`, 0 to 128")
	flags.StringVar(&want.digest, "expect-digest", "", "digest that the proof must state: `HEX`, 64 digits")
	flags.Uint64Var(&want.length, "expect-length", 0, "length that the proof must state: `N` bytes")
	flags.StringVar(&want.statement, "expect-statement", "",
		"statement, exact or of its class, that the proof must prove: `HEX`, 64 digits")
	flags.StringArrayVar(&want.ofPaths, "of", nil,
		"`PROOF` whose statement an aggregated proof must have; one --of for each, in order")
	want.addProgramFlags(flags)
	return cmd
}

// expectations are the caller's requirements for a valid proof.
type expectations struct {
	minBits                               int
	digest, statement                     string
	ofPaths                               []string
	length                                uint64
	wantDigest, wantLength, wantStatement bool
	programExpectations
}

// check validates the flags; changed reports whether a flag was given.
func (e *expectations) check(changed func(string) bool, proofPath string) error {
	e.wantDigest, e.wantLength, e.wantStatement = changed("expect-digest"), changed("expect-length"),
		changed("expect-statement")
	if err := checkMinBits(e.minBits); err != nil {
		return err
	}
	if e.wantDigest {
		if _, err := hex32("--expect-digest", e.digest); err != nil {
			return err
		}
	}
	if e.wantStatement {
		if _, err := hex32("--expect-statement", e.statement); err != nil {
			return err
		}
	}
	return e.checkProgram(changed, proofPath)
}

// verify checks a proof, and compares what it states with the expectations.
func (e *expectations) verify(ctx context.Context, data []byte) (*prover.Result, error) {
	options := prover.VerifyOptions{MinBits: e.minBits, AnyExit: true, Program: e.program, ProgramID: e.programID}
	if e.minBits == 0 {
		options.MinBits = prover.AnyBits
	}
	if err := e.named(data); err != nil {
		return nil, err
	}
	result, err := prover.Verify(ctx, data, options)
	if err != nil {
		return nil, err
	}
	if err := e.expectedExit(result.Proof); err != nil {
		return nil, err
	}
	if err := expected(result, e); err != nil {
		return nil, err
	}
	return result, e.expectedRun(result)
}

// expected compares the statement of a valid proof with the caller's expectations.
func expected(result *prover.Result, want *expectations) error {
	exact, class := hex.EncodeToString(result.ExactStatement[:]), hex.EncodeToString(result.ClassStatement[:])
	if w := strings.ToLower(want.statement); want.wantStatement && w != exact && w != class {
		return mismatch("statement", fmt.Sprintf("%s (of class %s)", exact, class), w)
	}
	if w, have := strings.ToLower(want.digest), field(result, "digest"); want.wantDigest && have != w {
		return mismatch("digest", have, w)
	}
	if w, have := strconv.FormatUint(want.length, 10), field(result, "length"); want.wantLength && have != w {
		return mismatch("length", have, w)
	}
	return nil
}

func mismatch(what, have, want string) error {
	return &verify.RejectError{
		Check: verify.CheckStatement,
		Err:   fmt.Errorf("the proof is about %s %s, want %s", what, have, want),
	}
}

// field returns a public value by name, or a text for its absence, which matches no expectation.
func field(result *prover.Result, name string) string {
	for _, f := range result.Claims.Describe(result.Proof.Public) {
		if f.Name == name {
			return f.Value
		}
	}
	return "(machine " + result.Claims.Machine().Name + " has none)"
}

func (p *program) printVerified(r *prover.Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "valid: %d proven bits\n", r.Bits)
	if r.Set != nil {
		fmt.Fprintf(&b, "shards      %d\n", len(r.Set.Shards))
	}
	fmt.Fprintf(&b, "machine     %s, size %d (%s)\n", r.Claims.Machine().Name, r.Size,
		r.Claims.Machine().Unit)
	if r.Claims.Machine().HasProgram() {
		fmt.Fprintf(&b, "program     %x\n", r.ProgramID)
	}
	for _, f := range r.Claims.Describe(r.Proof.Public) {
		fmt.Fprintf(&b, "%-11s %s\n", f.Name, f.Value)
	}
	fmt.Fprintf(&b, "statement   %x\n", r.ExactStatement)
	fmt.Fprintf(&b, "parameters  %s\n", r.Proof.Params)
	_, err := fmt.Fprint(p.stdout, b.String())
	return err
}

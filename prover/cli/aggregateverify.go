package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// verifyAggregated checks an aggregated file and the statements in it.
func (p *program) verifyAggregated(ctx context.Context, want *expectations, path string, data []byte) error {
	if err := want.checkAggregated(); err != nil {
		return err
	}
	options := aggregate.Options{MinBits: want.minBits}
	if want.minBits == 0 {
		options.MinBits = verify.AnyBits
	}
	result, err := aggregate.Verify(ctx, data, options)
	if err == nil {
		err = want.expectedRuns(result.Tree)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if want.outputPath != "" {
		if err := writeWhole(want.outputPath, result.Tree.Runs()[0].Output); err != nil {
			return err
		}
	}
	return p.printAggregated(result)
}

// checkAggregated rejects expectations that do not apply to aggregated proofs, and missing ones.
func (e *expectations) checkAggregated() error {
	switch {
	case e.wantDigest || e.wantLength:
		return Usagef("--expect-digest and --expect-length apply to machine keccak, and the proof is aggregated")
	case e.program == nil && e.programID == nil && len(e.ofPaths) == 0 && !e.wantStatement:
		return Usagef("the proof is about programs: name them with --elf PROGRAM.elf or --program ID, give the proofs " +
			"that it is about with --of PROOF, or the whole statement with --expect-statement")
	}
	return nil
}

// expectedRuns compares the statements of a valid aggregated proof with the caller's expectations.
func (e *expectations) expectedRuns(tree *aggregate.Tree) error {
	runs := tree.Runs()
	root := tree.Digest()
	if have, want := hex.EncodeToString(root[:]), strings.ToLower(e.statement); e.wantStatement && have != want {
		return mismatch("statement", have, want)
	}
	if single := e.public != nil || e.output != nil || e.outputPath != ""; single && len(runs) != 1 {
		return Usagef("--expect-public, --expect-output and --output are for one run, and the proof is about %d", len(runs))
	}
	if err := e.expectedProofs(runs); err != nil {
		return err
	}
	id, err := e.wantedID()
	if err != nil {
		return err
	}
	for i, run := range runs {
		if id != nil && run.ProgramID != *id {
			return ofRun(i, mismatch("program", hex.EncodeToString(run.ProgramID[:]), hex.EncodeToString(id[:])))
		}
		if len(e.ofPaths) == 0 && run.Exit != e.exit {
			return ofRun(i, mismatch("exit code", fmt.Sprint(run.Exit), fmt.Sprint(e.exit)))
		}
		if e.public != nil && !bytes.Equal(run.Input, e.public) {
			return mismatch("public input", statement.Words(run.Input), statement.Words(e.public))
		}
		if e.output != nil && !bytes.Equal(run.Output, e.output) {
			return mismatch("output", statement.Words(run.Output), statement.Words(e.output))
		}
	}
	return nil
}

func ofRun(i int, err error) error { return fmt.Errorf("run %d: %w", i, err) }

// wantedID returns the id of the program that all runs must have; nil for any.
func (e *expectations) wantedID() (*[32]byte, error) {
	if e.program == nil {
		return e.programID, nil
	}
	preset, err := protocol.PresetByName(guestPreset)
	if err != nil {
		return nil, err
	}
	key, err := setup.NewKey(e.program.Machine(), preset.Params)
	if err != nil {
		return nil, err
	}
	id := key.ProgramID()
	return &id, nil
}

// expectedProofs compares the statements with the statements of the --of proofs, in order.
func (e *expectations) expectedProofs(runs []*aggregate.Statement) error {
	if len(e.ofPaths) == 0 {
		return nil
	}
	var want []*aggregate.Statement
	for _, path := range e.ofPaths {
		data, err := readFile(path, maxProofBytes)
		if err != nil {
			return Usagef("--of: %w", err)
		}
		stated, err := aggregate.Stated(data)
		if err != nil {
			return Usagef("--of %s: %w", path, err)
		}
		want = append(want, stated.Runs()...)
	}
	if len(want) != len(runs) {
		return mismatch("number of runs", fmt.Sprint(len(runs)), fmt.Sprint(len(want)))
	}
	for i, run := range runs {
		if !bytes.Equal(run.Bytes(), want[i].Bytes()) {
			return ofRun(i, mismatch("statement", fmt.Sprintf("%x", run.Bytes()), fmt.Sprintf("%x", want[i].Bytes())))
		}
	}
	return nil
}

func (p *program) printAggregated(r *aggregate.Result) error {
	var b strings.Builder
	runs := r.Tree.Runs()
	fmt.Fprintf(&b, "valid: %d proven bits\n", r.Outer.Bits)
	fmt.Fprintf(&b, "aggregated  %d\n", r.Runs)
	positions := r.Tree.Positions()
	for i, run := range runs {
		switch {
		case len(runs) < r.Runs: // an opening
			fmt.Fprintf(&b, "\nrun at      %s\n", positions[i])
		case len(runs) > 1:
			fmt.Fprintf(&b, "\nrun         %d\n", i)
		}
		printRun(&b, run)
	}
	if r.Runs > 1 {
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "statement   %x\n", r.Tree.Digest())
	fmt.Fprintf(&b, "parameters  %s\n", r.Outer.Proof.Params)
	_, err := fmt.Fprint(p.stdout, b.String())
	return err
}

func printRun(w io.Writer, run *aggregate.Statement) {
	fmt.Fprintf(w, "program     %x\n", run.ProgramID)
	fmt.Fprintf(w, "image       %x\n", run.Image)
	fmt.Fprintf(w, "cycles      %d\n", run.Cycles)
	fmt.Fprintf(w, "exit        %d\n", run.Exit)
	fmt.Fprintf(w, "input       %s\n", statement.Words(run.Input))
	fmt.Fprintf(w, "output      %s\n", statement.Words(run.Output))
}

// inspectAggregated prints the tree of an aggregated file and the parts of its proof, unchecked.
func (p *program) inspectAggregated(data []byte) error {
	file := new(aggregate.File)
	if err := file.UnmarshalBinary(data); err != nil {
		return err
	}
	runs := 0
	fmt.Fprintf(p.stdout, "aggregated  %d\n", file.Runs)
	printTree(p.stdout, file.Tree, "", &runs)
	fmt.Fprintf(p.stdout, "statements  %d bytes\n\nthe aggregator's proof:\n", len(data)-len(file.Proof))
	inspection, err := prover.Inspect(file.Proof)
	if err != nil {
		return err
	}
	return p.printParts(inspection, len(file.Proof))
}

func printTree(w io.Writer, tree *aggregate.Tree, indent string, runs *int) {
	if run := tree.Run; run != nil {
		fmt.Fprintf(w, "%srun %d: program %x, exit %d, %d cycles\n", indent, *runs, run.ProgramID[:8], run.Exit, run.Cycles)
		*runs++
		return
	}
	if tree.Hidden != nil {
		fmt.Fprintf(w, "%shidden: %x\n", indent, *tree.Hidden)
		return
	}
	fmt.Fprintf(w, "%sbatch of %d: %x\n", indent, len(tree.Children), tree.Digest())
	for _, child := range tree.Children {
		printTree(w, child, indent+"  ", runs)
	}
}

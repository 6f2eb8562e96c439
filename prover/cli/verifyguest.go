package cli

import (
	"bytes"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	riscvprogram "github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// programExpectations are the caller's requirements for a proof of a program's run.
type programExpectations struct {
	elfPath, id              string
	publicPath, expectedPath string
	outputPath               string
	exit                     uint64

	of             bool           // some flag applies to programs
	program        circuit.Claims // from elfPath; nil without it
	programID      *[32]byte      // nil without the flag
	public, output []byte         // nil: any
}

func (e *programExpectations) addProgramFlags(set *pflag.FlagSet) {
	set.StringVar(&e.elfPath, "elf", "", "program whose run the proof must prove: `FILE`")
	set.StringVar(&e.id, "program", "",
		"program whose run the proof must prove: its `ID`, 64 digits, from prover program-id")
	set.Uint64Var(&e.exit, "exit", 0, "exit `CODE` that the proof must state")
	set.StringVar(&e.publicPath, "expect-public", "", "public input that the proof must state: `FILE`")
	set.StringVar(&e.expectedPath, "expect-output", "", "public output that the proof must state: `FILE`")
	set.StringVar(&e.outputPath, "output", "",
		"where to write the program's public output, once the proof is found valid: `FILE`")
}

// checkProgram validates the flags and reads the files that they name.
func (e *programExpectations) checkProgram(changed func(string) bool, proofPath string) error {
	for _, name := range []string{"exit", "expect-public", "expect-output", "output"} {
		e.of = e.of || changed(name)
	}
	switch {
	case e.elfPath != "" && changed("program"):
		return Usagef("--elf and --program exclude each other")
	case e.elfPath != "":
		claims, err := openClaims(e.elfPath)
		if err != nil {
			return err
		}
		e.program = claims
	case changed("program"):
		id, err := hex32("--program", e.id)
		if err != nil {
			return err
		}
		e.programID = &id
	}
	for _, file := range []struct {
		namedFile
		data *[]byte
	}{{namedFile{"--expect-public", e.publicPath}, &e.public}, {namedFile{"--expect-output", e.expectedPath}, &e.output}} {
		if file.path == "" {
			continue
		}
		var err error
		if *file.data, err = readFile(file.path, maxInputBytes); err != nil {
			return Usagef("%s: %w", file.flag, err)
		}
	}
	files := []namedFile{{"the proof", proofPath}, {"--elf", e.elfPath}, {"--expect-public", e.publicPath},
		{"--expect-output", e.expectedPath}}
	for _, file := range files {
		if err := distinct([]namedFile{file, {"--output", e.outputPath}}); err != nil {
			return err
		}
	}
	return writable("--output", e.outputPath)
}

// openClaims reads a program and makes the machine for it. It unpacks the machine's tables: declaring them takes longer
// than verifying a small proof.
func openClaims(path string) (circuit.Claims, error) {
	data, err := readFile(path, maxELFBytes)
	if err != nil {
		return nil, &usageError{err}
	}
	claims, err := claimsOf(data)
	if err != nil {
		return nil, Usagef("%s: %w", path, err)
	}
	return claims, nil
}

func claimsOf(file []byte) (circuit.Claims, error) {
	loaded, err := elf.Load(file)
	if err != nil {
		return nil, err
	}
	guest, err := riscvprogram.New(loaded)
	if err != nil {
		return nil, err
	}
	heights := guest.Heights()
	claims, err := known.ForProgram(&protocol.ProgramKey{Entry: loaded.Entry, Image: loaded.ImageDigest(),
		LogHeights: []int{heights.Image, heights.Program}})
	if err != nil {
		return nil, err
	}
	guest.Fill(claims.Machine().Tables)
	return claims, nil
}

// named returns an error unless the caller names the program of a proof of a program's run. If the proof could choose
// the program, verifying would mean nothing.
func (e *programExpectations) named(data []byte) error {
	if e.program != nil || e.programID != nil {
		return nil
	}
	inspection, err := prover.Inspect(data)
	if err != nil {
		return &verify.RejectError{Check: verify.CheckDecoding, Err: err}
	}
	switch name := inspection.Proof.MachineName; {
	case !all.OfPrograms(name) && e.of:
		return Usagef("the proof belongs to machine %q, which runs no programs: --exit, --expect-public, --expect-output "+
			"and --output are theirs", name)
	case all.OfPrograms(name):
		return Usagef("the proof is about a program: name it with --elf PROGRAM.elf or --program ID")
	}
	return nil
}

// expectedExit compares the exit code that a valid proof states with the caller's, and says which flag accepts it.
func (e *programExpectations) expectedExit(proof *protocol.Proof) error {
	err := known.CheckExit(proof, e.exit)
	if run, unread := statement.Read(proof.Public); err != nil && unread == nil && all.OfPrograms(proof.MachineName) {
		return fmt.Errorf("%w: --exit %d would accept it", err, run.Exit)
	}
	return err
}

// expectedRun compares the program's run that a valid proof states with the caller's requirements.
func (e *programExpectations) expectedRun(result *prover.Result) error {
	if !all.OfPrograms(result.Claims.Machine().Name) {
		return nil
	}
	run, err := statement.Read(result.Proof.Public)
	switch {
	case err != nil:
		return &verify.RejectError{Check: verify.CheckPublic, Err: err}
	case e.public != nil && !bytes.Equal(run.Input, e.public):
		return mismatch("public input", statement.Words(run.Input), statement.Words(e.public))
	case e.output != nil && !bytes.Equal(run.Output, e.output):
		return mismatch("output", statement.Words(run.Output), statement.Words(e.output))
	}
	return nil
}

// writeOutput writes the public output that a proof states.
func writeOutput(path string, proof *protocol.Proof) error {
	run, err := statement.Read(proof.Public)
	if err != nil {
		return err
	}
	return writeWhole(path, run.Output)
}

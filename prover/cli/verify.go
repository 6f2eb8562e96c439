package cli

import (
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/soundness"
	"github.com/chiasmus/chiasmus/prover/stark"
)

func (p *program) verifyCommand() *cobra.Command {
	var want expectations
	cmd := &cobra.Command{
		Use:   "verify PROOF",
		Short: "Check a proof, and print what it proves",
		Long: `Check a proof, and print what it proves: machine, public values, parameters, proven bits.

Exit codes: 0 valid; 1 invalid, malformed, too weak, or of another statement than expected;
2 wrong flags or a file that cannot be read.`,
		Args: exactly("PROOF"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := want.check(cmd.Flags().Changed); err != nil {
				return err
			}
			data, err := os.ReadFile(args[0])
			if err != nil {
				return &usageError{err}
			}
			checked, err := verify(data, want)
			if err != nil {
				return err
			}
			return p.printVerified(checked)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&want.minBits, "min-bits", soundness.HashBits, "proven bits to demand")
	flags.StringVar(&want.digest, "expect-digest", "", "digest that the proof must be about: 64 hexadecimal digits")
	flags.Uint64Var(&want.length, "expect-length", 0, "length in bytes that the proof must be about")
	flags.StringVar(&want.statement, "expect-statement", "", "statement, exact or of its class, that the proof must prove: 64 hexadecimal digits")
	return cmd
}

// expectations are what the caller demands of a valid proof.
type expectations struct {
	minBits                               int
	digest, statement                     string
	length                                uint64
	wantDigest, wantLength, wantStatement bool
}

// check validates the flags; changed says which were given.
func (e *expectations) check(changed func(string) bool) error {
	e.wantDigest, e.wantLength, e.wantStatement = changed("expect-digest"), changed("expect-length"), changed("expect-statement")
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
	return nil
}

// verified is a valid proof and what it proves.
type verified struct {
	proof     *stark.Proof
	program   machine.Program
	fields    []machine.Field
	bits      int
	size      int
	statement string // exact
}

// verify decodes and checks a proof. Every error means that it is not to be believed.
func verify(data []byte, want expectations) (*verified, error) {
	v := &verified{proof: new(stark.Proof)}
	if err := v.proof.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	var err error
	if v.program, err = all.Lookup(v.proof.MachineName); err != nil {
		return nil, &stark.RejectError{Check: stark.CheckUnknown, Err: err}
	}
	key, err := stark.NewKey(v.program.Machine(), v.proof.Params)
	if err != nil {
		return nil, &stark.RejectError{Check: stark.CheckParams, Err: err}
	}
	if err := v.security(key, want.minBits); err != nil {
		return nil, err
	}
	if err := stark.Verify(v.proof, key); err != nil {
		return nil, err
	}
	return v, v.expected(want)
}

// security checks the proven bits before anything costly.
func (v *verified) security(key *stark.Key, minBits int) error {
	if err := key.CheckHeights(v.proof.LogHeights); err != nil {
		return &stark.RejectError{Check: stark.CheckHeights, Err: err}
	}
	report, err := key.Security(v.proof.LogHeights)
	if err == nil {
		v.bits = report.Bits()
		err = report.Require(minBits)
	}
	if err != nil {
		return &stark.RejectError{Check: stark.CheckSecurity, Err: err}
	}
	return nil
}

// expected compares the statement of a valid proof with the caller's.
func (v *verified) expected(want expectations) error {
	v.fields = v.program.Describe(v.proof.Public)
	var err error
	if v.size, err = v.program.Size(v.proof.Public, v.proof.LogHeights); err != nil {
		return &stark.RejectError{Check: stark.CheckStatement, Err: err}
	}
	exact := machine.ExactStatement(v.program, v.proof.Public, v.size)
	class := machine.ClassStatement(v.program, v.size)
	v.statement = hex.EncodeToString(exact[:])
	mismatch := func(what, have, want string) error {
		return &stark.RejectError{Check: stark.CheckStatement, Err: fmt.Errorf("the proof is about %s %s, want %s", what, have, want)}
	}
	if w := strings.ToLower(want.statement); want.wantStatement && w != v.statement && w != hex.EncodeToString(class[:]) {
		return mismatch("statement", fmt.Sprintf("%s (of class %x)", v.statement, class), w)
	}
	if w := strings.ToLower(want.digest); want.wantDigest && v.field("digest") != w {
		return mismatch("digest", v.field("digest"), w)
	}
	if w := strconv.FormatUint(want.length, 10); want.wantLength && v.field("length") != w {
		return mismatch("length", v.field("length"), w)
	}
	return nil
}

// field is a public value by name, or words for its absence, which match no expectation.
func (v *verified) field(name string) string {
	for _, field := range v.fields {
		if field.Name == name {
			return field.Value
		}
	}
	return "(machine " + v.proof.MachineName + " has none)"
}

func (p *program) printVerified(v *verified) error {
	var b strings.Builder
	fmt.Fprintf(&b, "valid: %d proven bits\n", v.bits)
	fmt.Fprintf(&b, "machine     %s, size %d (%s)\n", v.proof.MachineName, v.size, v.program.Machine().Unit)
	for _, field := range v.fields {
		fmt.Fprintf(&b, "%-11s %s\n", field.Name, field.Value)
	}
	fmt.Fprintf(&b, "statement   %s\n", v.statement)
	fmt.Fprintf(&b, "parameters  %s\n", v.proof.Params)
	_, err := fmt.Fprint(p.stdout, b.String())
	return err
}

// Package statement is what proofs of rv64im claim: the machine declared for a program ([Claims]), its public values
// taken apart ([Stated]), and the pinned caps of its fixed tables. Verifiers need no more of the machine.
//
// It executes nothing: no emulator is linked with it.
package statement

import (
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
)

// Name is the machine's.
const Name = "rv64im"

// Claims is the machine made for a program, and what its proofs claim.
type Claims struct {
	machine  *circuit.Machine
	declared *rv64im.Declared
}

var _ circuit.Claims = (*Claims)(nil)

// NewClaims declares the machine for a program of this image. guest is nil where only the heights of its tables are
// known: the program's columns cannot be committed to then.
func New(guest *rv64im.Program, heights rv64im.Heights, image circuit.Image) (*Claims, error) {
	declared, err := rv64im.Declare(guest, heights)
	if err != nil {
		return nil, err
	}
	c := &Claims{declared: declared}
	c.machine = &circuit.Machine{
		Name:        Name,
		Description: "a RISC-V program (ELF for riscv64im), its public input and output and its exit code",
		Buses:       declared.Buses,
		PublicNames: []string{
			publicExitLow:    "exit[0]",
			publicExitHigh:   "exit[1]",
			publicCycles:     "cycles",
			publicMisaligned: "misaligned",
		},
		HasData:        true,
		Unit:           "cycle",
		Program:        &image,
		CheckPublic:    checkPublic,
		PublicMessages: c.messages,
		FixedCap:       fixedCap,
		DataLists:      dataLists,
		Tables:         declared.Tables,
	}
	return c, c.machine.Validate()
}

// Machine is the machine made for the program.
func (c *Claims) Machine() *circuit.Machine { return c.machine }

// Declared are the machine's tables with their numbers.
func (c *Claims) Declared() *rv64im.Declared { return c.declared }

// Package statement has the claims of proofs of rv64im: the machine declared for a program ([Claims]), its decoded
// public values ([Stated]), and the pinned caps of its fixed tables. Verifiers need only this package and the tables,
// which they may unpack (package packed) instead of linking package rv64im, which declares them.
//
// It does not link an emulator.
package statement

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

// Name is the machine's name.
const Name = "rv64im"

// MaxCycles is the longest run that can be proven: times stay below 2^34, and counters of cycles in 32 bits never wrap,
// even in the chunk after the last cycle.
const MaxCycles = 1<<32 - 1<<10

// OutputTime is the time at which the verifier receives the words of the public output.
const OutputTime = 1 << 34

// Claims is the machine made for a program, and the claims of its proofs.
type Claims struct{ machine *circuit.Machine }

var _ circuit.Claims = (*Claims)(nil)

// New returns the machine with these tables and buses, which package rv64im declares for the program with this image.
func New(tables []*air.Table, buses []*air.Bus, image circuit.Image) (*Claims, error) {
	c := new(Claims)
	c.machine = &circuit.Machine{
		Name:        Name,
		Description: "a RISC-V program (ELF for riscv64im), its public input and output and its exit code",
		Buses:       buses,
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
		FixedCap:       pinnedCaps.Cap,
		DataLists:      dataLists,
		Tables:         tables,
	}
	return c, c.machine.Validate()
}

// Machine returns the machine made for the program.
func (c *Claims) Machine() *circuit.Machine { return c.machine }

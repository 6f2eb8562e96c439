package keccak

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

type program struct{ machine *machine.Machine }

// Program returns the machine with its inputs and claims. An input is a file
// of any bytes and length.
func Program() (machine.Program, error) {
	m, err := build()
	if err != nil {
		return nil, err
	}
	return &program{m}, nil
}

func (p *program) Machine() *machine.Machine { return p.machine }

func (p *program) Input(data []byte, minLogHeight int) (machine.Witness, error) {
	if uint64(len(data)) >= maxLength {
		return nil, fmt.Errorf("keccak: a file of %d bytes, want less than 2^40", len(data))
	}
	logHeights, err := p.LogHeights(permutationsFor(len(data)), minLogHeight)
	if err != nil {
		return nil, err
	}
	return newWitness(data, logHeights), nil
}

// Synthetic draws a file that takes size permutations: its bytes and how many
// of them its last block has.
func (p *program) Synthetic(size int, seed uint64, minLogHeight int) (machine.Witness, error) {
	logHeights, err := p.LogHeights(size, minLogHeight)
	if err != nil {
		return nil, err
	}
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(size))
	source := rand.NewChaCha8(key)
	data := make([]byte, (size-1)*rateBytes+rand.New(source).IntN(rateBytes))
	if _, err := source.Read(data); err != nil {
		return nil, err
	}
	return newWitness(data, logHeights), nil
}

// permutationsFor is the number of blocks of a padded file.
func permutationsFor(length int) int { return length/rateBytes + 1 }

func (p *program) LogHeights(size, minLogHeight int) ([]int, error) {
	if size < 1 {
		return nil, fmt.Errorf("keccak: %d permutations, want at least 1", size)
	}
	logHeights := make([]int, len(p.machine.Tables))
	for i, t := range p.machine.Tables {
		logHeight, err := machine.LogHeightFor(t, uint64(size)*uint64(p.machine.UnitRows[i]), minLogHeight)
		if err != nil {
			return nil, fmt.Errorf("keccak, %d permutations: %w", size, err)
		}
		logHeights[i] = logHeight
	}
	return logHeights, nil
}

// Size follows from the length alone.
func (p *program) Size(public []goldilocks.Element, logHeights []int) (int, error) {
	if err := p.machine.CheckPublicValues(public); err != nil {
		return 0, err
	}
	return permutationsFor(int(public[publicLength])), nil
}

func (p *program) Claim(public []goldilocks.Element, _ int) string {
	return fmt.Sprintf("digest %s\nlength %d", digestText(public), uint64(public[publicLength]))
}

func (p *program) Describe(public []goldilocks.Element) []machine.Field {
	return []machine.Field{
		{Name: "digest", Value: digestText(public)},
		{Name: "length", Value: strconv.FormatUint(uint64(public[publicLength]), 10)},
	}
}

// digestText is the digest as 64 hexadecimal digits.
func digestText(public []goldilocks.Element) string {
	var digest [digestBytes]byte
	for i := range publicLimbs {
		binary.LittleEndian.PutUint16(digest[2*i:], uint16(public[i]))
	}
	return hex.EncodeToString(digest[:])
}

package keccak

import (
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// rule is a rule of the machine, the check that enforces it, and a forgery that breaks it.
type rule struct {
	name, check string
	forge       func(f *forger)
	change      columnChange
}

// sponges returns the rules of the sponge.
func sponges() []rule {
	return []rule{
		{
			name: "the rate starts at zero", check: "word 7 of the state starts at zero",
			forge: func(f *forger) { f.rows[0].state[5] = 1 << 40; f.absorb(0, nil) },
		},
		{
			name: "the capacity starts at zero", check: "capacity[0] starts at zero",
			forge: func(f *forger) { f.rows[0].state[17] = 1; f.absorb(0, nil) },
		},
		{
			name: "the rate is carried to the next row", check: "word 1 of the state is the output",
			forge: func(f *forger) { f.absorb(0, flip(2, 0, 1<<50)) },
		},
		{
			name: "the capacity is carried unchanged", check: "capacity[8] is the output",
			forge: func(f *forger) { f.absorb(0, flip(1, 24, 1<<63)) },
		},
		{
			name: "a message carries the input with the output", check: "bus keccak-f",
			forge: func(f *forger) {
				f.absorb(0, nil)
				f.rows[3].output[2] ^= 1 // no permutation of this input
			},
		},
		{
			name: "mixed is state xor block", check: "bus xor",
			forge: func(f *forger) {
				f.absorb(0, nil)
				// The keccak-f table proves the permutation of another input, which mixed matches and state xor block does not.
				f.rows[3].block[0] ^= 0xF
			},
			change: columnChange{table: tableSponge, columns: func(columns [][]goldilocks.Element) {
				mixed := circuits.SpongeOf(columns).Mixed[0]
				mixed[3] = 15 - mixed[3]
			}},
		},
		{
			name: "a block that is not final is full", check: "length grows by a full block",
			forge: func(f *forger) {
				for r := 2; r < len(f.rows); r++ {
					f.rows[r].length -= 100
				}
				f.length -= 100
				f.absorb(0, nil)
			},
		},
		{
			name: "the length starts at zero", check: "length starts at zero",
			forge: func(f *forger) {
				for r := range f.rows {
					f.rows[r].length += rateBytes
				}
				f.length += rateBytes
				f.absorb(0, nil)
			},
		},
		{
			name: "the padding's position follows from the length", check: "length is the public length",
			forge: func(f *forger) { f.length--; f.absorb(0, nil) },
		},
		{
			name: "the padding begins with 0x01", check: "padding, low nibble of byte 5",
			forge: func(f *forger) { f.rows[3].block[0] ^= 2 << 40; f.absorb(0, nil) },
		},
		{
			name: "the padding continues with zeros", check: "padding, high nibble of byte 77",
			forge: func(f *forger) { f.rows[3].block[9] ^= 0x10 << 40; f.absorb(0, nil) },
		},
		{
			name: "the padding ends with 0x80", check: "padding, high nibble of byte 135",
			forge: func(f *forger) { f.rows[3].block[16] ^= 0x80 << 56; f.absorb(0, nil) },
		},
		{
			name: "padding of one byte is 0x81", check: "padding, low nibble of byte 135",
			forge: func(f *forger) {
				f.pad(135)
				f.length = 4*rateBytes - 1
				f.rows[3].block[16] ^= 0x01 << 56
				f.absorb(0, nil)
			},
		},
		{
			name: "lane and byte both say where the padding begins", check: "lane and byte are set together",
			forge: func(f *forger) {
				// No 0x01 anywhere: the lane is set, but none of its bytes.
				f.rows[3].block[0] = 0
				f.length -= 5
				f.absorb(0, nil)
			},
			change: columnChange{table: tableSponge, columns: func(columns [][]goldilocks.Element) {
				circuits.SpongeOf(columns).Byte[5][3] = 0
			}},
		},
		{
			name: "some block is final", check: "the last row is final or inert",
			forge: func(f *forger) {
				// The table is full of blocks, and none is padded.
				f.rows[3].padding = -1
				for len(f.rows) < 1<<f.instances[tableSponge].LogHeight {
					row := f.rows[0]
					row.length = uint64(len(f.rows)) * rateBytes
					f.rows = append(f.rows, row)
				}
				f.absorb(0, nil)
				f.instances[tablePermutation].LogHeight = logFor(len(f.inputs) / lanes)
			},
		},
		{
			name: "rows after the final one are inert", check: "active goes on until the final row",
			forge: func(f *forger) {
				// The digest of four blocks is claimed; a fifth row permutes too.
				f.absorb(0, nil)
				row := f.rows[0]
				row.length = f.rows[3].length
				f.rows = append(f.rows, row)
				f.inputs = append(f.inputs, f.inputs[:lanes]...)
				f.rows = append(f.rows, spongeRow{state: row.output, padding: -1, length: row.length + rateBytes})
				f.instances[tableSponge].LogHeight = max(f.instances[tableSponge].LogHeight, logRowsFor(len(f.rows)))
			},
		},
		{
			name: "the first row is active", check: "the first row is active",
			forge: func(f *forger) {
				// Nothing is absorbed and any digest is claimed.
				for r := range f.rows {
					f.rows[r] = spongeRow{padding: -1}
				}
				f.length = 1000
			},
			change: columnChange{public: func(public []goldilocks.Element) { public[0] = 12345 }},
		},
		{
			name: "the digest is the final output", check: "word 2 of the output is the digest",
			forge:  func(f *forger) { f.absorb(0, nil) },
			change: columnChange{public: func(public []goldilocks.Element) { public[7] ^= 1 }},
		},
		{
			name: "a permutation cut off by the end of the table sends nothing", check: "export is 0 where the table cuts off",
			forge: forgeCutOff,
			change: columnChange{table: tablePermutation, columns: func(columns [][]goldilocks.Element) {
				to := circuits.PermutationOf(&circuits.OwnForm, columns)
				for row := len(to.Export) / rounds * rounds; row < len(to.Export); row++ {
					to.Export[row] = 1
					for k, word := range circuits.Words {
						// The permutation that the last row of the sponge claims.
						to.Input[k][row] = goldilocks.Element(word.Of(&cutOffInput))
					}
				}
			}},
		},
		{
			name: "the digest's limbs are 16 bits", check: "public values",
			forge: func(f *forger) { f.absorb(0, nil) },
			change: columnChange{public: func(public []goldilocks.Element) {
				public[0] = public[0].Add(1 << limbBits)
				public[1] = public[1].Sub(1)
			}},
		},
	}
}

// flip changes one lane of the state that a row starts with.
func flip(row, lane int, bits uint64) func(int, *[lanes]uint64) {
	return func(r int, state *[lanes]uint64) {
		if r == row {
			state[lane] ^= bits
		}
	}
}

// logFor returns the log height of a keccak-f table for this number of permutations.
func logFor(permutations int) int { return logRowsFor(permutations * rounds) }

func logRowsFor(rows int) int {
	logRows := 0
	for 1<<logRows < rows {
		logRows++
	}
	return logRows
}

// cutOffInput is the only permutation input of the forged sponge: the padded file of five bytes.
var cutOffInput = func() [lanes]uint64 {
	f := newForger(nil)
	f.rows = f.rows[3:]
	return f.rows[0].mixed()
}()

// forgeCutOff claims for a file of five bytes the output of the zero state: the last rounds of that permutation are at
// the end of the table.
func forgeCutOff(f *forger) {
	f.rows = f.rows[3:]
	f.rows[0].length = 0
	f.length = 5
	f.rows[0].output = [lanes]uint64{}
	keccak.Permute(&f.rows[0].output)
}

package independent_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// The vector of section 12 follows from its file and the specification: columns, caps and ids.
func TestProgramVector(t *testing.T) {
	file, err := os.ReadFile("../../protocol/testdata/program.elf")
	must(t, err)
	text, err := os.ReadFile("../../protocol/testdata/program.json")
	must(t, err)
	var want struct {
		Image       string
		Words, Rows []string
		Columns     []string
		IDs         []struct {
			Hash                 string
			LogBlowup, CapHeight int
			MachineDigest        string
			Cap, Larger          []string
			ID                   string
		}
	}
	must(t, json.Unmarshal(text, &want))
	program, err := independent.ReadProgram(file)
	must(t, err)
	if got := hex.EncodeToString(program.Image[:]); got != want.Image {
		t.Errorf("image %s, want %s", got, want.Image)
	}
	for k, columns := range [][][]uint64{program.Words, program.Rows} {
		digest := sha256.New()
		for _, column := range columns {
			_ = binary.Write(digest, binary.LittleEndian, column) // a hash takes everything
		}
		for i, row := range [][]string{want.Words, want.Rows}[k] {
			if got := strings.Trim(fmt.Sprint(rowAt(columns, i)), "[]"); got != row {
				t.Fatalf("table %d, row %d: %s, want %s", k, i, got, row)
			}
		}
		if got := hex.EncodeToString(digest.Sum(nil)); got != want.Columns[k] {
			t.Errorf("columns of table %d have digest %s, want %s", k, got, want.Columns[k])
		}
	}
	if len(want.IDs) < 4 {
		t.Fatalf("%d ids", len(want.IDs))
	}
	for _, one := range want.IDs {
		machine, err := hex.DecodeString(one.MachineDigest)
		must(t, err)
		hash, err := merkle.ParseHash(one.Hash)
		must(t, err)
		id := program.ID(independent.Digest(machine), byte(hash), one.LogBlowup, one.CapHeight)
		if got := hex.EncodeToString(id[:]); got != one.ID {
			t.Errorf("%s, blowup 2^%d, cap height %d: id %s, want %s", one.Hash, one.LogBlowup, one.CapHeight, got, one.ID)
		}
		if hash == merkle.Blake3 {
			id, err := program.HeaderID(independent.Digest(machine), one.Cap, one.Larger)
			must(t, err)
			if got := hex.EncodeToString(id[:]); got != one.ID {
				t.Errorf("blowup 2^%d, cap height %d: the header hashes to %s, want %s", one.LogBlowup, one.CapHeight, got, one.ID)
			}
		}
	}
}

func rowAt(columns [][]uint64, i int) (row []uint64) {
	for _, column := range columns {
		row = append(row, column[i])
	}
	return row
}

// Both compute equal columns of every guest of this repository, and of words of any kind.
func TestProgramColumns(t *testing.T) {
	guests, err := filepath.Glob("../../../guests/elf/*.elf")
	must(t, err)
	if len(guests) < 5 {
		t.Fatalf("%d guests", len(guests))
	}
	for _, path := range guests {
		file, err := os.ReadFile(path)
		must(t, err)
		sameColumns(t, filepath.Base(path), file)
	}
	random := rand.New(rand.NewPCG(1, 2))
	majors := []uint32{0x03, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x33, 0x37, 0x3b, 0x63, 0x67, 0x6f, 0x73}
	for range 4 {
		var words []uint32
		for range 1 << 15 {
			word := random.Uint32()&^127 | majors[random.IntN(len(majors))]
			for _, field := range []uint32{0xfe000000, 31 << 20, 31 << 15, 31 << 7, 0xfff00000} {
				if random.IntN(3) == 0 { // x0, constants of 0, and the operations that most of the words lack
					word &^= field
				}
			}
			if random.IntN(8) == 0 {
				word = word&^(31<<7) | word>>15&31<<7 // rd = rs1
			}
			words = append(words, word|[]uint32{0, 0, 1 << 25, 1 << 30}[random.IntN(4)])
		}
		sameColumns(t, "random words", riscvtest.ELF(0x10000,
			riscvtest.Segment{Address: 0x10000, Flags: riscvtest.RX, Data: riscvtest.Words(words...)}))
	}
}

func sameColumns(t *testing.T, name string, file []byte) {
	t.Helper()
	first, err := riscv.New(file)
	must(t, err)
	second, err := independent.ReadProgram(file)
	must(t, err)
	tables := map[string][][]uint64{"IMAGE": second.Words, "PROGRAM": second.Rows}
	for _, table := range first.Machine().Tables {
		if table.Kind != air.ProgramPreprocessed {
			continue
		}
		for c, column := range table.PreprocessedColumns() {
			have := tables[table.Name][c]
			if len(have) != len(column) {
				t.Fatalf("%s: %s has %d rows and %d", name, table.Name, len(column), len(have))
			}
			for i, v := range column {
				if have[i] != uint64(v) {
					t.Fatalf("%s: row %d of %s: column %d is %d and %d, of row %v", name, i, table.Name, c, v, have[i],
						rowAt(tables[table.Name], i))
				}
			}
		}
		delete(tables, table.Name)
	}
	if len(tables) != 0 {
		t.Errorf("%s: tables %v were not compared", name, tables)
	}
	if second.Image != independent.Digest(first.Machine().Program.Digest) {
		t.Errorf("%s: another image digest", name)
	}
}

// The id of a guest is the one in its key.
func TestProgramID(t *testing.T) {
	file := riscvtest.Guest(t, "fib")
	first, err := riscv.New(file)
	must(t, err)
	second, err := independent.ReadProgram(file)
	must(t, err)
	for _, hash := range hashes {
		params := protocol.Default()
		params.Hash = hash
		key, err := setup.NewKey(first.Machine(), params)
		must(t, err)
		id := second.ID(independent.Digest(key.Digest), byte(hash), params.LogBlowup, params.CapHeight)
		if id != independent.Digest(key.ProgramID()) {
			t.Errorf("%v: id %x and %x", hash, id, key.ProgramID())
		}
	}
}

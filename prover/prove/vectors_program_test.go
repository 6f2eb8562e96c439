package prove_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// programVector is the vector of one program in docs/spec/protocol.md, section 12.
type programVector struct {
	Entry       uint64
	Image       string   // the digest
	Words, Rows []string // rows of IMAGE and PROGRAM without padding, numbers in decimal
	LogHeights  []int    // of IMAGE and PROGRAM
	Columns     []string // SHA-256 of the LE64 of all columns of IMAGE, and of PROGRAM
	IDs         []programVectorID
}

type programVectorID struct {
	Hash                 string
	LogBlowup, CapHeight int
	MachineDigest        string // of version 3 KEY
	Cap                  []string
	Larger               []string // of version 3: the siblings on the way to the root at blowup 16
	ID                   string
}

const programVectorFile = "../protocol/testdata/program"

// vectorELF is a file with every instruction in the forms that give different rows, and data that begins and ends
// within a word.
func vectorELF() []byte {
	var text []uint32
	for op := instruction.LUI; op <= instruction.ECALL; op++ {
		for _, i := range []instruction.Instruction{{Rd: 5, Rs1: 6, Rs2: 7, Imm: 16}, {Rd: 5, Rs1: 5, Rs2: 0, Imm: 0},
			{Rd: 0, Rs1: 8, Rs2: 9, Imm: 32}, {Rd: 10, Rs1: 0, Rs2: 11, Imm: -2048}} {
			i.Op = op
			switch op {
			case instruction.LUI, instruction.AUIPC:
				i.Imm <<= 12
			case instruction.SLLI, instruction.SRLI, instruction.SRAI:
				i.Imm = i.Imm&31 + 17
			case instruction.SLLIW, instruction.SRLIW, instruction.SRAIW:
				i.Imm = i.Imm>>1&15 + 9
			}
			text = append(text, riscvtest.Encode(i))
		}
	}
	text = append(text, 0, 0xffffffff, 0x00100073, 0x0000100f) // not instructions: their addresses have no rows
	return riscvtest.ELF(0x10008,
		riscvtest.Segment{Address: 0x20003, Flags: riscvtest.RW, Data: []byte("chiasmus"), Size: 100},
		riscvtest.Segment{Address: 0x10000, Flags: riscvtest.RX, Data: append(riscvtest.Words(text...), 1, 2)})
}

func TestProgramVector(t *testing.T) {
	pin.Test(t)
	file := vectorELF()
	program, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	m := program.Machine()
	got := programVector{Entry: m.Program.Entry, Image: hex.EncodeToString(m.Program.Digest[:])}
	for _, table := range m.Tables {
		if table.Kind != air.ProgramPreprocessed {
			continue
		}
		columns := table.PreprocessedColumns()
		got.LogHeights = append(got.LogHeights, table.PreprocessedLogHeight)
		digest := sha256.New()
		for _, column := range columns {
			_ = binary.Write(digest, binary.LittleEndian, column) // a hash accepts every write
		}
		got.Columns = append(got.Columns, hex.EncodeToString(digest.Sum(nil)))
		rows := rowsOf(columns)
		if table.Name == "IMAGE" {
			got.Words = rows
		} else {
			got.Rows = rows
		}
	}
	for _, params := range []protocol.Params{
		{LogBlowup: 1, CapHeight: 4},
		{LogBlowup: 2, CapHeight: 0},
		{Hash: merkle.Blake3, LogBlowup: 1, CapHeight: 4},
		{Hash: merkle.Blake3, LogBlowup: 3, CapHeight: 1},
	} {
		full := protocol.Default()
		full.Hash, full.LogBlowup, full.CapHeight = params.Hash, params.LogBlowup, params.CapHeight
		key, err := setup.NewKey(m, full)
		if err != nil {
			t.Fatal(err)
		}
		id := key.ProgramID()
		one := programVectorID{Hash: full.Hash.String(), LogBlowup: full.LogBlowup, CapHeight: full.CapHeight,
			MachineDigest: hex.EncodeToString(key.Digest[:]), ID: hex.EncodeToString(id[:])}
		for _, node := range key.Program.Cap {
			one.Cap = append(one.Cap, hex.EncodeToString(node[:]))
		}
		for _, node := range key.Program.Larger {
			one.Larger = append(one.Larger, hex.EncodeToString(node[:]))
		}
		got.IDs = append(got.IDs, one)
	}
	if *update {
		text, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		writeVector(t, programVectorFile+".json", append(text, '\n'))
		writeVector(t, programVectorFile+".elf", file)
	}
	var want programVector
	if err := json.Unmarshal(readVector(t, programVectorFile+".json"), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("not the vector of docs/spec/protocol.md (-update rewrites it): %s", diff)
	}
	if !bytes.Equal(file, readVector(t, programVectorFile+".elf")) {
		t.Error("not the vector's file")
	}
}

// rowsOf are the rows up to the last row whose selector, the last column, is 1.
func rowsOf(columns [][]goldilocks.Element) (rows []string) {
	selector := columns[len(columns)-1]
	for i := 0; i < len(selector) && selector[i] == 1; i++ {
		row := make([]uint64, len(columns))
		for c := range columns {
			row[c] = uint64(columns[c][i])
		}
		rows = append(rows, strings.Trim(fmt.Sprint(row), "[]"))
	}
	return rows
}

func writeVector(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func readVector(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

package independent

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// The columns and the ID of a program: section 12, "The program's columns".

// Program is the data of an ELF file that its program ID commits to.
type Program struct {
	Entry           uint64
	Image           Digest     // SHA-256 of the image
	Words, Rows     [][]uint64 // columns of IMAGE and PROGRAM
	wordLog, rowLog int
}

type segment struct {
	address, size, flags uint64
	data                 []byte
}

// ReadProgram computes the columns of a file that section 12 accepts. It rejects only some of the other files, and may
// panic.
func ReadProgram(file []byte) (*Program, error) {
	if len(file) < 64 || string(file[:4]) != "\x7fELF" {
		return nil, errors.New("not an ELF file")
	}
	number := binary.LittleEndian.Uint64
	var segments []segment
	for i := range int(binary.LittleEndian.Uint16(file[56:])) {
		h := file[number(file[32:])+56*uint64(i):]
		if s := (segment{number(h[16:]), number(h[40:]), uint64(binary.LittleEndian.Uint32(h[4:])), nil}); s.size > 0 &&
			binary.LittleEndian.Uint32(h) == 1 {
			s.data = file[number(h[8:]):][:number(h[32:])]
			segments = append(segments, s)
		}
	}
	slices.SortFunc(segments, func(a, b segment) int { return int(int64(a.address - b.address)) })
	p := &Program{Entry: number(file[24:])}
	p.Image = imageDigest(p.Entry, segments)
	var words, rows [][]uint64
	for _, s := range segments {
		for k, value := range s.data {
			at := s.address + uint64(k)
			if len(words) == 0 || words[len(words)-1][0] != at/8 {
				words = append(words, []uint64{at / 8, 0, 0, 1})
			}
			words[len(words)-1][1+at%8/4] |= uint64(value) << (8 * (at % 4))
		}
		if s.flags&1 == 0 {
			continue
		}
		for k := 0; k+4 <= len(s.data); k += 4 {
			rows = append(rows, lower(s.address+uint64(k), binary.LittleEndian.Uint32(s.data[k:]))...)
		}
	}
	p.Words, p.wordLog = transpose(words, 4)
	p.Rows, p.rowLog = transpose(rows, 12)
	return p, nil
}

func imageDigest(entry uint64, segments []segment) Digest {
	image := append([]byte("chiasmus.image/1"), le64(entry, uint64(len(segments)))...)
	for _, s := range segments {
		image = append(image, le64(s.address, s.size, s.flags, uint64(len(s.data)))...)
		image = append(image, s.data...)
	}
	return sha256.Sum256(image)
}

// transpose returns columns of the smallest height that fits the rows, at least 2^8.
func transpose(rows [][]uint64, width int) (columns [][]uint64, log int) {
	log = max(8, bits.Len(uint(max(len(rows), 1)-1)))
	columns = make([][]uint64, width)
	for c := range columns {
		columns[c] = make([]uint64, 1<<log)
		for i, row := range rows {
			columns[c][i] = row[c]
		}
	}
	return columns, log
}

// ID returns the program ID for a machine digest and parameters; hash is the parameters' ninth byte, 0 for version 2.
// In version 3 it does not depend on the parameters: it is computed from the tree at blowup 16 and cap height 0, whose
// cap is its root.
func (p *Program) ID(machine Digest, hash byte, blowup, capHeight int) Digest {
	h := header{entry: p.Entry, image: p.Image, logHeights: []byte{byte(p.wordLog), byte(p.rowLog)}}
	if hash == 1 {
		h.nodes = p.cap(blakeHasher{}, 4, 0)
		return h.id3(machine)
	}
	h.nodes = p.cap(keccakHasher{}, blowup, capHeight)
	return h.id(machine, blowup, capHeight)
}

// cap returns the cap of the program tree.
func (p *Program) cap(h hasher, blowup, capHeight int) digests {
	var columns [2][][]uint64
	for _, column := range p.Words {
		columns[0] = append(columns[0], extend(column, p.wordLog, blowup))
	}
	for _, column := range p.Rows {
		columns[1] = append(columns[1], extend(column, p.rowLog, blowup))
	}
	return commit(h, columns[:], []matrix{{p.wordLog + blowup, 4}, {p.rowLog + blowup, 12}}, capHeight)
}

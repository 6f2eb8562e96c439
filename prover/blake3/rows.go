package blake3

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const (
	blockWords     = 8 // elements of a block of a row
	extensionWords = 3 // base elements of an element of the cubic extension
	itemWords      = 4 // that an element of the extension takes in a block, the last one zero
)

// The counters of rows keep leaves of trees over the field apart from those over the extension.
const (
	baseRows      = 0
	extensionRows = 1
)

// HashRows sets dst[i] to the digest of row first+i of the matrix that has the given columns: the chain over its
// elements in the order of the columns, with zeros up to a multiple of 8. A row of no columns is one block of zeros.
// Every column must reach to row first+len(dst)-1.
func HashRows(dst []Digest, columns [][]goldilocks.Element, first int) {
	checkColumns(columns, first, len(dst))
	hashRows(dst, columns, first, baseRows)
}

// HashExtensionRows is HashRows for elements of the cubic extension, each in three columns, lowest coordinate first:
// two of them make a block, at words 0 to 2 and 4 to 6.
func HashExtensionRows(dst []Digest, columns [][]goldilocks.Element, first int) {
	checkColumns(columns, first, len(dst))
	if len(columns)%extensionWords != 0 {
		panic(fmt.Sprintf("blake3: %d columns of coordinates, want a multiple of %d", len(columns), extensionWords))
	}
	padded := make([][]goldilocks.Element, 0, len(columns)/extensionWords*itemWords)
	for i := 0; i < len(columns); i += extensionWords {
		padded = append(append(padded, columns[i:i+extensionWords]...), nil)
	}
	hashRows(dst, padded, first, extensionRows)
}

func checkColumns(columns [][]goldilocks.Element, first, rows int) {
	for c, column := range columns {
		if first < 0 || len(column) < first+rows {
			panic(fmt.Sprintf("blake3: column %d has %d rows, asked for rows %d to %d", c, len(column), first, first+rows-1))
		}
	}
}

// hashRows hashes rows of columns of which nil ones are zero.
func hashRows(dst []Digest, columns [][]goldilocks.Element, first int, counter uint64) {
	done := hashRowsFast(dst, columns, first, counter)
	for i := done; i < len(dst); i++ {
		dst[i] = hashRow(columns, first+i, counter)
	}
}

func hashRow(columns [][]goldilocks.Element, row int, counter uint64) Digest {
	c := IV
	blocks := blocksOf(len(columns))
	for k := range blocks {
		var block Block
		for w, column := range columns[min(blockWords*k, len(columns)):min(blockWords*(k+1), len(columns))] {
			if column != nil {
				block[2*w], block[2*w+1] = uint32(column[row]), uint32(column[row]>>32)
			}
		}
		Compress(&c, &block, counter, BlockBytes, rowFlags(k, blocks))
	}
	return c.Digest()
}

// blocksOf is the number of blocks of a row of so many elements.
func blocksOf(elements int) int { return max(1, (elements+blockWords-1)/blockWords) }

// rowFlags are those of block k of n.
func rowFlags(k, n int) (flags uint32) {
	if k == 0 {
		flags = Start
	}
	if k == n-1 {
		flags |= End | Root
	}
	return flags
}

// Compressions is the number of compressions of a row of n elements of the field.
func Compressions(n int) int { return blocksOf(n) }

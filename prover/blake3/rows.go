package blake3

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const (
	blockWords     = 8 // elements per block of a row
	extensionWords = 3 // base elements per element of the cubic extension
	itemWords      = 4 // words per extension element in a block, the last one zero
)

// The counters of rows separate leaves of trees over the field from leaves over the extension.
const (
	baseRows      = 0
	extensionRows = 1
)

// HashRows sets dst[i] to the digest of row first+i of the matrix with the given columns: the chain over its elements
// in column order, padded with zeros to a multiple of 8. A row without columns is one block of zeros. Every column must
// have at least first+len(dst) rows.
func HashRows(dst []Digest, columns [][]goldilocks.Element, first int) {
	checkColumns(columns, first, len(dst))
	hashRows(dst, columns, first, baseRows)
}

// HashExtensionRows is HashRows for elements of the cubic extension, each in three columns, lowest coordinate first.
// Two of them fill a block, at words 0 to 2 and 4 to 6.
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

// hashRows hashes rows; nil columns are zero.
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
		Compress(&c, &block, counter, blockBytes, rowFlags(k, blocks))
	}
	return c.Digest()
}

// blocksOf returns the number of blocks of a row of the given number of elements.
func blocksOf(elements int) int { return max(1, (elements+blockWords-1)/blockWords) }

// rowFlags returns the flags of block k of n.
func rowFlags(k, n int) (flags uint32) {
	if k == 0 {
		flags = chainStart
	}
	if k == n-1 {
		flags |= chainEnd | rootNode
	}
	return flags
}

// Compressions returns the number of compressions for a row of n field elements.
func Compressions(n int) int { return blocksOf(n) }

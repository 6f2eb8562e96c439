package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
)

// partList is the list of the work of a launch that instances share; see [generate.Part].
type partList struct {
	words  []uint64
	count  uint32
	blocks uint64
	at     uint64 // address on the device
}

// partWords returns the number of words of a part.
func partWords[P generate.Part]() uint64 { return uint64(len(cuda.Words(new(P)))) }

// addPart appends a part with the given number of rows to a list. The caller has set its first block to l.blocks.
func addPart[P generate.Part](l *partList, part *P, rows uint64) {
	l.words = append(l.words, cuda.Words(part)...)
	l.count++
	l.blocks += generate.PartBlocks(rows)
}

// place adds the list to constants, and sets its address.
func (l *partList) place(to *constants) { l.at = to.add(l.words) }

// alone returns a list of one part of the list, by its index and its number of rows.
func (l *partList) alone(number int, rows uint64) *partList {
	each := uint64(len(l.words)) / uint64(l.count) * wordBytes
	return &partList{count: 1, blocks: generate.PartBlocks(rows), at: l.at + uint64(number)*each}
}

// launchParts queues a kernel on a list, with the given number of rows of blocks.
func (p *proof) launchParts(stream *cuda.Stream, kernel string, list *partList, rowsOfBlocks int,
	further ...cuda.Argument) error {
	shape := cuda.Shape{Grid: cuda.Dim{X: list.blocks, Y: uint64(rowsOfBlocks)}, Block: cuda.Dim{X: generate.PartThreads}}
	arguments := append([]cuda.Argument{cuda.U64(list.at), cuda.U32(list.count)}, further...)
	return p.launchOn(stream, kernel, shape, arguments...)
}

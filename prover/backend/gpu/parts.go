package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
)

// partList is a list of what the blocks of a launch do that instances share; see generate.FractionRows and others.
type partList struct {
	words  []uint64
	count  uint32
	blocks uint64
	at     uint64 // on the device
}

// partWords is how many words a part is.
func partWords[P generate.Part]() uint64 { return uint64(len(cuda.Words(new(P)))) }

// addPart puts a part of so many rows behind the others of a list. Its first block is the one behind theirs.
func addPart[P generate.Part](l *partList, part *P, rows uint64) {
	l.words = append(l.words, cuda.Words(part)...)
	l.count++
	l.blocks += generate.PartBlocks(rows)
}

// place puts the list among constants.
func (l *partList) place(to *constants) { l.at = to.add(l.words) }

// alone is the list's part of that number, which has so many rows.
func (l *partList) alone(number int, rows uint64) *partList {
	each := uint64(len(l.words)) / uint64(l.count) * wordBytes
	return &partList{count: 1, blocks: generate.PartBlocks(rows), at: l.at + uint64(number)*each}
}

// launchParts queues a kernel on a list, with so many rows of blocks.
func (p *proof) launchParts(stream *cuda.Stream, kernel string, list *partList, rowsOfBlocks int,
	further ...cuda.Argument) error {
	shape := cuda.Shape{Grid: cuda.Dim{X: list.blocks, Y: uint64(rowsOfBlocks)}, Block: cuda.Dim{X: generate.PartThreads}}
	arguments := append([]cuda.Argument{cuda.U64(list.at), cuda.U32(list.count)}, further...)
	return p.launchOn(stream, kernel, shape, arguments...)
}

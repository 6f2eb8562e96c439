package gpu

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Rows that are hashed in parts, concurrently with transforms, have the CPU's digests for every order of the two
// streams. No access of either stream races.
func TestRowsAreHashedBesideTransforms(t *testing.T) {
	little(t, false)
	smallParts(t) // tour's height with the most columns has 20, so two
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		if main, beside, _, heights := commitBeside(t, b); main != 1 || beside < heights {
			t.Errorf("rows of %d heights were hashed %d times on the main stream and %d beside the transforms, want all but "+
				"the last part there", heights, main, beside)
		}
	})
}

// The few rows of a height that is extended as a whole are hashed after all columns have been extended.
func TestFewRowsAreHashedLast(t *testing.T) {
	smallParts(t)
	fewRows = 1 << 20
	if main, beside, _, heights := commitBeside(t, openBackend(t, Options{Seed: 5})); main != 2 || beside != heights-2 {
		t.Errorf("rows of %d heights were hashed %d times on the main stream and %d beside the transforms, want those of "+
			"the height with 20 columns and of the last there", heights, main, beside)
	}
}

// Small heights are extended and hashed on lanes, concurrently with the others.
func TestSmallHeightsGoBesideOthers(t *testing.T) {
	little(t, false)
	smallParts(t)
	smallLogHeight = 7
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		if main, beside, lanes, heights := commitBeside(t, b); main != 1 || beside < 1 || lanes < 1 {
			t.Errorf("rows of %d heights were hashed %d times on the main stream, %d beside the transforms and %d on lanes, "+
				"want those of a small height there", heights, main, beside, lanes)
		}
	})
}

// smallParts makes heights of two blocks have parts, limited by memory, makes sponges take one block at a time, and
// makes no height small or of few rows.
func smallParts(t *testing.T) {
	blocks, rows, small := cutBlocks, fewRows, smallLogHeight
	t.Cleanup(func() { cutBlocks, fewRows, smallLogHeight = blocks, rows, small })
	cutBlocks, fewRows, smallLogHeight = 2, 0, 0
}

// commitBeside commits to random main columns of tour, and counts the hashing launches on either stream and on lanes,
// and their heights.
func commitBeside(t *testing.T, b *Backend) (main, beside, lanes, count int) {
	_, shape := shapeOf(t, "tour", 40)
	w := newTwin(t, b, claim{"tour", 40, 2}, shape.Params)
	counted := w.trace()
	w.draw(protocol.Main)
	heights := w.phases[protocol.Main].heights
	if err := b.StartTrace(); err != nil {
		t.Fatal(err)
	}
	commitTo(w, protocol.Main, counted)
	intervals, err := b.StopTrace()
	if err != nil {
		t.Fatal(err)
	}
	tracks := map[string]int{}
	for _, i := range intervals {
		if i.Name == "chiasmus_hash_rows" {
			tracks[i.Track]++
		}
	}
	if finding := b.Finding(); finding != "" {
		t.Error(finding)
	}
	for i := range heights {
		lanes += tracks[fmt.Sprint("lane ", i+1)]
	}
	return tracks["compute stream"], tracks["side stream"], lanes, len(heights)
}

// A sponge absorbs a part of several blocks one after another, starting with the first block of the first part.
func TestSpongesGoOn(t *testing.T) {
	smallParts(t)
	const logRows, width, cut = 6, 60, 51
	program, shape := shapeOf(t, "tour", 40)
	p := begin(t, openBackend(t, Options{Seed: 4}), program.Fillers(), shape)
	err := p.stage("test", func(scope *cuda.Scope) error {
		var taker device.Taker
		own := &commitment{matrices: &matrices{heights: []heightColumns{{Columns: kernels.Columns{
			Span: taker.Take(scope, "columns", width<<logRows*wordBytes), Stride: 1 << logRows, Count: width},
			logHeight: logRows - shape.Params.LogBlowup}}}}
		sponges := taker.Take(scope, "sponges", kernels.SpongeBytes(1<<logRows))
		var digests [2][]uint64
		for i, parts := range [][]columnRun{{{count: cut}, {first: cut, count: width - cut}}, {{count: width}}} {
			nodes := taker.Take(scope, "tree", kernels.TreeBytes(logRows))
			if taker.Err != nil {
				return taker.Err
			}
			own.tree = kernels.Tree{Nodes: nodes, LogHeight: logRows}
			if err := p.upload(own.heights[0].Span, words(randomElements(1, width<<logRows))); err != nil {
				return err
			}
			for _, part := range parts {
				if err := p.hashPart(p.device.Stream, own, &commitMemory{sponges: sponges}, part); err != nil {
					return err
				}
			}
			leaves, err := own.tree.Layer(logRows)
			if err != nil {
				return err
			}
			if digests[i], err = p.download(leaves); err != nil {
				return err
			}
		}
		if !slices.Equal(digests[0], digests[1]) {
			t.Error("rows in parts have other digests than whole ones")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Parts are whole blocks of the sponge, and about as large as memory allows. Small matrices have one part.
func TestPartsOfColumns(t *testing.T) {
	for _, c := range []struct {
		hash        merkle.Hash
		n           uint64
		width, want int
	}{
		{merkle.Keccak, 1 << 19, 255, 255}, {merkle.Keccak, 1 << 19, 256, 102}, {merkle.Keccak, 1 << 19, 2308, 119},
		{merkle.Keccak, 1 << 22, 2308, 68}, {merkle.Keccak, 1 << 17, 2308, 476}, {merkle.Keccak, 1 << 14, 2308, 2308},
		{merkle.Keccak, 1 << 22, 19, 19},
		{merkle.Blake3, 1 << 19, 240, 240}, {merkle.Blake3, 1 << 19, 241, 128}, {merkle.Blake3, 1 << 22, 2308, 64},
	} {
		if got := partColumns(c.hash, c.n, c.width); got != c.want {
			t.Errorf("%v: of %d columns of %d rows a part has %d, want %d", c.hash, c.width, c.n, got, c.want)
		}
	}
}

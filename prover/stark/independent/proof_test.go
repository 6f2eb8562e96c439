package independent

import (
	"encoding/binary"
	"fmt"
)

// params are the eight bytes of section 2.
type params struct {
	bytes                                                               []byte
	blowup, queries, grinding, arity, finalLength, capHeight, minHeight int
}

// proof is section 8.
type proof struct {
	params     params
	name       string
	digest     digest
	logHeights []int
	public     []uint64
	caps       [phases][]digest // none of preprocessed
	claimed    []ext
	opened     [phases][]opened // by table
	layerCaps  [][]digest
	final      []ext
	nonce      uint64
	trees      [phases]opening
	layers     []opening
}

// opened are a table's values at z and at gz.
type opened struct{ z, gz []ext }

type malformed string

func (m malformed) Error() string { return string(m) }

func refuse(format string, args ...any) { panic(malformed(fmt.Sprintf(format, args...))) }

type proofReader struct{ left []byte }

func (r *proofReader) take(n int) []byte {
	if n > len(r.left) {
		refuse("the proof ends early")
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *proofReader) count() int {
	n := int(binary.LittleEndian.Uint32(r.take(4)))
	if n > len(r.left) {
		refuse("%d items in %d bytes", n, len(r.left))
	}
	return n
}

func (r *proofReader) element() uint64 {
	e := binary.LittleEndian.Uint64(r.take(8))
	if e >= p {
		refuse("element %d", e)
	}
	return e
}

func (r *proofReader) extension() ext { return ext{r.element(), r.element(), r.element()} }

func (r *proofReader) digest() digest { return digest(r.take(32)) }

func items[T any](r *proofReader, item func() T) (list []T) {
	for range r.count() {
		list = append(list, item())
	}
	return list
}

func parseProof(data []byte) (out *proof, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			reason, ok := problem.(malformed)
			if !ok {
				panic(problem)
			}
			err = reason
		}
	}()
	r := &proofReader{data}
	if string(r.take(8)) != "CHIASMUS" || binary.LittleEndian.Uint32(r.take(4)) != 1 {
		refuse("another magic or version")
	}
	out = &proof{params: r.params()}
	out.name = string(r.take(r.count()))
	if len(out.name) > 64 {
		refuse("a name of %d bytes", len(out.name))
	}
	out.digest = r.digest()
	out.logHeights = items(r, func() int { return int(r.take(1)[0]) })
	out.public = items(r, r.element)
	for _, phase := range []int{main, auxiliary, quotient} {
		out.caps[phase] = items(r, r.digest)
	}
	out.claimed = items(r, r.extension)
	for phase := range phases {
		out.opened[phase] = items(r, func() opened { return opened{items(r, r.extension), items(r, r.extension)} })
	}
	out.layerCaps = items(r, func() []digest { return items(r, r.digest) })
	out.final = items(r, r.extension)
	if out.params.grinding > 0 {
		out.nonce = binary.LittleEndian.Uint64(r.take(8))
	}
	for phase := range phases {
		out.trees[phase] = r.opening()
	}
	out.layers = items(r, r.opening)
	if len(r.left) > 0 {
		refuse("%d bytes follow the end", len(r.left))
	}
	return out, nil
}

func (r *proofReader) params() params {
	b := r.take(8)
	q := params{b, int(b[0]), int(binary.LittleEndian.Uint16(b[1:])), int(b[3]), int(b[4]), int(b[5]), int(b[6]), int(b[7])}
	for _, limit := range [][3]int{
		{q.blowup, 1, 4}, {q.queries, 1, 1024}, {q.grinding, 0, 48}, {q.arity, 1, 4},
		{q.finalLength, 0, 10}, {q.capHeight, 0, 10}, {q.minHeight, 1, 32 - q.blowup},
	} {
		if limit[0] < limit[1] || limit[0] > limit[2] {
			refuse("parameter %d, want %d to %d", limit[0], limit[1], limit[2])
		}
	}
	return q
}

func (r *proofReader) opening() opening {
	return opening{items(r, func() (rows [][]uint64) {
		n, width := r.count(), r.count()
		if n == 0 || width == 0 {
			refuse("an empty matrix")
		}
		for range n {
			var row []uint64
			for range width {
				row = append(row, r.element())
			}
			rows = append(rows, row)
		}
		return rows
	}), items(r, r.digest)}
}

package aggregate

import (
	"encoding/binary"
	"testing"
)

// The number of a matrix's rows is limited by the cells that follow. Otherwise a short file would take minutes.
func TestRowsHaveCells(t *testing.T) {
	for _, c := range []struct{ rows, columns, bytes, want int }{
		{3, 2, 48, 3},
		{3, 2, 47, 0},
		{1<<32 - 1, 1, 48, 0},
		{1<<32 - 1, 0, 48, 0},
	} {
		left := binary.LittleEndian.AppendUint32(nil, uint32(c.rows))
		left = binary.LittleEndian.AppendUint32(left, uint32(c.columns))
		m := (&wordsWriter{left: append(left, make([]byte, c.bytes)...)}).rows()
		if m.rows != c.want {
			t.Errorf("%d rows of %d columns in %d bytes: read as %d rows, want %d", c.rows, c.columns, c.bytes, m.rows, c.want)
		}
	}
}

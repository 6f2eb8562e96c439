package tour

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Map is the program: the places, numbered from 0.
type Map struct {
	Entry  int
	Places []Place
}

// Place has the roads that begin there: one, or two at a fork.
type Place struct{ Roads []Road }

// Road leads to a place.
type Road struct{ Next, Toll int }

// Limits of maps.
const (
	MaxToll   = 11
	maxPlaces = 1 << 10
)

// The number of place i in messages is FirstPlace + PlaceStride * i.
const (
	FirstPlace  = 0x1000
	PlaceStride = 4
)

// numberOf returns the number of a place in messages.
func numberOf(place int) uint64 { return FirstPlace + PlaceStride*uint64(place) }

// The least and the largest log heights of the program's table.
const (
	minRoadLog = 8
	maxRoadLog = 11
)

// Validate checks the number of places, the entry, the number of roads from each place, and each road's end and toll.
func (m *Map) Validate() error {
	if n := len(m.Places); n < 1 || n > maxPlaces || m.Entry < 0 || m.Entry >= n {
		return fmt.Errorf("tour: a map of %d places that is entered at place %d, want 1 to %d places", n, m.Entry, maxPlaces)
	}
	for i, place := range m.Places {
		if n := len(place.Roads); n < 1 || n > 2 {
			return fmt.Errorf("tour: %d roads from place %d, want one or two", n, i)
		}
		for _, road := range place.Roads {
			if road.Next < 0 || road.Next >= len(m.Places) || road.Toll < 0 || road.Toll > MaxToll {
				return fmt.Errorf("tour: a road from place %d to place %d for %d, want a place of the map and a toll of at most %d",
					i, road.Next, road.Toll, MaxToll)
			}
		}
	}
	return nil
}

// image returns the part of the map that a proof names: the entry and a digest.
func (m *Map) image() *circuit.Image {
	b := []byte("chiasmus.tour/1")
	number := func(v uint64) { b = binary.LittleEndian.AppendUint64(b, v) }
	number(numberOf(m.Entry))
	number(uint64(len(m.Places)))
	for _, place := range m.Places {
		number(uint64(len(place.Roads)))
		for _, road := range place.Roads {
			number(numberOf(road.Next))
			number(uint64(road.Toll))
		}
	}
	return &circuit.Image{Entry: numberOf(m.Entry), Digest: sha256.Sum256(b)}
}

// rows returns the roads by place, and an index entry for each place: twice its first row, plus 1 for a fork.
func (m *Map) rows() (rows []roadRow, firsts []uint32) {
	for i, place := range m.Places {
		fork := uint32(len(place.Roads) - 1)
		firsts = append(firsts, uint32(len(rows))<<1|fork)
		for c, road := range place.Roads {
			rows = append(rows, roadRow{numberOf(i), uint64(c), numberOf(road.Next), uint64(road.Toll), 1})
		}
	}
	return rows, firsts
}

// roadRow is a row of the program's table, by column.
type roadRow [roadColumns]uint64

// The program's columns.
const (
	roadPlace = iota
	roadChoice
	roadNext
	roadToll
	roadOnly
	roadColumns
)

// logHeight returns the least log height for the roads.
func (m *Map) logHeight() int {
	rows, _ := m.rows()
	return max(minRoadLog, bits.Len(uint(len(rows)-1)))
}

// fill writes the program's columns.
func (m *Map) fill(columns [][]goldilocks.Element) {
	rows, _ := m.rows()
	for c, column := range columns {
		clear(column)
		for r := range rows {
			column[r] = goldilocks.Element(rows[r][c])
		}
	}
}

// Sample returns a map of 40 places, a third of them forks.
func Sample() Map {
	const places = 40
	m := Map{Entry: 7}
	for i := range places {
		place := Place{[]Road{{(i + 1) % places, (5*i + 3) % (MaxToll + 1)}}}
		if i%3 == 0 {
			place.Roads = append(place.Roads, Road{(i + 11) % places, (7*i + 5) % (MaxToll + 1)})
		}
		m.Places = append(m.Places, place)
	}
	return m
}

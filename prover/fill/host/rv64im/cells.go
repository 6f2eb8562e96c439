package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// W, H and M in the derivations of package circuit/rv64im.
const (
	twoTo32   = rv64im.W
	twoTo16   = rv64im.H
	maxUint32 = rv64im.M
)

// cell is the type of a row's fields.
type cell = goldilocks.Element

// element converts a number below p to a cell.
func element(v uint64) cell { return cell(v) }

func low(v uint64) uint64  { return v & maxUint32 }
func high(v uint64) uint64 { return v >> 32 }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// limbs returns the limbs of a 64-bit value, halves the halves of a limb, and quarters the halves of both limbs.
func limbs(v uint64) rv64im.Limbs[cell] {
	return rv64im.Limbs[cell]{Low: cell(low(v)), High: cell(high(v))}
}

func halves(limb uint64) rv64im.Halves[cell] {
	return rv64im.Halves[cell]{Low: cell(limb & (twoTo16 - 1)), High: cell(limb >> 16)}
}

func quarters(v uint64) rv64im.Quarters[cell] {
	return rv64im.Quarters[cell]{Low: halves(low(v)), High: halves(high(v))}
}

// putBytes writes the lowest bytes of a value.
func putBytes(to []cell, v uint64) {
	for i := range to {
		to[i] = cell(v >> (8 * i) & 0xff)
	}
}

// header returns the first columns of an active row.
func header(cycle uint32, k *rv64im.Row) rv64im.Header[cell] {
	return rv64im.Header[cell]{M: 1, Time: 4 * cell(cycle), PC: cell(k.PC)}
}

// before returns the time of an access from the low 32 bits in its record.
func before(cycle, low uint32) cell { return cell(record.Before(cycle, low)) }

// The functions put... write columns that several tables share.

func putUnary(c *rv64im.Unary[cell], cycle uint32, k *rv64im.Row) {
	c.Header, c.Rd, c.Rs1 = header(cycle, k), cell(k.Rd), cell(k.Rs1)
}

func putBinary(c *rv64im.Binary[cell], cycle uint32, k *rv64im.Row) {
	c.Header, c.Rd, c.Rs1, c.Rs2 = header(cycle, k), cell(k.Rd), cell(k.Rs1), cell(k.Rs2)
}

func putCompare(c *rv64im.Compare[cell], cycle uint32, k *rv64im.Row) {
	c.Header, c.Rs1, c.Rs2 = header(cycle, k), cell(k.Rs1), cell(k.Rs2)
}

func putSources(c *rv64im.Sources[cell], cycle, previous1, previous2 uint32) {
	c.Previous1, c.Previous2 = before(cycle, previous1), before(cycle, previous2)
}

func putDestination(c *rv64im.Destination[cell], cycle, previous uint32, old uint64) {
	c.PreviousD, c.Old = before(cycle, previous), limbs(old)
}

func putUnaryAccesses(c *rv64im.UnaryAccesses[cell], x *record.Unary) {
	c.Previous1 = before(x.Cycle, x.Previous1)
	putDestination(&c.Destination, x.Cycle, x.PreviousD, x.Old)
}

func putBinaryAccesses(c *rv64im.BinaryAccesses[cell], x *record.Binary) {
	putSources(&c.Sources, x.Cycle, x.Previous1, x.Previous2)
	putDestination(&c.Destination, x.Cycle, x.PreviousD, x.Old)
}

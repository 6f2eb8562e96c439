package protocol

import (
	"cmp"
	"errors"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

// chained is protocol 3's transcript as a [Transcript]: messages are whole items of 32 bytes. It records whether a
// challenge was not below the modulus. All later challenges are then meaningless: see [Script.Refused].
type chained struct {
	blake     *transcript.Blake3
	positions []uint64 // sampled but not yet used
	refused   error
}

// errItems reports a message that protocol 3 cannot encode.
var errItems = errors.New("protocol: a message of protocol 3 has one or more items of 32 bytes")

func (c *chained) Absorb(tag byte, message []byte) {
	if len(message) == 0 || len(message)%transcript.ItemBytes != 0 {
		panic(errItems)
	}
	c.blake.Absorb(tag, transcript.Bytes(message)...)
	c.positions = nil
}

func (c *chained) Extension() goldilocks.Extension {
	e, err := c.blake.Extension()
	c.refused = cmp.Or(c.refused, err)
	return e
}

func (c *chained) Position(bits int) uint64 {
	if len(c.positions) == 0 {
		c.positions = c.blake.Positions(bits, transcript.PositionsPerDraw)
	}
	position := c.positions[0]
	c.positions = c.positions[1:]
	return position
}

// Stream returns the state that all further draws compress and the number of words already drawn from it.
func (c *chained) Stream() (state [32]byte, drawn uint64) {
	return c.blake.State(), c.blake.Draws() * ExtensionDegree
}

// GrindingSeed returns the state under which the nonce is absorbed.
func (c *chained) GrindingSeed() [32]byte { return c.blake.State() }

func (c *chained) Branch() [32]byte { return c.blake.Digest() }

func (c *chained) Refused() error { return c.refused }

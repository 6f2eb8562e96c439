package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillLogic(c *rv64im.Logic[cell], x *record.Binary, k *rv64im.Row) {
	putBinary(&c.Binary, x.Cycle, k)
	c.Op = k.K[0]
	putBytes(c.X[:], x.A)
	putBytes(c.Y[:], x.B)
	putBytes(c.Z[:], x.Result)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func fillLogicConstant(c *rv64im.LogicConstant[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.Op, c.I[0], c.I[1], c.KA, c.KB = k.K[0], k.K[1], k.K[2], k.K[3], k.K[4]
	c.A, c.C = limbs(x.A), limbs(x.Result)
	putBytes(c.X[:], x.A)
	putBytes(c.Z[:], x.Result)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

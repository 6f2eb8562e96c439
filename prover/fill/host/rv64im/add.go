package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

func fillJump(c *rv64im.Jump[cell], x *record.Plain, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.NPC = k.K[0]
}

func fillConstant(c *rv64im.Constant[cell], x *record.Constant, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.Rd = cell(k.Rd)
	c.NPC, c.Value.Low, c.Value.High = k.K[0], k.K[1], k.K[2]
	putDestination(&c.Destination, x.Cycle, x.PreviousD, x.Old)
}

func fillMove(c *rv64im.Move[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.A = limbs(x.A)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

func fillSum(c *rv64im.ConstantSum[cell], x *record.Unary, k *rv64im.Row) {
	c.Imm, c.A = k.K[0], limbs(x.A)
	c.C = halves(low(x.Result))
	c.CHigh = cell(high(x.Result))
	c.Inverse.Of(c.CHigh.Sub(twoTo32).Mul(c.CHigh.Add(1)))
}

func fillAddConstant(c *rv64im.AddConstant[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	fillSum(&c.ConstantSum, x, k)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

func fillAddInPlace(c *rv64im.AddInPlace[cell], x *record.Unary, k *rv64im.Row) {
	c.Header = header(x.Cycle, k)
	c.Rd = cell(k.Rd)
	fillSum(&c.ConstantSum, x, k)
	c.PreviousD = before(x.Cycle, x.PreviousD)
}

func fillAddConstant32(c *rv64im.AddConstant32[cell], x *record.Unary, k *rv64im.Row) {
	putUnary(&c.Unary, x.Cycle, k)
	c.Imm, c.A = k.K[0], limbs(x.A)
	c.C = halves(low(x.Result))
	c.S = cell(low(x.Result) >> 31)
	putUnaryAccesses(&c.UnaryAccesses, x)
}

func fillAdd(c *rv64im.Add[cell], x *record.Binary, k *rv64im.Row) {
	putBinary(&c.Binary, x.Cycle, k)
	c.A, c.B, c.C = limbs(x.A), limbs(x.B), quarters(x.Result)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

func fillSubtract(c *rv64im.Subtract[cell], x *record.Binary, k *rv64im.Row) {
	fs, fw := k.K[0] == 1, k.K[1] == 1
	carry := func(a, b, in, result uint64) uint64 { // of a + b + in, or the borrow of a - b - in
		if fs {
			return (b + in + result - a) >> 32
		}
		return (a + b + in - result) >> 32
	}
	k0 := carry(low(x.A), low(x.B), 0, low(x.Result))
	k1 := uint64(0)
	if !fw {
		k1 = carry(high(x.A), high(x.B), k0, high(x.Result))
	}
	putBinary(&c.Binary, x.Cycle, k)
	c.FS, c.FW = k.K[0], k.K[1]
	c.A, c.B, c.C = limbs(x.A), limbs(x.B), quarters(x.Result)
	c.K0, c.K1, c.S = cell(k0), cell(k1), cell(low(x.Result)>>31)
	putBinaryAccesses(&c.BinaryAccesses, x)
}

package kernelgen

import (
	"github.com/mmcloughlin/avo/operand"
)

// singleKernel compresses one block. Its four rows are in four registers of four words, so half a round mixes all four
// columns at once; between halves, rows are rotated so that diagonals become columns. The message is in one register,
// and one permutation gives a round's words in the order in which they are added. This permutation depends on no other
// instruction of the round.
func (k *blakeKernels) singleKernel() {
	orders := make([]operand.Mem, 0, 7)
	for r, order := range blakeSchedule() {
		var words []uint32
		for half := range 2 {
			for operandOf := range 2 {
				for i := range 4 {
					words = append(words, uint32(order[8*half+2*i+operandOf]))
				}
			}
		}
		orders = append(orders, k.words32("order"+string(rune('0'+r)), words...))
	}
	k.kernelOf("single", "(cv, message, last *uint32)",
		"compresses 16 words of message into the 8 words of a chaining value; last are the last four words of the state.")
	cv, from, last := k.argument("cv"), k.argument("message"), k.argument("last")
	message := k.load(at(from, 0))
	rows := [4]value{k.XMM(), k.XMM(), k.XMM(), k.XMM()}
	k.VMOVDQU(at(cv, 0), rows[0])
	k.VMOVDQU(at(cv, 16), rows[1])
	k.VMOVDQU(k.iv, rows[2])
	k.VMOVDQU(at(last, 0), rows[3])
	for _, order := range orders {
		words := k.ZMM()
		k.VMOVDQU64(order, words)
		k.VPERMD(message, words, words)
		for half := range 2 {
			first, second := k.XMM(), k.XMM()
			k.VEXTRACTI32X4(imm(2*half), words, first)
			k.VEXTRACTI32X4(imm(2*half+1), words, second)
			k.mixRows(rows, first, 16, 12)
			k.mixRows(rows, second, 8, 7)
			for i := 1; i < 4; i++ {
				by := i
				if half == 1 {
					by = 4 - i
				}
				k.VPSHUFD(imm(rotateWords(by)), rows[i], rows[i])
			}
		}
	}
	k.VPXOR(rows[2], rows[0], rows[0])
	k.VPXOR(rows[3], rows[1], rows[1])
	k.VMOVDQU(rows[0], at(cv, 0))
	k.VMOVDQU(rows[1], at(cv, 16))
	k.end()
}

// rotateWords returns the VPSHUFD order that moves word i+by to index i.
func rotateWords(by int) (order int) {
	for i := range 4 {
		order |= (i + by) % 4 << (2 * i)
	}
	return order
}

// mixRows does half of a mix in all four columns, with one message word for each.
func (k *blakeKernels) mixRows(rows [4]value, words value, rotateLast, rotateSecond int) {
	k.VPADDD(words, rows[0], rows[0])
	k.VPADDD(rows[1], rows[0], rows[0])
	k.VPXORD(rows[0], rows[3], rows[3])
	k.VPRORD(imm(rotateLast), rows[3], rows[3])
	k.VPADDD(rows[3], rows[2], rows[2])
	k.VPXORD(rows[2], rows[1], rows[1])
	k.VPRORD(imm(rotateSecond), rows[1], rows[1])
}

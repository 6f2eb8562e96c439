#include "textflag.h"

// func call(code uintptr, state unsafe.Pointer)
//
// The code may change every register except rsp and rbp, the frame pointer.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ state+8(FP), BX
	CALL AX
	RET

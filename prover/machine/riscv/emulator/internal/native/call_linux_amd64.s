#include "textflag.h"

// func call(code uintptr, state unsafe.Pointer)
//
// Code of this convention may use every register but rsp and rbp, which the assembler keeps, as in every frame.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ state+8(FP), BX
	CALL AX
	RET

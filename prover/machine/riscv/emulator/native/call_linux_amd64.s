#include "textflag.h"

// func call(code uintptr, state unsafe.Pointer)
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ state+8(FP), BX
	CALL AX
	RET

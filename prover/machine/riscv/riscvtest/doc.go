// Package riscvtest makes RISC-V programs for tests: it encodes instructions, writes ELF files without a
// toolchain, and draws random programs. Only tests import it.
package riscvtest

// Package riscvtest generates RISC-V programs for tests: it encodes instructions, writes ELF files without a toolchain,
// and generates random programs. Only tests import it.
package riscvtest

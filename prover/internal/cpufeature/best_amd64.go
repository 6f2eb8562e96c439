package cpufeature

import "golang.org/x/sys/cpu"

var best = func() Level {
	switch {
	case !cpu.X86.HasAVX2 || !cpu.X86.HasBMI2:
		return Generic
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		return AVX512
	}
	return AVX2
}()

var (
	hasByteDots    = cpu.X86.HasAVX512VNNI
	hasMultiplyAdd = cpu.X86.HasAVX512IFMA
)

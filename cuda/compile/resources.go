package compile

import (
	"bytes"
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The lines of the output of --ptxas-options=-v that parseResources reads:
//
//	ptxas info    : Compiling entry function 'chiasmus_fill' for 'sm_90'
//	ptxas info    : Function properties for chiasmus_fill
//	    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//	ptxas info    : Used 10 registers, used 0 barriers, 1024 bytes smem, 368 bytes cmem[0]
var (
	entryLine = regexp.MustCompile(`Compiling entry function '([^']+)'`)
	ownerLine = regexp.MustCompile(`Function properties for (\S+)`)
	stackLine = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	usedLine  = regexp.MustCompile(`Used (\d+) registers`)
	smemPart  = regexp.MustCompile(`(\d+) bytes smem`)
	cmemPart  = regexp.MustCompile(`(\d+) bytes cmem\[\d+\]`)
)

// parseResources parses the resource usage of each entry point, sorted by name.
func parseResources(log string) []Kernel {
	var kernels []Kernel
	var current *Kernel
	owner := ""
	for line := range strings.Lines(log) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			kernels = append(kernels, Kernel{Name: m[1]})
			current, owner = &kernels[len(kernels)-1], m[1]
		}
		if m := ownerLine.FindStringSubmatch(line); m != nil {
			owner = m[1]
		}
		if current == nil {
			continue
		}
		if m := stackLine.FindStringSubmatch(line); m != nil && owner == current.Name {
			current.StackBytes, current.SpillStoreBytes, current.SpillLoadBytes = number(m[1]), number(m[2]), number(m[3])
		}
		if m := usedLine.FindStringSubmatch(line); m != nil {
			current.Registers = number(m[1])
			if part := smemPart.FindStringSubmatch(line); part != nil {
				current.SharedBytes = number(part[1])
			}
			for _, part := range cmemPart.FindAllStringSubmatch(line, -1) {
				current.ConstantBytes += number(part[1])
			}
		}
	}
	sort.Slice(kernels, func(i, j int) bool { return kernels[i].Name < kernels[j].Name })
	return kernels
}

// withEntryPoints adds the cubin's entry points that the log lacks, with unknown resource usage: some installations of
// NVRTC report no resources. A software device's object is not a cubin and is not changed.
func withEntryPoints(kernels []Kernel, cubin []byte) ([]Kernel, error) {
	file, err := elf.NewFile(bytes.NewReader(cubin))
	if err != nil || file.Machine != elfCUDA {
		return kernels, nil
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, fmt.Errorf("the cubin's symbols: %w", err)
	}
	for _, symbol := range symbols {
		entry := elf.ST_TYPE(symbol.Info) == elf.STT_FUNC && symbol.Other&entryFlag != 0
		if entry && !slices.ContainsFunc(kernels, func(k Kernel) bool { return k.Name == symbol.Name }) {
			kernels = append(kernels, Kernel{Name: symbol.Name})
		}
	}
	sort.Slice(kernels, func(i, j int) bool { return kernels[i].Name < kernels[j].Name })
	return kernels, nil
}

// The ELF machine of NVIDIA GPUs, and the symbol flag of an entry point (STO_CUDA_ENTRY).
const (
	elfCUDA   elf.Machine = 190
	entryFlag byte        = 0x10
)

// number parses digits. Overflow gives the maximum.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

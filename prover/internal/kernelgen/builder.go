package kernelgen

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// instructionSet is the instruction set that a builder emits.
type instructionSet int

const (
	avx2 instructionSet = iota
	avx512
)

func (s instructionSet) String() string { return [...]string{"avx2", "avx512"}[s] }

// suffix returns the end of the kernels' names.
func (s instructionSet) suffix() string { return [...]string{"AVX2", "AVX512"}[s] }

// check rejects a kernel that requires extensions for which package cpufeature does not look: the kernel would crash on
// processors without them. A host with AVX-512 executes all kernels, so its tests do not notice.
func (s instructionSet) check(required []string) error {
	for _, extension := range required {
		if s == avx2 && strings.HasPrefix(extension, "AVX512") {
			return fmt.Errorf("an instruction requires %s", extension)
		}
	}
	return nil
}

// builder writes the kernels of one file.
type builder struct {
	*build.Context
	set    instructionSet
	labels int

	// Constants in every lane: registers for AVX-512, memory for AVX2, which
	// has too few registers.
	modulus, epsilon, sign, modulusSign operand.Op

	oddHalves reg.Register // AVX-512: selects the upper half of every lane
}

// value is a register of field elements.
type value = reg.VecVirtual

const (
	modulus = 0xffffffff_00000001
	epsilon = 0xffffffff
	sign    = 1 << 63
)

func newBuilder(set instructionSet) *builder {
	b := &builder{Context: build.NewContext(), set: set}
	b.ConstraintExpr("amd64")
	if set == avx2 {
		b.modulus = b.constant("modulus", modulus)
		b.epsilon = b.constant("epsilon", epsilon)
		b.sign = b.constant("sign", sign)
		b.modulusSign = b.constant("modulusSign", modulus-sign)
	}
	return b
}

// constant defines a word in every lane, in read-only memory.
func (b *builder) constant(name string, word uint64) operand.Mem {
	m := b.StaticGlobal(name + b.set.suffix())
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for range 4 {
		b.AppendDatum(operand.U64(word))
	}
	return m
}

// lanes returns the number of elements in a register.
func (b *builder) lanes() int {
	if b.set == avx512 {
		return 8
	}
	return 4
}

// width returns the number of bytes in a register.
func (b *builder) width() int { return 8 * b.lanes() }

// vector returns a new register.
func (b *builder) vector() value {
	if b.set == avx512 {
		return b.ZMM()
	}
	return b.YMM()
}

// kernelOf begins a function. Its name gets the instruction set as a suffix.
func (b *builder) kernelOf(name, signature, doc string) {
	b.Function(name + b.set.suffix())
	b.Attributes(attr.NOSPLIT)
	b.Pragma("noescape")
	b.SignatureExpr("func" + signature)
	b.Doc(name + b.set.suffix() + " " + doc)
}

// kernel begins a function that computes in the field.
func (b *builder) kernel(name, signature, doc string) {
	b.kernelOf(name, signature, doc)
	if b.set == avx512 {
		b.modulus = b.broadcastWord(modulus)
		b.epsilon = b.broadcastWord(epsilon)
		odd, k := b.GP32(), b.K()
		b.MOVL(operand.U32(0xaaaa), odd)
		b.KMOVW(odd, k)
		b.oddHalves = k
	}
}

// end returns from a kernel.
func (b *builder) end() {
	b.VZEROUPPER()
	b.RET()
}

// argument loads a parameter of one word.
func (b *builder) argument(name string) reg.GPVirtual {
	r := b.GP64()
	b.Load(b.Param(name), r)
	return r
}

func (b *builder) broadcastWord(word uint64) value {
	r := b.GP64()
	b.MOVQ(operand.U64(word), r)
	v := b.vector()
	if b.set == avx512 {
		b.VPBROADCASTQ(r, v)
		return v
	}
	x := b.XMM()
	b.MOVQ(r, x)
	b.VPBROADCASTQ(x, v)
	return v
}

// broadcast loads the word at m into every lane.
func (b *builder) broadcast(m operand.Mem) value {
	v := b.vector()
	b.VPBROADCASTQ(m, v)
	return v
}

func (b *builder) load(m operand.Mem) value {
	v := b.vector()
	if b.set == avx512 {
		b.VMOVDQU64(m, v)
	} else {
		b.VMOVDQU(m, v)
	}
	return v
}

func (b *builder) store(v value, m operand.Mem) {
	if b.set == avx512 {
		b.VMOVDQU64(v, m)
	} else {
		b.VMOVDQU(v, m)
	}
}

// label returns a new label.
func (b *builder) label(name string) string {
	b.labels++
	return fmt.Sprintf("%s%d", name, b.labels)
}

// countdown runs body count times; body must not change count, which is at least 1.
func (b *builder) countdown(count reg.GPVirtual, body func()) {
	l := b.label("loop")
	b.Label(l)
	body()
	b.DECQ(count)
	b.JNZ(operand.LabelRef(l))
}

// at addresses the memory at base + offset bytes.
func at(base reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Disp: offset}
}

// atIndex addresses the memory at base + index + offset bytes.
func atIndex(base, index reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: 1, Disp: offset}
}

// file is a generated file: its path, relative to the repository's root, and its content.
type file struct {
	Path    string
	Content []byte
}

// files finishes a builder: the assembly and the Go declarations.
func (b *builder) files(dir, name, pkg string) ([]file, error) {
	f, err := b.Result()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w", name, b.set, err)
	}
	for _, function := range f.Functions() {
		shareRegisters(function)
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, fmt.Errorf("%s %v: %w", name, b.set, err)
	}
	for _, function := range f.Functions() {
		if err := b.set.check(function.ISA); err != nil {
			return nil, fmt.Errorf("%s %v: %s: %w", name, b.set, function.Name, err)
		}
	}
	cfg := printer.Config{Argv: []string{"go", "generate", "./prover/internal/kernelgen"}, Name: "avo", Pkg: pkg}
	var files []file
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
		text, err := p.Print(f)
		if err != nil {
			return nil, fmt.Errorf("%s %v: %w", name, b.set, err)
		}
		if suffix == ".go" {
			if text, err = format.Source(text); err != nil {
				return nil, fmt.Errorf("%s %v: %w", name, b.set, err)
			}
		}
		path := fmt.Sprintf("%s/%s_%v_amd64%s", dir, name, b.set, suffix)
		files = append(files, file{path, bytes.TrimLeft(text, "\n")})
	}
	return files, nil
}

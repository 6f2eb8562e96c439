package nvrtc

import (
	"runtime"
	"sort"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Program is one translation unit.
type Program struct {
	Name    string            // file name in messages
	Source  string            // CUDA C++
	Headers map[string]string // by the name in #include; nothing is read from disk
	Options []string          // such as --gpu-architecture=sm_90
}

// Compile returns the cubin and the compiler's log. It is safe for concurrent use. For a source that does not compile,
// the error is an [*Error] with the log.
func (l *Library) Compile(program Program) (cubin []byte, log string, err error) {
	var keep pins
	defer keep.Unpin()
	names := make([]string, 0, len(program.Headers))
	for name := range program.Headers {
		names = append(names, name)
	}
	sort.Strings(names)
	contents := make([]string, len(names))
	for i, name := range names {
		contents[i] = program.Headers[name]
	}
	handle := new(uintptr)
	err = l.check("nvrtcCreateProgram("+program.Name+")",
		l.call(createProgram, uintptr(unsafe.Pointer(handle)), keep.string(program.Source),
			keep.string(program.Name), uintptr(len(names)), keep.strings(contents), keep.strings(names)))
	if err != nil {
		return nil, "", err
	}
	defer l.call(destroyProgram, uintptr(unsafe.Pointer(handle)))
	err = l.check("nvrtcCompileProgram("+program.Name+")",
		l.call(compileProgram, *handle, uintptr(len(program.Options)), keep.strings(program.Options)))
	text, logErr := l.output(*handle, getProgramLogSize, getProgramLog)
	log = trimZero(text)
	if err != nil {
		err.(*Error).Log = log
		return nil, log, err
	}
	if logErr != nil {
		return nil, "", logErr
	}
	cubin, err = l.output(*handle, getCUBINSize, getCUBIN)
	return cubin, log, err
}

// output reads one of the program's results: its size, then its contents.
func (l *Library) output(handle uintptr, sizeOf, get function) ([]byte, error) {
	size := new(uintptr)
	if err := l.check(Symbols[sizeOf].Name,
		l.call(sizeOf, handle, uintptr(unsafe.Pointer(size)))); err != nil || *size == 0 {
		return nil, err
	}
	data := make([]byte, *size)
	if err := l.check(Symbols[get].Name, l.call(get, handle, uintptr(unsafe.Pointer(&data[0])))); err != nil {
		return nil, err
	}
	return data, nil
}

func trimZero(data []byte) string {
	for len(data) > 0 && data[len(data)-1] == 0 {
		data = data[:len(data)-1]
	}
	return string(data)
}

// pins holds Go memory in place while C reads it by address.
type pins struct {
	runtime.Pinner
	memory [][]byte
	tables [][]uintptr
}

func (p *pins) string(s string) uintptr {
	data := dynlib.CString(s)
	p.Pin(&data[0])
	p.memory = append(p.memory, data)
	return uintptr(unsafe.Pointer(&data[0]))
}

func (p *pins) strings(list []string) uintptr {
	if len(list) == 0 {
		return 0
	}
	table := make([]uintptr, len(list))
	for i, s := range list {
		table[i] = p.string(s)
	}
	p.Pin(&table[0])
	p.tables = append(p.tables, table)
	return uintptr(unsafe.Pointer(&table[0]))
}

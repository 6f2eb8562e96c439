package sampling

import (
	"cmp"
	"debug/elf"
	"debug/gosym"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// Symbols resolves offsets in files to function names. It reads each file once.
type Symbols struct {
	files map[string]*symbolFile
}

// NewSymbols returns an empty Symbols.
func NewSymbols() *Symbols { return &Symbols{files: map[string]*symbolFile{}} }

// Nameless returns the reasons why functions of some files have no names, by the name that Name returned for the file.
func (s *Symbols) Nameless() map[string]string {
	found := map[string]string{}
	for path, f := range s.files {
		if f.nameless {
			found[inBrackets(path)] = fmt.Sprintf("%s: %s", path, cmp.Or(f.why, "no symbol at some addresses"))
		}
	}
	return found
}

func inBrackets(path string) string { return "[" + filepath.Base(strings.Trim(path, "[]")) + "]" }

// Name returns the function at an offset of a file, or the file's name in brackets.
func (s *Symbols) Name(file string, offset uint64) string {
	if file == "" {
		return "[unknown]"
	}
	f := s.files[file]
	if f == nil {
		f = readSymbols(file)
		s.files[file] = f
	}
	if name := f.name(offset); name != "" {
		return name
	}
	f.nameless = f.nameless || !strings.HasPrefix(file, "[")
	return inBrackets(file)
}

// A symbolFile holds the symbols of a file.
type symbolFile struct {
	loads     []elf.ProgHeader
	functions []function // by address
	golang    *gosym.Table
	why       string // why there are no symbols
	nameless  bool
}

// A function is the code from start to end.
type function struct {
	start, end uint64
	name       string
}

// readSymbols reads the symbols of a file. If it fails, why is set.
func readSymbols(path string) *symbolFile {
	f := &symbolFile{}
	if !filepath.IsAbs(path) || strings.HasPrefix(path, "//") { // [vdso], anonymous memory
		f.why = "no file"
		return f
	}
	file, err := elf.Open(path)
	if err != nil {
		f.why = err.Error()
		return f
	}
	defer file.Close()
	for _, p := range file.Progs {
		if p.Type == elf.PT_LOAD {
			f.loads = append(f.loads, p.ProgHeader)
		}
	}
	f.golang = goTable(file)
	for i, read := range []func() ([]elf.Symbol, error){file.Symbols, file.DynamicSymbols} {
		symbols, _ := read() // a file may have no table
		for _, s := range symbols {
			// A symbol without a size (assembly) extends to the next symbol; that is safe only in the full table.
			sized := s.Size > 0 || i == 0
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF && s.Value != 0 && sized {
				f.functions = append(f.functions, function{s.Value, s.Value + s.Size, s.Name})
			}
		}
	}
	slices.SortStableFunc(f.functions, func(a, b function) int { return cmp.Compare(a.start, b.start) })
	if len(f.functions) == 0 && f.golang == nil {
		f.why = "it has no symbols: was it stripped?"
	}
	return f
}

// IsGo reports whether a file is a Go program, which has frame pointers. It also returns true for a file that is not an
// ELF file, such as a script.
func IsGo(path string) bool {
	file, err := elf.Open(path)
	if err != nil {
		return true
	}
	defer file.Close()
	return file.Section(".gopclntab") != nil || file.Section(".data.rel.ro.gopclntab") != nil
}

// goTable reads Go's function table, which stripping keeps; nil if there is none.
func goTable(file *elf.File) *gosym.Table {
	text := file.Section(".text")
	for _, name := range []string{".gopclntab", ".data.rel.ro.gopclntab"} {
		section := file.Section(name)
		if section == nil || text == nil {
			continue
		}
		data, err := section.Data()
		if err != nil {
			continue
		}
		if table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr)); err == nil && len(table.Funcs) > 0 {
			return table
		}
	}
	return nil
}

// name returns the function at an offset of the file, or empty.
func (f *symbolFile) name(offset uint64) string {
	at, ok := f.address(offset)
	if !ok {
		return ""
	}
	// The last function that starts at or before; a function without a size ends at the next start.
	next := sort.Search(len(f.functions), func(i int) bool { return f.functions[i].start > at })
	if next > 0 {
		if one := f.functions[next-1]; at < one.end || one.end == one.start {
			return readable(one.name)
		}
	}
	if f.golang != nil {
		if one := f.golang.PCToFunc(at); one != nil {
			return one.Name
		}
	}
	return ""
}

// address returns the virtual address of a file offset, before relocation.
func (f *symbolFile) address(offset uint64) (uint64, bool) {
	for _, p := range f.loads {
		if offset >= p.Off && offset-p.Off < p.Filesz {
			return offset - p.Off + p.Vaddr, true
		}
	}
	return 0, false
}

// readable demangles a name, without parameters: a function with a changed parameter list keeps its name.
func readable(name string) string {
	name, _, _ = strings.Cut(name, "@@") // the version of a dynamic symbol
	return demangle.Filter(name, demangle.NoParams, demangle.NoEnclosingParams)
}

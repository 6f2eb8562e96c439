package house

import (
	"regexp"
	"strings"
	"testing"
)

// maxInstructionFiles is the largest number of files that may name an instruction.
const maxInstructionFiles = 6

// An instruction is declared once: its operation (package instruction) names the table that proves it, and the table
// (package table) its form, its columns and what fills them. Only code that executes the instruction names it
// otherwise: the interpreter, the kernel that lists fillers, the kernel that replays, and the second verifier, which
// shares no code.
//
// The test counts Go files and kernels that name ADDIW in any case, without tests and the packages that only tests
// import, whose programs consist of instructions.
func TestAnInstructionIsNamedInFewFiles(t *testing.T) {
	named := naming(t, "addiw")
	if len(named) > maxInstructionFiles {
		t.Errorf("ADDIW is named in %d files, want at most %d: %s", len(named), maxInstructionFiles,
			strings.Join(named, ", "))
	}
	if len(named) < 3 {
		t.Errorf("ADDIW is named in %q: this test looks in the wrong place", named)
	}
}

// naming lists the files that contain a name.
func naming(t *testing.T, name string) (list []string) {
	t.Helper()
	pattern := regexp.MustCompile(`(?i)` + name)
	counted := regexp.MustCompile(`\.(go|cu|cuh)$`)
	for _, path := range files(t) {
		if !counted.MatchString(path) || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "test/") {
			continue
		}
		if text, there := read(t, path); there && pattern.Match(text) {
			list = append(list, path)
		}
	}
	return list
}

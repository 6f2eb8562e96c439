package generate

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
)

// rows is the text of rows.cuh, which defines the object that generated code reads cells from. Every unit begins with
// it.
//
//go:embed rows.cuh
var rows string

// Source collects one translation unit.
type Source struct {
	headers []string
	tables  strings.Builder
	lines   strings.Builder
	depth   int
}

// NewSource begins a unit that has the structs of rows.go and the text of rows.cuh, and includes further headers.
func NewSource(headers ...string) *Source {
	return &Source{headers: headers}
}

// Line writes a line, indented by the braces that are open.
func (s *Source) Line(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if strings.HasPrefix(line, "}") {
		s.depth--
	}
	fmt.Fprintf(&s.lines, "%s%s\n", strings.Repeat("    ", max(0, s.depth)), line)
	if strings.HasSuffix(line, "{") {
		s.depth++
	}
}

// wordOf returns the type of a table's entries, and its size in bytes.
func wordOf(columns [][]uint32) (name string, bytes int) {
	for _, column := range columns {
		if slices.Max(column) > math.MaxUint16 {
			return "u32", 4
		}
	}
	return "u16", 2
}

// tableBytes returns the size of a table in constant memory.
func tableBytes(columns [][]uint32) int {
	if len(columns) == 0 {
		return 0
	}
	_, bytes := wordOf(columns)
	return bytes * len(columns) * len(columns[0])
}

// declareTable writes a table of columns in constant memory, a row for each repetition.
func (s *Source) declareTable(name string, columns [][]uint32) {
	word, _ := wordOf(columns)
	fmt.Fprintf(&s.tables, "CONSTANT %s %s[%d][%d] = {", word, name, len(columns[0]), len(columns))
	for k := range columns[0] {
		if k%8 == 0 {
			s.tables.WriteString("\n   ")
		}
		s.tables.WriteString(" {")
		for j, column := range columns {
			if j > 0 {
				s.tables.WriteString(", ")
			}
			fmt.Fprint(&s.tables, column[k])
		}
		s.tables.WriteString("},")
	}
	s.tables.WriteString("\n};\n\n")
}

// String returns the unit's text: includes, tables, then the lines.
func (s *Source) String() string {
	var text strings.Builder
	text.WriteString("// Generated from the expression graph of a table. Do not edit.\n")
	for _, header := range s.headers {
		fmt.Fprintf(&text, "#include \"%s\"\n", header)
	}
	text.WriteString("#include \"goldilocks.cuh\"\n")
	text.WriteString(rowStructs.Text())
	text.WriteString(rows)
	text.WriteString("\n")
	text.WriteString(s.tables.String())
	text.WriteString(s.lines.String())
	return text.String()
}

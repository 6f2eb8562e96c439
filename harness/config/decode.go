package config

import (
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// A fileError is one error in a file.
type fileError struct {
	File string
	// Line and Column count from 1. Both are 0 if the error concerns the whole file.
	Line, Column int
	// Key is the path of the value, such as workloads[0].timeout; empty for the whole file.
	Key string
	// Message says what is wrong and what would be right.
	Message string
}

// Error returns file, line, column, key and message, in the form that editors recognize.
func (e *fileError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// fileErrors are all the errors in a file, in order of position.
type fileErrors []*fileError

// Error returns one error per line.
func (e fileErrors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors for errors.As.
func (e fileErrors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// maxErrors bounds the number of reported errors.
const maxErrors = 20

// A decoder collects errors while it walks the nodes of one file.
type decoder struct {
	file   string
	errors fileErrors
	// targets maps each alias to its node.
	targets map[*ast.AliasNode]ast.Node
	// values counts the decoded values, including those reached through aliases.
	values int
	// excess is the error about too many values. It is reported alone.
	excess *fileError
	// nights are the items of nightly.workloads. They are checked after the workloads.
	nights []ast.Node
	// parameters are the parameters of the matrix combination being decoded.
	parameters []Parameter
	// saysPairs reports whether the file has plan.pairs.
	saysPairs bool
	// former maps the new paths of keys to the former names that the file uses.
	former map[string]string
}

func (d *decoder) fail(n ast.Node, key, format string, args ...any) {
	line, column := position(n)
	d.errors = append(d.errors, &fileError{d.file, line, column, key, fmt.Sprintf(format, args...)})
}

// tooMany reports, once, a file with more values than any config has, including values reached through aliases.
func (d *decoder) tooMany(n ast.Node) bool {
	d.values++
	if d.values == maxValues+1 {
		d.fail(n, "", "holds or expands by aliases to more than %d values: not a config", maxValues)
		d.excess = d.errors[len(d.errors)-1]
	}
	return d.values > maxValues
}

// result sorts the errors by position and shortens a long list.
func (d *decoder) result() error {
	if len(d.errors) == 0 {
		return nil
	}
	if d.excess != nil {
		return fileErrors{d.excess}
	}
	sort.SliceStable(d.errors, func(i, j int) bool {
		a, b := d.errors[i], d.errors[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	if extra := len(d.errors) - maxErrors; extra > 0 {
		d.errors = append(d.errors[:maxErrors], &fileError{File: d.file, Message: fmt.Sprintf("and %d more", extra)})
	}
	return d.errors
}

// A value is a node with the path of keys that led to it.
type value struct {
	node ast.Node
	key  string
}

// isMapping reports whether v is a mapping, directly or through an alias.
func (d *decoder) isMapping(v value) bool {
	_, ok := d.resolve(v.node).(ast.MapNode)
	return ok
}

// items returns the elements of a list, or nil if v is not a list.
func (d *decoder) items(v value) []ast.Node {
	if list, ok := d.resolve(v.node).(*ast.SequenceNode); ok {
		return list.Values
	}
	return nil
}

// formerKeys maps former paths of renamed keys to their new names.
var formerKeys = map[string]string{
	"plan.launches": "processes", "plan.looks": "analyses", "plan.tier": "precheck", "github.max_looks": "max_analyses",
}

// fields are the permitted keys of a mapping, each with its decoder.
type fields map[string]func(value)

// mapping decodes a mapping. It reports values that are not mappings, unknown keys and repeated keys, and returns the
// keys that it found. It accepts former names of keys.
func (d *decoder) mapping(v value, known fields) map[string]bool {
	seen := map[string]bool{}
	d.pairs(v, func(key ast.Node, name string, child value) {
		if now, former := formerKeys[child.key]; former {
			d.former[join(v.key, now)] = name
			name = now
		}
		if seen[name] {
			d.fail(key, child.key, "is given as %s and by its former name: keep one of them", join(v.key, name))
			return
		}
		decode, ok := known[name]
		if !ok {
			d.fail(key, child.key, "unknown key%s", didYouMean(name, keysOf(known)))
			return
		}
		seen[name] = true
		decode(child)
	})
	return seen
}

// pairs visits the keys of a mapping in order and reports repeated ones.
func (d *decoder) pairs(v value, each func(key ast.Node, name string, child value)) {
	n := d.resolve(v.node)
	mapping, ok := n.(ast.MapNode)
	if !ok {
		d.fail(v.node, v.key, "must be a mapping of keys to values, not %s", d.describe(n))
		return
	}
	first := map[string]int{}
	for entry := mapping.MapRange(); entry.Next(); {
		node := entry.Key()
		key, ok := scalarOf(d.resolve(node))
		if !ok {
			d.fail(node, v.key, "a key must be a plain string, not %s", d.describe(node))
			continue
		}
		if d.tooMany(node) {
			return
		}
		path := join(v.key, key.text)
		switch line, repeated := first[key.text]; {
		case repeated:
			d.fail(node, path, "given twice: first on line %d", line)
		case node.IsMergeKey():
			d.fail(node, v.key,
				"merge keys (<<) are not supported: write the keys out, or use an alias for a whole value")
		default:
			first[key.text], _ = position(node)
			each(node, key.text, value{entry.Value(), path})
		}
	}
}

// list visits the items of a sequence. It reports whether v is a sequence and was read to its end.
func (d *decoder) list(v value, each func(value)) bool {
	n := d.resolve(v.node)
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(v.node, v.key, "must be a list, not %s", d.describe(n))
		return false
	}
	for i, child := range list.Values {
		if d.tooMany(child) {
			return false
		}
		each(value{child, fmt.Sprintf("%s[%d]", v.key, i)})
	}
	return true
}

// join appends a key to a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// describe describes a node to a user of YAML.
func (d *decoder) describe(n ast.Node) string {
	n = d.resolve(n)
	switch n.(type) {
	case ast.MapNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	}
	s, ok := scalarOf(n)
	switch {
	case !ok:
		return "that"
	case s.kind == isNull:
		return "empty"
	case s.kind == isNumber:
		return "the number " + s.text
	case s.kind == isBoolean:
		return "the boolean " + s.text
	}
	return fmt.Sprintf("the string %q", s.text)
}

func keysOf(known fields) []string {
	keys := make([]string, 0, len(known))
	for k := range known {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// didYouMean suggests the known name nearest to an unknown one, or lists all known names.
func didYouMean(name string, known []string) string {
	best, distance := "", len(name)/3+2
	for _, k := range known {
		if d := editDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf(": did you mean %s?", best)
	case len(known) == 0:
		return ""
	}
	return ": known here are " + strings.Join(known, ", ")
}

// editDistance returns the Levenshtein distance of two short names.
func editDistance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			substitution := diagonal
			if a[i-1] != b[j-1] {
				substitution++
			}
			diagonal = row[j]
			row[j] = min(substitution, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

package config

import (
	"fmt"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// An Error is one thing wrong with a file.
type Error struct {
	File string
	// Line counts from 1; 0 where the whole file is meant.
	Line int
	// Key is the path of the value, such as workloads[0].timeout; empty for the whole file.
	Key string
	// Message says what is wrong and what would be right.
	Message string
}

// Error gives file, line, key and message, in the form that editors jump to.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// Errors are all the things wrong with a file, in the order of their lines.
type Errors []*Error

// Error gives one error a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single errors to errors.As.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// maxErrors bounds what is reported of a file that is something else altogether.
const maxErrors = 20

// A decoder collects errors while it walks the nodes of one file.
type decoder struct {
	file   string
	errors Errors
}

func (d *decoder) fail(n *yaml.Node, key, format string, args ...any) {
	line := 0
	if n != nil {
		line = n.Line
	}
	d.errors = append(d.errors, &Error{d.file, line, key, fmt.Sprintf(format, args...)})
}

// result sorts the errors by line and cuts a long list.
func (d *decoder) result() error {
	if len(d.errors) == 0 {
		return nil
	}
	sort.SliceStable(d.errors, func(i, j int) bool { return d.errors[i].Line < d.errors[j].Line })
	if extra := len(d.errors) - maxErrors; extra > 0 {
		d.errors = append(d.errors[:maxErrors], &Error{File: d.file, Message: fmt.Sprintf("and %d more", extra)})
	}
	return d.errors
}

// A value is a node with the path of keys that led to it.
type value struct {
	node *yaml.Node
	key  string
}

// resolve follows an alias. The schema nests a fixed number of levels, so an alias that contains
// itself ends in an error about its kind.
func resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n.Kind == yaml.AliasNode && n.Alias != nil && i < 8; i++ {
		n = n.Alias
	}
	return n
}

// fields is what a mapping may hold: one function for each key.
type fields map[string]func(value)

// mapping walks a mapping, and reports what is not a mapping, keys that fields does not know and
// keys that come twice. It returns the keys that were there.
func (d *decoder) mapping(v value, known fields) map[string]bool {
	seen := map[string]bool{}
	d.pairs(v, func(key *yaml.Node, name string, child value) {
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

// pairs walks the keys of a mapping in order and reports the ones that come twice.
func (d *decoder) pairs(v value, each func(key *yaml.Node, name string, child value)) {
	n := resolve(v.node)
	if n.Kind != yaml.MappingNode {
		d.fail(v.node, v.key, "must be a mapping of keys to values, not %s", describe(n))
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			d.fail(n.Content[i], v.key, "a key must be a plain string, not %s", describe(key))
			continue
		}
		path := join(v.key, key.Value)
		switch line, repeated := first[key.Value]; {
		case repeated:
			d.fail(n.Content[i], path, "given twice: first on line %d", line)
		case key.Tag == "!!merge":
			d.fail(n.Content[i], v.key,
				"merge keys (<<) are not supported: write the keys out, or use an alias for a whole value")
		default:
			first[key.Value] = n.Content[i].Line
			each(n.Content[i], key.Value, value{n.Content[i+1], path})
		}
	}
}

// list walks a sequence; it reports whether v is one.
func (d *decoder) list(v value, each func(value)) bool {
	n := resolve(v.node)
	if n.Kind != yaml.SequenceNode {
		d.fail(v.node, v.key, "must be a list, not %s", describe(n))
		return false
	}
	for i, child := range n.Content {
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

// describe says what a node is, in the words of somebody who writes YAML.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		switch n.Tag {
		case "!!null":
			return "empty"
		case "!!int", "!!float":
			return "the number " + n.Value
		case "!!bool":
			return "the truth value " + n.Value
		case "!!str":
			return fmt.Sprintf("the string %q", n.Value)
		}
		return fmt.Sprintf("%q (%s)", n.Value, n.Tag)
	}
	return "that"
}

func keysOf(known fields) []string {
	keys := make([]string, 0, len(known))
	for k := range known {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// didYouMean suggests the known name nearest to an unknown one, or lists them all.
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

// editDistance is the Levenshtein distance of two short names.
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

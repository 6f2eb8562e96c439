package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a document, far above the needs of a config. They keep a hostile file from exhausting stack or time.
const (
	// maxSize bounds a config in bytes. Real configs have a few kilobytes.
	maxSize = 256 << 10
	// maxNesting bounds the nesting of lists and mappings on one line; maxSize bounds it across lines.
	maxNesting = 64
	// maxValues bounds the number of values after the expansion of aliases.
	maxValues = 50_000
)

// parse parses exactly one YAML document. It reports errors and returns nil if there is none.
func (d *decoder) parse(source []byte) ast.Node {
	if len(source) > maxSize {
		d.fail(nil, "", "is larger than %d bytes: not a config", maxSize)
		return nil
	}
	if !d.readable(source) {
		return nil
	}
	tokens := lexer.Tokenize(strings.TrimPrefix(string(source), "\ufeff"))
	if !d.shallow(tokens) {
		return nil
	}
	// mapping reports repeated keys, together with all other errors.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(source, err)
		return nil
	}
	var root ast.Node
	for _, document := range file.Docs {
		body := document.Body
		if body == nil || body.Type() == ast.CommentType || body.Type() == ast.DirectiveType {
			continue
		}
		if root != nil {
			d.fail(body, "", "holds more than one YAML document")
			return nil
		}
		root = body
	}
	if root == nil {
		d.fail(nil, "", "is empty: it needs at least version, build and workloads")
		return nil
	}
	d.anchors(root)
	return root
}

// readable reports a file that is not UTF-8 text.
func (d *decoder) readable(source []byte) bool {
	line, column := 1, 1
	for i, size := 0, 0; i < len(source); i += size {
		var r rune
		r, size = utf8.DecodeRune(source[i:])
		control := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
		if r == utf8.RuneError && size == 1 || control {
			what := fmt.Sprintf("holds the byte 0x%02x, which is not UTF-8 text", source[i])
			if control {
				what = fmt.Sprintf("holds the control character 0x%02x: write it as an escape in double quotes", source[i])
			}
			d.errors = append(d.errors, &fileError{File: d.file, Line: line, Column: column, Message: what})
			return false
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return true
}

// shallow reports a document that is nested deeper than any config, before the parser descends into it.
func (d *decoder) shallow(tokens token.Tokens) bool {
	flow, prefixes := 0, 0
	for i, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		}
		switch t.Type {
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType, token.SequenceStartType,
			token.MappingStartType:
			prefixes++ // of one value, as in - - ? &name !!str value
		default:
			if i == 0 || tokens[i-1].Type != token.AnchorType {
				prefixes = 0
			}
		}
		if flow > maxNesting || prefixes > maxNesting {
			d.errors = append(d.errors, &fileError{File: d.file, Line: t.Position.Line, Column: t.Position.Column,
				Message: fmt.Sprintf("nests lists and mappings more than %d deep: not a config", maxNesting)})
			return false
		}
	}
	return true
}

// syntax reports an error of the parser.
func (d *decoder) syntax(source []byte, err error) {
	e := &fileError{File: d.file}
	var at yaml.Error
	if errors.As(err, &at) {
		e.Message = "not YAML: " + at.GetMessage() // at.Error would quote the source, in quadratic time
		if t := at.GetToken(); t != nil && t.Position != nil {
			e.Line, e.Column = t.Position.Line, t.Position.Column
		}
	} else {
		e.Message = "not YAML: " + err.Error()
	}
	if r := []rune(e.Message); len(r) > 200 {
		e.Message = string(r[:200]) + "..."
	}
	// The parser ends a double-quoted string at a tab, and reports an error about what follows.
	if lines := bytes.Split(source, []byte("\n")); e.Line > 0 && e.Line <= len(lines) &&
		bytes.ContainsRune(lines[e.Line-1], '\t') {
		e.Message += ` (the line holds a tab: indent with spaces, and write \t in double quotes)`
	}
	d.errors = append(d.errors, e)
}

// anchors finds the node of each alias: the last anchor of that name before it.
func (d *decoder) anchors(root ast.Node) {
	d.targets = map[*ast.AliasNode]ast.Node{}
	ast.Walk(&anchorVisitor{d, map[string]ast.Node{}}, root)
}

type anchorVisitor struct {
	d     *decoder
	named map[string]ast.Node
}

func (v *anchorVisitor) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.AnchorNode:
		v.named[n.Name.GetToken().Value] = n.Value
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		if target, ok := v.named[name]; ok {
			v.d.targets[n] = target
		} else {
			v.d.fail(n, "", "*%s is an alias of nothing: no &%s precedes it", name, name)
		}
	}
	return v
}

// resolve follows an alias and skips an anchor. The schema nests a fixed number of levels, so an alias that contains
// itself ends in an error about its kind.
func (d *decoder) resolve(n ast.Node) ast.Node {
	for range 8 {
		switch at := n.(type) {
		case *ast.AnchorNode:
			n = at.Value
		case *ast.AliasNode:
			target, ok := d.targets[at]
			if !ok {
				return n
			}
			n = target
		case *ast.MappingKeyNode:
			n = at.Value
		default:
			return n
		}
	}
	return n
}

// position returns where a node begins in the file.
func position(n ast.Node) (line, column int) {
	switch at := n.(type) {
	case nil:
		return 0, 0
	case *ast.MappingNode:
		if !at.IsFlowStyle && len(at.Values) > 0 {
			return position(at.Values[0].Key)
		}
	case *ast.MappingValueNode:
		return position(at.Key)
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return t.Position.Line, t.Position.Column
}

// A scalar is a string, number, boolean or null of the file.
type scalar struct {
	kind kind
	text string // as written, without quotes
}

// A kind is the type that YAML's core schema gives to a scalar.
type kind int

const (
	isString kind = iota
	isNumber
	isBoolean
	isNull
)

// Plain scalars that are not strings: YAML 1.2's core schema, and the binary, octal and grouped numbers of YAML 1.1.
// Anything that another YAML reader could take for a number must be quoted if a string is meant.
var (
	nullPattern    = regexp.MustCompile(`^(~|null|Null|NULL|)$`)
	booleanPattern = regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)
	yamlNumber     = regexp.MustCompile(`^[-+]?(0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|` +
		`([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?|\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$`)
)

// scalarOf returns the scalar of a resolved node, if it is one.
func scalarOf(n ast.Node) (scalar, bool) {
	switch at := n.(type) {
	case *ast.LiteralNode:
		return scalar{isString, at.Value.Value}, true
	case *ast.TagNode:
		s, ok := scalarOf(at.Value)
		if at.Start.Value == "!!str" {
			s.kind = isString
		}
		return s, ok
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.NanNode,
		*ast.InfinityNode, *ast.MergeKeyNode:
	default:
		return scalar{}, false
	}
	t := n.GetToken()
	text := t.Value
	switch {
	case t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType:
		return scalar{isString, text}, true
	case n.Type() == ast.NullType || nullPattern.MatchString(text):
		return scalar{isNull, text}, true
	case booleanPattern.MatchString(text):
		return scalar{isBoolean, text}, true
	case yamlNumber.MatchString(text):
		return scalar{isNumber, text}, true
	}
	return scalar{isString, text}, true
}

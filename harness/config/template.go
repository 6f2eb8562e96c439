package config

import (
	"fmt"
	"path"
	"strings"
)

// A Kind is the kind of a placeholder.
type Kind int

// The kinds of placeholder: literal text, an artifact by its path, the files that the harness names, the seed of the
// proof, and a file of the config's repository.
const (
	Literal Kind = iota
	Artifact
	Proof
	MetricsFile
	Seed
	Input
	Statement
	ExactStatement
)

// reserved are the placeholder names that no artifact may have.
var reserved = map[string]Kind{
	"proof":           Proof,
	"metrics":         MetricsFile,
	"seed":            Seed,
	"input":           Input,
	"statement":       Statement,
	"exact_statement": ExactStatement,
}

// A part is a piece of one argument.
type part struct {
	Kind Kind
	// Text is the literal text, the artifact's path or the input's path.
	Text string
}

// A Template is an argument vector with placeholders.
type Template struct {
	args [][]part
	text []string
}

// Values fills the placeholders of a template.
type Values struct {
	// Artifacts and Inputs map the path in the template to an absolute path.
	Artifacts, Inputs map[string]string
	Proof, Metrics    string
	Seed              uint64
	// Statement and ExactStatement are what the proof must prove.
	Statement, ExactStatement string
}

// ParseTemplate parses an argument vector in which {name} is a placeholder and {{ and }} are braces. It does not check
// that artifacts exist; decoding a File does.
func ParseTemplate(argv []string) (Template, error) {
	t := Template{text: append([]string(nil), argv...)}
	for _, arg := range argv {
		parts, err := parseArgument(arg)
		if err != nil {
			return Template{}, err
		}
		t.args = append(t.args, parts)
	}
	return t, nil
}

// parseArgument splits one argument at its placeholders.
func parseArgument(arg string) ([]part, error) {
	var parts []part
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			parts = append(parts, part{Literal, literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(arg); i++ {
		c := arg[i]
		doubled := i+1 < len(arg) && arg[i+1] == c
		switch {
		case (c == '{' || c == '}') && doubled:
			literal.WriteByte(c)
			i++
		case c == '}':
			return nil, fmt.Errorf("%q has a } that closes nothing: write }} for a brace", arg)
		case c == '{':
			end := strings.IndexAny(arg[i+1:], "{}")
			if end < 0 || arg[i+1+end] == '{' {
				return nil, fmt.Errorf("%q has an unclosed {: write {{ for a brace", arg)
			}
			part, err := parsePlaceholder(arg[i+1 : i+1+end])
			if err != nil {
				return nil, err
			}
			flush()
			parts = append(parts, part)
			i += end + 1
		default:
			literal.WriteByte(c)
		}
	}
	flush()
	if parts == nil {
		parts = []part{{Literal, ""}}
	}
	return parts, nil
}

// parsePlaceholder parses the text between two braces.
func parsePlaceholder(name string) (part, error) {
	if name == "" {
		return part{}, fmt.Errorf("{} names nothing: write {{}} for two braces")
	}
	if rest, ok := strings.CutPrefix(name, "input:"); ok {
		if err := checkRelative(rest); err != nil {
			return part{}, fmt.Errorf("{%s}: %w", name, err)
		}
		return part{Input, rest}, nil
	}
	kind, ok := reserved[name]
	switch {
	case !ok:
		return part{Artifact, name}, nil
	case kind == Input:
		return part{}, fmt.Errorf("{input} names no file: write {input:PATH}")
	}
	return part{kind, ""}, nil
}

// checkRelative returns an error if a path does not lie inside a folder, or is not clean.
func checkRelative(p string) error {
	switch {
	case p == "":
		return fmt.Errorf("empty path")
	case strings.ContainsAny(p, "\x00\n\r"):
		return fmt.Errorf("%q holds a control character", p)
	case strings.Contains(p, `\`):
		return fmt.Errorf("%q holds a backslash: paths are written with /", p)
	case path.IsAbs(p):
		return fmt.Errorf("%q is absolute: give a path relative to the repository", p)
	case p == ".." || strings.HasPrefix(path.Clean(p), "../"):
		return fmt.Errorf("%q leaves the repository", p)
	case p == ".":
		return fmt.Errorf("%q is the repository itself, not a file in it", p)
	case path.Clean(p) != p:
		return fmt.Errorf("%q is not a clean path: write %q", p, path.Clean(p))
	}
	return nil
}

// Expand returns the argument vector with every placeholder filled in. A placeholder without a value is an error.
func (t Template) Expand(v Values) ([]string, error) {
	argv := make([]string, len(t.args))
	for i, parts := range t.args {
		var b strings.Builder
		for _, p := range parts {
			text, ok := v.value(p)
			if !ok {
				return nil, fmt.Errorf("%q: no value for %s", t.text[i], p)
			}
			b.WriteString(text)
		}
		argv[i] = b.String()
	}
	return argv, nil
}

func (v Values) value(p part) (text string, ok bool) {
	switch p.Kind {
	case Literal:
		return p.Text, true
	case Artifact:
		text, ok = v.Artifacts[p.Text]
	case Input:
		text, ok = v.Inputs[p.Text]
	case Proof:
		text, ok = v.Proof, v.Proof != ""
	case MetricsFile:
		text, ok = v.Metrics, v.Metrics != ""
	case Seed:
		text, ok = fmt.Sprint(v.Seed), true
	case Statement:
		text, ok = v.Statement, v.Statement != ""
	case ExactStatement:
		text, ok = v.ExactStatement, v.ExactStatement != ""
	}
	return text, ok
}

// String returns the placeholder as it is written.
func (p part) String() string {
	switch p.Kind {
	case Artifact:
		return "{" + p.Text + "}"
	case Input:
		return "{input:" + p.Text + "}"
	case Proof:
		return "{proof}"
	case MetricsFile:
		return "{metrics}"
	case Seed:
		return "{seed}"
	case Statement:
		return "{statement}"
	case ExactStatement:
		return "{exact_statement}"
	}
	return p.Text
}

// Empty reports whether there is no command.
func (t Template) Empty() bool { return len(t.args) == 0 }

// Uses reports whether a placeholder of that kind occurs.
func (t Template) Uses(kind Kind) bool { return len(t.Texts(kind)) > 0 }

// Texts returns the texts of all placeholders of that kind, without duplicates, in order of appearance.
func (t Template) Texts(kind Kind) []string {
	var out []string
	seen := map[string]bool{}
	for _, parts := range t.args {
		for _, p := range parts {
			if p.Kind == kind && !seen[p.Text] {
				seen[p.Text] = true
				out = append(out, p.Text)
			}
		}
	}
	return out
}

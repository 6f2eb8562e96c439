package config

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// A Parameter is one value of a workload's matrix.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// maxCombinations bounds the combinations of one matrix, and maxWorkloads the workloads of a file: every workload takes
// a share of alpha.
const maxCombinations, maxWorkloads = 64, 256

// A matrix is the value of a workload's key matrix: its parameters in the order of the file, and exceptions from the
// product of their values.
type matrix struct {
	parameters       []axis
	exclude, include [][]Parameter
}

type axis struct {
	name   string
	values []string
}

// parameterName keeps a parameter distinct from an artifact's path, a reserved placeholder and the lists.
var parameterName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// matrixOf reads the matrix of a workload. It returns false if there is none, or it is invalid.
func (d *decoder) matrixOf(workload value, build Build) (m matrix, ok bool) {
	mapping, is := d.resolve(workload.node).(ast.MapNode)
	if !is {
		return m, false
	}
	before, found := len(d.errors), false
	for entry := mapping.MapRange(); entry.Next(); {
		if key, is := scalarOf(d.resolve(entry.Key())); !is || key.text != "matrix" || found {
			continue
		}
		found = true
		v := value{entry.Value(), join(workload.key, "matrix")}
		var exclude, include *value
		d.pairs(v, func(key ast.Node, name string, child value) {
			switch name {
			case "exclude":
				exclude = &child
			case "include":
				include = &child
			default:
				d.axis(key, name, child, build, &m)
			}
		})
		if d.isMapping(v) && len(m.parameters) == 0 && len(d.errors) == before {
			d.fail(v.node, v.key, "must name at least one parameter, such as {size: [1024, 4096]}")
		}
		if len(d.errors) == before {
			m.exclude, m.include = d.corners(exclude, m, false), d.corners(include, m, true)
		}
	}
	return m, found && len(d.errors) == before
}

// axis reads one parameter with its values.
func (d *decoder) axis(key ast.Node, name string, v value, build Build, m *matrix) {
	_, taken := reserved[name]
	switch {
	case !parameterName.MatchString(name):
		d.fail(key, v.key, "%q is not a parameter name: lower-case letters, digits and underscores, a letter first", name)
		return
	case taken:
		d.fail(key, v.key, "{%s} is a placeholder already: call the parameter something else", name)
		return
	case slices.Contains(build.Artifacts, name) || slices.Contains(build.Artifacts, "matrix."+name):
		d.fail(key, v.key, "{%s} is an artifact of the build already: call the parameter something else", name)
		return
	}
	a := axis{name: name}
	if d.list(v, func(item value) {
		var s string
		if !d.parameter(item, &s) {
			return
		}
		if slices.Contains(a.values, s) {
			d.fail(item.node, item.key, "%q is listed twice", s)
			return
		}
		a.values = append(a.values, s)
	}) && len(d.items(v)) == 0 {
		d.fail(v.node, v.key, "must hold at least one value")
	}
	m.parameters = append(m.parameters, a)
}

// parameter reads one value as written: a string, a number or a boolean on one line.
func (d *decoder) parameter(v value, into *string) bool {
	s, ok := d.scalar(v, "a string, a number or a boolean")
	if !ok {
		return false
	}
	if strings.TrimSpace(s.text) == "" || strings.ContainsAny(s.text, "\n\r\x00") {
		d.fail(v.node, v.key, "must be one line of text, not %q", s.text)
		return false
	}
	*into = s.text
	return true
}

// corners reads a list of mappings from parameters to values: complete mappings if whole is set, else possibly partial
// ones.
func (d *decoder) corners(v *value, m matrix, whole bool) [][]Parameter {
	if v == nil {
		return nil
	}
	var out [][]Parameter
	var names []string
	for _, a := range m.parameters {
		names = append(names, a.name)
	}
	d.list(*v, func(item value) {
		var corner []Parameter
		seen := map[string]bool{}
		d.pairs(item, func(key ast.Node, name string, child value) {
			seen[name] = true
			p := Parameter{Name: name}
			i := slices.Index(names, name)
			switch {
			case i < 0:
				d.fail(key, child.key, "is not a parameter of the matrix%s", didYouMean(name, names))
			case !d.parameter(child, &p.Value):
			case !whole && !slices.Contains(m.parameters[i].values, p.Value):
				d.fail(child.node, child.key, "excludes nothing: %s has the values %s", name,
					strings.Join(m.parameters[i].values, ", "))
			default:
				corner = append(corner, p)
			}
		})
		if whole && d.isMapping(item) {
			d.require(item, seen, names...)
		}
		if len(seen) == 0 && d.isMapping(item) && !whole {
			d.fail(item.node, item.key, "must name at least one parameter")
		}
		slices.SortStableFunc(corner, func(a, b Parameter) int {
			return cmp.Compare(slices.Index(names, a.Name), slices.Index(names, b.Name))
		})
		out = append(out, corner)
	})
	return out
}

// combinations returns the product of the values, the last parameter fastest, without the excluded and with the
// included combinations.
func (m matrix) combinations() [][]Parameter {
	out := [][]Parameter{nil}
	for _, a := range m.parameters {
		var next [][]Parameter
		for _, c := range out {
			for _, v := range a.values {
				next = append(next, append(slices.Clone(c), Parameter{a.name, v}))
			}
			if len(next) > 16*maxCombinations {
				return next // the caller rejects it
			}
		}
		out = next
	}
	out = slices.DeleteFunc(out, func(c []Parameter) bool {
		return slices.ContainsFunc(m.exclude, func(corner []Parameter) bool {
			return !slices.ContainsFunc(corner, func(p Parameter) bool { return !slices.Contains(c, p) })
		})
	})
	for _, corner := range m.include {
		if !slices.ContainsFunc(out, func(c []Parameter) bool { return slices.Equal(c, corner) }) {
			out = append(out, corner)
		}
	}
	return out
}

// expand decodes a workload once for each combination of its matrix, or once without a matrix.
func (d *decoder) expand(v value, build Build) []Workload {
	before := len(d.errors)
	m, ok := d.matrixOf(v, build)
	if !ok {
		if len(d.errors) > before {
			return nil
		}
		return []Workload{d.workload(v, build)}
	}
	combinations := m.combinations()
	switch n := len(combinations); {
	case n == 0:
		d.fail(v.node, join(v.key, "matrix"), "excludes every combination")
		return nil
	case n > maxCombinations:
		d.fail(v.node, join(v.key, "matrix"), "has more than %d combinations: each is a workload, and takes a share of alpha",
			maxCombinations)
		return nil
	}
	var out []Workload
	for _, c := range combinations {
		d.parameters = c
		w := d.workload(v, build)
		d.parameters = nil
		if len(d.errors) > before {
			return nil // the next one would repeat the errors
		}
		w.Declared, w.Parameters = w.Name, c
		w.Name += suffix(c)
		if len(w.Name) > maxName {
			d.fail(v.node, join(v.key, "matrix"), "%q has more than %d characters: shorten the name or the values", w.Name,
				maxName)
			return nil
		}
		out = append(out, w)
	}
	return out
}

// suffix returns what a combination adds to the name of its workload. A name is used as a folder and as a word in a
// shell, a comment and a URL, so it contains no characters that are special there.
func suffix(c []Parameter) string {
	var b strings.Builder
	for _, p := range c {
		b.WriteString("." + p.Name + "-")
		for _, r := range p.Value {
			if r > 127 || !strings.ContainsRune(nameRunes, r) {
				r = '_'
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

const nameRunes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// parameterOf returns the value of {name} or {matrix.name} in the combination being decoded.
func (d *decoder) parameterOf(placeholder string) (string, bool) {
	name := strings.TrimPrefix(placeholder, "matrix.")
	for _, p := range d.parameters {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// fillTemplate puts the values of the combination into a template.
func (d *decoder) fillTemplate(t Template) Template {
	for _, parts := range t.args {
		for i, p := range parts {
			if v, ok := d.parameterOf(p.Text); ok && p.Kind == Artifact {
				parts[i] = part{Literal, v}
			}
		}
	}
	return t
}

// fillText puts the values of the combination into a text that is not a template: other braces are kept.
func (d *decoder) fillText(s string) string {
	for _, p := range d.parameters {
		s = strings.NewReplacer("{matrix."+p.Name+"}", p.Value, "{"+p.Name+"}", p.Value).Replace(s)
	}
	return s
}

// Select returns the names of the workloads denoted by a name, in the order of the file: the workload with that name,
// all combinations of the matrix declared under it, or the workloads that match a pattern with * and ?. It returns none
// if nothing matches.
func (f *File) Select(name string) []string {
	if _, ok := f.Workload(name); ok {
		return []string{name}
	}
	var out []string
	for _, w := range f.Workloads {
		matched := w.Declared == name
		if !matched && strings.ContainsAny(name, "*?") && !strings.ContainsAny(name, `[\`) {
			matched, _ = path.Match(name, w.Name) // names contain no slash, and the pattern no brackets
		}
		if matched {
			out = append(out, w.Name)
		}
	}
	return out
}

// SelectAll returns the workloads denoted by several names, each once and in the order of the file.
func (f *File) SelectAll(names []string) ([]string, error) {
	chosen := map[string]bool{}
	for _, name := range names {
		found := f.Select(name)
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no workload %q: it has %s", f.Path, name, strings.Join(f.Names(), ", "))
		}
		for _, one := range found {
			chosen[one] = true
		}
	}
	return slices.DeleteFunc(f.Names(), func(name string) bool { return !chosen[name] }), nil
}

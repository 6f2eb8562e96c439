package house

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// called are the methods that the standard library and the libraries of this module call through interfaces.
var called = []string{"Error", "Unwrap", "Is", "As", "String", "GoString", "Format", "Len", "Less", "Swap", "Push",
	"Pop", "Read", "ReadAt", "ReadFrom", "ReadByte", "Write", "WriteAt", "WriteTo", "WriteByte", "WriteString", "Close",
	"Seek", "Open", "Name", "Size", "Mode", "ModTime", "IsDir", "Sys", "Set", "Type", "Get", "RoundTrip", "ServeHTTP",
	"Header", "WriteHeader", "Flush", "Hijack", "Accept", "Addr", "Network", "Done", "Err", "Deadline", "Value", "Lock",
	"Unlock", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML", "UnmarshalYAML", "Equal",
	"Sum", "Reset", "BlockSize", "Path", "Lstat", "Uint64", "Seed", "CloseWrite", "SetDeadline", "SetReadDeadline",
	"SetWriteDeadline", "LocalAddr", "RemoteAddr", "Glyphs", "Ticks", "Plot", "DataRange", "XY", "Noticef", "Warnf",
	"Debugf", "Tracef"}

// reflecting are the packages that find fields by reflection, by parts of their paths.
var reflecting = []string{"encoding/", "text/template", "html/template", "reflect", "yaml", "toml",
	module + "/internal/header", module + "/prover/air/columns", module + "/prover/fill/host/rows"}

// members are the exported methods, and the exported fields of the exported structs, of a package.
type members struct {
	at     map[string][]string // positions of the declarations, by name
	fields map[string][]string // the names of a struct's fields
}

// membersOf returns the members of each package whose exported names need users, by folder.
func membersOf(files []source) map[string]*members {
	reflects := map[string]bool{}
	for _, file := range files {
		reflects[filepath.ToSlash(filepath.Dir(file.path))] = reflects[filepath.ToSlash(filepath.Dir(file.path))] ||
			!file.test() && slices.ContainsFunc(file.imports(), isReflecting)
	}
	all := map[string]*members{}
	for _, file := range files {
		folder := filepath.ToSlash(filepath.Dir(file.path))
		if file.ast.Name.Name == "main" || file.test() || file.generator() || file.support() ||
			slices.Contains(public, folder) || under(folder, "stats", "reporters") {
			continue
		}
		if all[folder] == nil {
			all[folder] = &members{map[string][]string{}, map[string][]string{}}
		}
		all[folder].declare(file, !reflects[folder])
	}
	return all
}

func isReflecting(path string) bool {
	return slices.ContainsFunc(reflecting, func(part string) bool { return strings.Contains(path, part) })
}

// declare adds the members that a file declares.
func (m *members) declare(file source, withFields bool) {
	add := func(name *ast.Ident) {
		m.at[name.Name] = append(m.at[name.Name], file.set.Position(name.Pos()).String())
	}
	for _, decl := range file.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil && d.Name.IsExported() && !slices.Contains(called, d.Name.Name) {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok || !t.Name.IsExported() || !withFields {
					continue
				}
				structure, ok := t.Type.(*ast.StructType)
				if !ok || slices.ContainsFunc(structure.Fields.List, func(f *ast.Field) bool { return f.Tag != nil }) {
					continue
				}
				for _, field := range structure.Fields.List {
					for _, name := range field.Names {
						m.fields[t.Name.Name] = append(m.fields[t.Name.Name], name.Name)
						if name.IsExported() {
							add(name)
						}
					}
				}
			}
		}
	}
}

// mentioned returns, by name, the folders whose files select it, set it in a literal, or have an interface with such a
// method. A literal without keys sets every field of its struct.
func mentioned(files []source, all map[string]*members) map[string]map[string]bool {
	found := map[string]map[string]bool{}
	for _, file := range files {
		folder := filepath.ToSlash(filepath.Dir(file.path))
		if strings.HasSuffix(file.ast.Name.Name, "_test") { // another package
			folder += "_test"
		}
		elements := map[ast.Expr]ast.Expr{} // types that literals take from the enclosing literal
		add := func(name, folder string) {
			if found[name] == nil {
				found[name] = map[string]bool{}
			}
			found[name][folder] = true
		}
		ast.Inspect(file.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				add(n.Sel.Name, folder)
			case *ast.InterfaceType:
				for _, method := range n.Methods.List {
					for _, name := range method.Names {
						add(name.Name, "") // any caller may call its implementations
					}
				}
			case *ast.CompositeLit:
				own := cmp.Or(n.Type, elements[n])
				for i, element := range n.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok {
						elements[pair.Value] = own
					} else {
						elements[element] = own
					}
					if pair, ok := element.(*ast.KeyValueExpr); !ok && i == 0 {
						for _, m := range all {
							for _, name := range m.fields[typeName(own)] {
								add(name, folder)
							}
						}
					} else if ok {
						if key, ok := pair.Key.(*ast.Ident); ok {
							add(key.Name, folder)
						}
					}
				}
			}
			return true
		})
	}
	return found
}

// typeName is the last identifier of a literal's type.
func typeName(t ast.Expr) (name string) {
	if t == nil {
		return ""
	}
	ast.Inspect(t, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok {
			name = ident.Name
		}
		return true
	})
	return name
}

// unusedMembers lists the members that only their own package names.
func unusedMembers(files []source) (list []string) {
	all := membersOf(files)
	found := mentioned(files, all)
	for folder, m := range all {
		for name, positions := range m.at {
			users := maps.Clone(found[name])
			delete(users, folder)
			if len(users) == 0 {
				for _, at := range positions {
					list = append(list, at+": "+name)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// An exported method or field that no other package names should not be exported. The test compares names without their
// types, so it finds only names that are unused wherever they are declared. Reflection uses fields of the packages in
// reflecting, and of structs with tags.
func TestExportedMembersHaveUsers(t *testing.T) {
	for _, name := range unusedMembers(goFiles(t)) {
		t.Errorf("%s is exported, and no other package uses it: unexport or remove it", name)
	}
}

func TestUnusedMembers(t *testing.T) {
	parse := func(path, text string) source {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return source{path, []byte(text), file, set}
	}
	library := `package library
type Shown struct { Read, Alone int; Set int; hidden int }
type Pair struct { First, Second int }
type Triple struct { Third, Fourth, Fifth int }
type hidden struct { Field int }
type Tagged struct { Key int ` + "`json:\"key\"`" + ` }
func (Shown) Called() { _ = Shown{}.Own }
func (Shown) Own() {}
func (hidden) Required() {}
func (hidden) Error() string { return "" }`
	reflects := `package reflects
import "reflect"
type Row struct { Cell int }
func (Row) Lost() { reflect.TypeFor[Row]() }`
	user := `package user
import "` + module + `/a/library"
type needed interface { Required() }
func f(s library.Shown) int { s.Called(); return s.Read + len([]any{library.Shown{Set: 1}, library.Pair{1, 2}}) }
var _ = map[string]library.Triple{"": {1, 2, 3}}`
	list := unusedMembers([]source{parse("a/library/l.go", library), parse("a/reflects/r.go", reflects),
		parse("b/user_test.go", user)})
	var names []string
	for _, found := range list {
		names = append(names, found[strings.LastIndex(found, " ")+1:])
	}
	slices.Sort(names)
	if want := []string{"Alone", "Lost", "Own"}; !slices.Equal(names, want) {
		t.Errorf("unused are %v, want %v", names, want)
	}
}

package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the packages that docs/reference/go.md promises to importers. Packages below stats and reporters compute
// and render for any importer. Everywhere else an exported name needs a user in another package, which may be a test.
var public = []string{"prover", "prover/run", "prover/verify", "prover/verify/known", "prover/machine/riscv",
	"prover/machine/keccak", "prover/machine/fib", "prover/backend/cpu"}

// exported is what a package exports at its top level.
type exported struct {
	at       map[string]string          // names, with the positions of their declarations
	mentions map[string]map[string]bool // the names of the package that a name's exported interface mentions
	groups   map[string][]string        // the other names of an enumeration
}

func newExported() *exported {
	return &exported{map[string]string{}, map[string]map[string]bool{}, map[string][]string{}}
}

// mention records the names in the types of a declaration, without bodies, unexported fields and unexported methods.
func (e *exported) mention(name string, nodes ...ast.Node) {
	for _, node := range nodes {
		ast.Inspect(node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				return false
			case *ast.Field:
				if len(n.Names) > 0 && !slices.ContainsFunc(n.Names, (*ast.Ident).IsExported) {
					_, parameter := node.(*ast.FuncType)
					return parameter
				}
			case *ast.Ident:
				if e.mentions[name] == nil {
					e.mentions[name] = map[string]bool{}
				}
				e.mentions[name][n.Name] = true
			}
			return true
		})
	}
}

// declare adds what a file of the package exports.
func (e *exported) declare(file source) {
	add := func(name *ast.Ident) {
		if name.IsExported() {
			e.at[name.Name] = file.set.Position(name.Pos()).String()
		}
	}
	for _, decl := range file.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
				e.mention(d.Name.Name, d.Type)
			} else if d.Name.IsExported() {
				e.mention(receiver(d), d.Type)
			}
		case *ast.GenDecl:
			var group []string
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
					e.mention(s.Name.Name, s.Type)
					if s.TypeParams != nil {
						e.mention(s.Name.Name, s.TypeParams)
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add(name)
						group = append(group, name.Name)
						if s.Type != nil {
							e.mention(name.Name, s.Type)
						}
						for _, value := range s.Values {
							e.mention(name.Name, value)
						}
					}
				}
			}
			for _, name := range group {
				e.groups[name] = group
			}
		}
	}
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && name == "" {
			name = ident.Name
		}
		return name == ""
	})
	return name
}

// unused returns the exported names without users: no other package names them, and no used name mentions them. The
// names of an enumeration belong together.
func (e *exported) unused(used map[string]bool) (list []string) {
	needed := map[string]bool{}
	for waiting := slices.Collect(maps.Keys(used)); len(waiting) > 0; {
		name := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if needed[name] {
			continue
		}
		needed[name] = true
		waiting = append(waiting, slices.Collect(maps.Keys(e.mentions[name]))...)
		waiting = append(waiting, e.groups[name]...)
	}
	for name, at := range e.at {
		if !needed[name] {
			list = append(list, at+": "+name)
		}
	}
	slices.Sort(list)
	return list
}

// exportedBy returns each package's exported names, and the names that others use of it, by folder. Programs and
// generators have no users.
func exportedBy(files []source) (packages map[string]*exported, used map[string]map[string]bool) {
	packages, used = map[string]*exported{}, map[string]map[string]bool{}
	for _, file := range files {
		folder := filepath.ToSlash(filepath.Dir(file.path))
		if file.ast.Name.Name != "main" && !file.test() && !file.generator() {
			if packages[folder] == nil {
				packages[folder] = newExported()
			}
			packages[folder].declare(file)
		}
		for other, names := range named(file) {
			if used[other] == nil {
				used[other] = map[string]bool{}
			}
			maps.Copy(used[other], names)
		}
	}
	return packages, used
}

func TestExportedNamesHaveUsers(t *testing.T) {
	packages, used := exportedBy(goFiles(t))
	for _, folder := range slices.Sorted(maps.Keys(packages)) {
		if slices.Contains(public, folder) || under(folder, "stats", "reporters") {
			continue
		}
		for _, name := range packages[folder].unused(used[folder]) {
			t.Errorf("%s is exported, and no other package uses it: unexport or remove it", name)
		}
	}
}

// A name is used by another package, by what such a name mentions, or with the other names of its enumeration.
func TestUnusedNames(t *testing.T) {
	parse := func(path, text string) source {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return source{path, []byte(text), file, set}
	}
	library := `package library
type Used struct { Part Part; hidden Hidden }
type Part int
type Hidden int
type Own int
const ( First Part = iota; Second )
const Alone = 1
func Make(r Result) Option { var l Local; _ = l; return nil }
func Unused(Named) {}
func (u Used) Method() Returned { return 0 }
func (u Used) method() Kept { return 0 }
type ( Result int; Option func(); Local int; Named int; Returned int; Kept int )`
	user := `package user
import other "` + module + `/a/library"
var _ other.Used
var _ = other.Make
func f(library struct{ Own int }) int { return library.Own + other.First }`
	packages, used := exportedBy([]source{parse("a/library/l.go", library), parse("b/user_test.go", user)})
	var names []string
	for _, name := range packages["a/library"].unused(used["a/library"]) {
		names = append(names, name[strings.LastIndex(name, " ")+1:])
	}
	slices.Sort(names)
	if want := []string{"Alone", "Hidden", "Kept", "Local", "Named", "Own", "Unused"}; !slices.Equal(names, want) {
		t.Errorf("unused are %v, want %v", names, want)
	}
}

// named returns the names of this module's packages that a file uses, by folder.
func named(file source) map[string]map[string]bool {
	folders := map[string]string{} // by the name under which the file imports them
	for i, path := range file.imports() {
		folder, ok := strings.CutPrefix(path, module+"/")
		if !ok {
			continue
		}
		name := folder[strings.LastIndex(folder, "/")+1:]
		if spec := file.ast.Imports[i]; spec.Name != nil {
			name = spec.Name.Name
		}
		folders[name] = folder
	}
	found := map[string]map[string]bool{}
	ast.Inspect(file.ast, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if ident, ok := selector.X.(*ast.Ident); ok {
			if folder := folders[ident.Name]; folder != "" {
				if found[folder] == nil {
					found[folder] = map[string]bool{}
				}
				found[folder][selector.Sel.Name] = true
			}
		}
		return true
	})
	return found
}

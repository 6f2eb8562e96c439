package mutate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// checker type-checks packages of the module with one file replaced.
type checker struct {
	files    *token.FileSet
	packages map[string]listed // by folder
	parsed   map[string]*ast.File
	imports  types.Importer
}

// listed is a package as go list describes it.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
}

func newChecker(t *testing.T, root string) *checker {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &checker{files: token.NewFileSet(), packages: map[string]listed{}, parsed: map[string]*ast.File{}}
	exports := map[string]string{}
	for decoder := json.NewDecoder(out); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		c.packages[p.Dir], exports[p.ImportPath] = p, p.Export
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	c.imports = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	return c
}

// check returns the first error in a file with the given text. It ignores files of other platforms, and does not check
// the bodies of functions in other files of the package, which would take ten times as long.
func (c *checker) check(path string, text []byte) error {
	p := c.packages[filepath.Dir(path)]
	if !slices.Contains(p.GoFiles, filepath.Base(path)) {
		return nil
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := c.parse(filepath.Join(p.Dir, name), path, text)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	var first error
	config := types.Config{Importer: c.imports, Sizes: types.SizesFor("gc", runtime.GOARCH), Error: func(err error) {
		var problem types.Error
		if errors.As(err, &problem) && c.files.Position(problem.Pos).Filename == path {
			first = cmp.Or(first, err)
		}
	}}
	_, _ = config.Check(p.ImportPath, c.files, files, nil)
	return first
}

func (c *checker) parse(path, changed string, text []byte) (*ast.File, error) {
	if path == changed {
		return parser.ParseFile(c.files, path, text, parser.SkipObjectResolution)
	}
	if c.parsed[path] == nil {
		file, err := parser.ParseFile(c.files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				function.Body = nil
			}
		}
		c.parsed[path] = file
	}
	return c.parsed[path], nil
}

// Every mutation of a Go file still builds: no test runs on one that does not. make mutate would report it too, after
// hours.
func TestMutationsBuild(t *testing.T) {
	longtest.Only(t)
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	all, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	c := newChecker(t, root)
	for i := range all {
		m := &all[i]
		text, err := m.Apply(root)
		if err == nil && filepath.Ext(m.File) == ".go" {
			err = c.check(filepath.Join(root, filepath.FromSlash(m.File)), text)
		}
		if err != nil {
			t.Error(fmt.Errorf("%s: %w", m.Location(), err))
		}
	}
}

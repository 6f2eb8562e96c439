// Command crossvet type-checks packages for a platform and runs the analyzers of go vet on them:
//
//	go run ./internal/crossvet [-declarations] GOOS/GOARCH PACKAGE...
//
// Run it from the module's root. It reads the sources of the packages and of all dependencies in one process. go vet
// first compiles the dependencies for that platform, and starts a process for each of them: several times the work. The
// exit code is 0 without findings, 1 with findings, and 2 for wrong arguments or packages that cannot be loaded.
//
// With -declarations it reads only the declarations of other packages: two thirds of the work. Findings are then
// missing or wrong if they depend on what a function of a dependency does: that it never returns, or formats like
// fmt.Printf. Use it where another run has read the dependencies for another platform.
package main

import (
	"fmt"
	"go/ast"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() { os.Exit(run(".", os.Args[1:], os.Stderr)) }

// analyzers are the analyzers of go vet and one check that go vet leaves to the compiler.
var analyzers = slices.Concat(vet.Suite, []*analysis.Analyzer{bodies})

// bodies reports functions without a body in packages without assembly.
var bodies = &analysis.Analyzer{
	Name: "bodies",
	Doc:  "report functions without a body in packages without assembly",
	Run: func(pass *analysis.Pass) (any, error) {
		if slices.ContainsFunc(pass.OtherFiles, func(name string) bool { return filepath.Ext(name) == ".s" }) {
			return nil, nil
		}
		for _, file := range pass.Files {
			for _, declaration := range file.Decls {
				if f, ok := declaration.(*ast.FuncDecl); ok && f.Body == nil {
					pass.Reportf(f.Pos(), "function %s has no body, and its package has no assembly", f.Name.Name)
				}
			}
		}
		return nil, nil
	},
}

// run checks the packages that arguments name in the module in folder, and reports to w.
func run(folder string, arguments []string, w io.Writer) (code int) {
	config := &packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: folder, Tests: true}
	declarations := len(arguments) > 0 && arguments[0] == "-declarations"
	if declarations {
		arguments = arguments[1:]
		config.Mode &^= packages.NeedDeps
		// Without this flag, go list compiles the dependencies for their export data. Without export data, package
		// packages reads sources without function bodies.
		config.BuildFlags = []string{"-export=false"}
	}
	platform, patterns := "", arguments
	if len(arguments) > 0 {
		platform, patterns = arguments[0], arguments[1:]
	}
	system, architecture, ok := strings.Cut(platform, "/")
	if !ok || len(patterns) == 0 {
		fmt.Fprintln(w, "usage: crossvet [-declarations] GOOS/GOARCH PACKAGE...")
		return 2
	}
	config.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0")
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		fmt.Fprintf(w, "crossvet %s: %v\n", platform, err)
		return 2
	}
	if len(loaded) == 0 { // with -declarations, package packages ignores that go list failed
		fmt.Fprintf(w, "crossvet %s: found no packages: does go tool dist list name this platform?\n", platform)
		return 2
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			fmt.Fprintf(w, "%s: %v\n", platform, err)
			code = 1
		}
	})
	if code != 0 {
		return code
	}
	if declarations {
		dropDependencies(loaded)
	}
	graph, err := checker.Analyze(analyzers, loaded, nil)
	if err != nil {
		fmt.Fprintf(w, "crossvet %s: %v\n", platform, err)
		return 2
	}
	for line := range reports(graph) {
		fmt.Fprintf(w, "%s: %s\n", platform, line)
		code = 1
	}
	return code
}

// dropDependencies removes the edges to packages other than the loaded ones, so that these are not analyzed.
func dropDependencies(loaded []*packages.Package) {
	own := map[*packages.Package]bool{}
	for _, p := range loaded {
		own[p] = true
	}
	for _, p := range loaded {
		maps.DeleteFunc(p.Imports, func(_ string, imported *packages.Package) bool { return !own[imported] })
	}
}

// reports returns the analyzers' findings in the packages themselves, each finding once: a package and its variant with
// tests share files.
func reports(graph *checker.Graph) map[string]bool {
	found := map[string]bool{}
	for _, action := range graph.Roots {
		if action.Err != nil {
			found[fmt.Sprintf("%v: %v", action, action.Err)] = true
		}
		for _, d := range action.Diagnostics {
			found[fmt.Sprintf("%v: %s (%s)", action.Package.Fset.Position(d.Pos), d.Message, action.Analyzer.Name)] = true
		}
	}
	return found
}

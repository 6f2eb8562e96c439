package bustest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// requestTemplates returns the subjects of JetStream's own requests, from the server's source. STREAM, CONSUMER and
// SUBJECT stand for their arguments.
func requestTemplates() ([]string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nats-io/nats-server/v2").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	all, err := literals(filepath.Join(strings.TrimSpace(string(out)), "server", "jetstream_api.go"), "$JS.")
	if err != nil {
		return nil, err
	}
	var list []string
	for _, template := range all {
		if !strings.Contains(template, "%s") && strings.ContainsAny(template, "*>") {
			continue // a template covers it
		}
		arguments := []string{"STREAM", "CONSUMER", "SUBJECT"}
		if strings.HasPrefix(template, "$JS.API.DIRECT") {
			arguments = []string{"STREAM", "SUBJECT"}
		}
		if strings.HasPrefix(template, "$JS.%s") {
			arguments = []string{"DOMAIN"}
		}
		for strings.Contains(template, "%s") {
			template = strings.Replace(template, "%s", arguments[0], 1)
			arguments = arguments[min(1, len(arguments)-1):]
		}
		if strings.HasSuffix(template, ".") {
			template += "x"
		}
		list = append(list, template)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Literals returns the string literals in a package's source, without tests, that start with a prefix.
func Literals(folder, prefix string) (list []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: %w", folder, fs.ErrNotExist)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		found, err := literals(path, prefix)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func literals(path, prefix string) (list []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && strings.HasPrefix(text, prefix) {
				list = append(list, text)
			}
		}
		return true
	})
	return list, nil
}

package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/module"

	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// golang describes the Go toolchain of a bundle.
type golang struct {
	root, cache, version string
	vendored             bool
}

// A goPackage is a package as go list prints it.
type goPackage struct {
	Dir        string
	ImportPath string
	Standard   bool
	Module     *goModule

	GoFiles, SFiles, HFiles, SysoFiles, EmbedFiles []string
}

type goModule struct {
	Path, Version, Dir string
	Replace            *goModule
	Main               bool
}

// golang adds the Go toolchain and the packages that both revisions import. It adds nothing and returns nil if neither
// is a Go module.
func (list *contents) golang(ctx context.Context, options Options, work string) (*golang, error) {
	packages := options.Packages
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	var found *golang
	for i, commit := range []string{options.Base, options.Head} {
		tree := filepath.Join(work, fmt.Sprintf("tree-%d", i))
		if err := extract(ctx, options.Repository, commit, tree); err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Join(tree, "go.mod")); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if found == nil {
			var err error
			if found, err = list.toolchain(ctx, tree); err != nil {
				return nil, err
			}
		}
		options.Log("listing what %.7s imports", commit)
		if err := list.imports(ctx, found, tree, packages); err != nil {
			return nil, fmt.Errorf("the packages of %s: %w", commit, err)
		}
		if _, err := os.Stat(filepath.Join(tree, "vendor", "modules.txt")); err == nil {
			found.vendored = true
		}
	}
	return found, nil
}

// toolchain adds the programs and headers that a build without cgo runs.
func (list *contents) toolchain(ctx context.Context, tree string) (*golang, error) {
	output, err := goOutput(ctx, tree, "env", "GOROOT", "GOMODCACHE", "GOVERSION", "GOTOOLDIR")
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(fields) != 4 {
		return nil, fmt.Errorf("go env printed %q: want 4 lines", output)
	}
	found := &golang{root: fields[0], cache: fields[1], version: fields[2]}
	tools := path.Join("go/pkg/tool", runtime.GOOS+"_"+runtime.GOARCH)
	files := map[string]string{"go/bin/go": filepath.Join(found.root, "bin", "go")}
	for _, name := range []string{"compile", "link", "asm"} {
		files[path.Join(tools, name)] = filepath.Join(fields[3], name)
	}
	for _, name := range []string{"VERSION", "go.env", "LICENSE", "src/go.mod", "src/vendor/modules.txt"} {
		files[path.Join("go", name)] = filepath.Join(found.root, filepath.FromSlash(name))
	}
	for to, from := range files {
		if err := list.file(to, from); err != nil {
			return nil, fmt.Errorf("the Go toolchain in %s: %w", found.root, err)
		}
	}
	// The runtime's assembly includes headers of runtime/cgo, which go list omits for a build without cgo.
	headers, err := filepath.Glob(filepath.Join(found.root, "src", "runtime", "cgo", "*.h"))
	if err != nil {
		return nil, err
	}
	for _, header := range headers {
		if err := list.file(path.Join("go/src/runtime/cgo", filepath.Base(header)), header); err != nil {
			return nil, err
		}
	}
	return found, list.folder("go/pkg/include", filepath.Join(found.root, "pkg", "include"))
}

// imports adds the packages that a checkout imports, and the go.mod of every module in its module graph.
func (list *contents) imports(ctx context.Context, found *golang, tree string, packages []string) error {
	output, err := goOutput(ctx, tree,
		append([]string{"list", "-deps", "-json=Dir,ImportPath,Standard,Module,GoFiles,SFiles,HFiles,SysoFiles,EmbedFiles"},
			packages...)...)
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var one goPackage
		if err := decoder.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if err := list.goPackage(found, tree, &one); err != nil {
			return fmt.Errorf("package %s: %w", one.ImportPath, err)
		}
	}
	// A vendored build reads the module graph from vendor/modules.txt.
	if _, err := os.Stat(filepath.Join(tree, "vendor", "modules.txt")); err == nil {
		return nil
	}
	output, err = goOutput(ctx, tree, "list", "-m", "-json=Path,Version,Dir,Replace,Main", "all")
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var one goModule
		if err := decoder.Decode(&one); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := list.moduleFiles(found, &one); err != nil {
			return fmt.Errorf("module %s: %w", one.Path, err)
		}
	}
}

// goPackage adds the files that a build without tests reads.
func (list *contents) goPackage(found *golang, tree string, one *goPackage) error {
	target := ""
	switch {
	case one.Standard:
		relative, err := filepath.Rel(found.root, one.Dir)
		if err != nil {
			return err
		}
		target = path.Join("go", filepath.ToSlash(relative))
	case inside(tree, one.Dir):
		return nil // the commit has it
	case inside(found.cache, one.Dir):
		relative, err := filepath.Rel(found.cache, one.Dir)
		if err != nil {
			return err
		}
		target = path.Join("modules", filepath.ToSlash(relative))
	default:
		return fmt.Errorf("it lies in %s, outside both the commit and the module cache: a module that is replaced by a "+
			"folder cannot be packed", one.Dir)
	}
	for _, group := range [][]string{one.GoFiles, one.SFiles, one.HFiles, one.SysoFiles, one.EmbedFiles} {
		for _, name := range group {
			if err := list.file(path.Join(target, filepath.ToSlash(name)), filepath.Join(one.Dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// moduleFiles adds the files of a module that the go command reads before any package: its go.mod and, if its packages
// are used, the hash of its contents.
func (list *contents) moduleFiles(found *golang, one *goModule) error {
	if one.Replace != nil {
		one = one.Replace
	}
	if one.Main || one.Version == "" {
		return nil
	}
	escapedPath, err := module.EscapePath(one.Path)
	if err != nil {
		return err
	}
	escapedVersion, err := module.EscapeVersion(one.Version)
	if err != nil {
		return err
	}
	for _, extension := range []string{".mod", ".info", ".ziphash"} {
		name := path.Join("cache/download", escapedPath, "@v", escapedVersion+extension)
		from := filepath.Join(found.cache, filepath.FromSlash(name))
		if _, err := os.Stat(from); err != nil {
			continue // not needed on this host either
		}
		if err := list.file(path.Join("modules", name), from); err != nil {
			return err
		}
	}
	return nil
}

func inside(folder, file string) bool {
	relative, err := filepath.Rel(folder, file)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

func goOutput(ctx context.Context, directory string, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = directory
	command.Env = append(command.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	group.Seal()
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", arguments[0], err, strings.TrimSpace(stderr.String()))
	}
	return output, nil
}

// gitOutput runs git with the user's configuration in a repository.
func gitOutput(ctx context.Context, directory string, arguments ...string) ([]byte, error) {
	return git.Desk.Output(ctx, git.Call{Dir: directory, Args: arguments})
}

// extract writes the tree of a commit, without its submodules, into a new folder.
func extract(ctx context.Context, repository, commit, into string) error {
	archive, err := gitOutput(ctx, repository, "archive", "--format=tar", commit)
	if err != nil {
		return err
	}
	for reader := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(header.Name) {
			continue // go list does not follow symbolic links
		}
		name := filepath.Join(into, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
}

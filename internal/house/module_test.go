package house

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/zip"
)

// tracked is a file as a module's archive contains it.
type tracked string

func (f tracked) Path() string                 { return string(f) }
func (f tracked) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(root, string(f))) }
func (f tracked) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(root, string(f))) }

// go install MODULE/harness/cmd/harness@VERSION works: go.mod has nothing that the go command refuses in a dependency,
// and the files make an archive that it accepts.
func TestModuleCanBeInstalled(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Replace) > 0 || len(file.Exclude) > 0 {
		t.Errorf("go.mod has %d replace and %d exclude directives: go install PACKAGE@VERSION refuses them",
			len(file.Replace), len(file.Exclude))
	}
	var members []zip.File
	for _, name := range files(t) {
		if _, err := tracked(name).Lstat(); err == nil { // not deleted in the work tree
			members = append(members, tracked(name))
		}
	}
	checked, err := zip.CheckFiles(members)
	if err == nil {
		err = checked.Err()
	}
	if err != nil || len(checked.Valid) < 100 {
		t.Errorf("of %d files %d can be in the archive of a module: %v", len(members), len(checked.Valid), err)
	}
}

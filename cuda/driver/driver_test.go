package driver_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

func TestSymbolsAreCompleteAndUnique(t *testing.T) {
	seen := map[string]bool{}
	for i, symbol := range driver.Symbols {
		if !strings.HasPrefix(symbol.Name, "cu") || symbol.Since == 0 {
			t.Errorf("symbol %d: incomplete entry %+v", i, symbol)
		}
		if seen[symbol.Name] {
			t.Errorf("%s is listed twice", symbol.Name)
		}
		seen[symbol.Name] = true
	}
	if got := len(driver.Symbols); got != int(driver.LaunchKernel)+1 {
		t.Errorf("%d symbols, %d constants", got, int(driver.LaunchKernel)+1)
	}
}

func TestOpenSaysWhereItLooked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	_, err := driver.Open(path)
	var missing *dynlib.NotFoundError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v, want a NotFoundError", err)
	}
	for _, want := range []string{path, "Install the NVIDIA driver"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

func TestOpenRefusesAnotherLibrary(t *testing.T) {
	for _, path := range []string{"libm.so.6", "libc.so.6"} {
		_, err := driver.Open(path)
		if err == nil {
			t.Fatalf("%s was taken for a CUDA driver", path)
		}
		var missing *dynlib.NotFoundError
		if errors.As(err, &missing) {
			t.Skipf("no %s here: %v", path, err)
		}
		if !strings.Contains(err.Error(), "cuDriverGetVersion") {
			t.Errorf("error does not say what is missing: %v", err)
		}
	}
}

func TestOpenRefusesAFileThatIsNoLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	if err := os.WriteFile(path, []byte("not ELF"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names %s", err, path)
	}
}

func TestSticky(t *testing.T) {
	for result, sticky := range map[driver.Result]bool{
		driver.Success: false, driver.OutOfMemory: false, driver.NotReady: false, driver.LaunchOutOfResources: false,
		driver.IllegalAddress: true, driver.LaunchFailed: true, driver.Unknown: true,
	} {
		if result.Sticky() != sticky {
			t.Errorf("Sticky(%d) = %v", result, !sticky)
		}
	}
}

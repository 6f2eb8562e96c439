package softgpu

import (
	"debug/elf"
	"errors"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

// library builds the device in the user's cache, as Open does.
func library(t *testing.T) string {
	t.Helper()
	compiler, err := findCompiler("")
	if err != nil {
		testcompiler.Missing(t, err.Error())
	}
	cache, err := defaultCache()
	if err != nil {
		t.Fatal(err)
	}
	path, err := buildLibrary(cache, compiler)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExportsAreTheListedSymbols(t *testing.T) {
	file, err := elf.Open(library(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			got = append(got, s.Name)
		}
	}
	want := []string{"softgpu_configure", "softgpu_finding"}
	for _, table := range [][]dynlib.Symbol{driver.Symbols, nvrtc.Symbols} {
		for _, s := range table {
			want = append(want, s.Name)
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	if !slices.Equal(got, want) {
		t.Errorf("exported %q\nwant %q", got, want)
	}
}

func TestDamagedLibraryIsNotUsed(t *testing.T) {
	path := library(t)
	copied := t.TempDir() + "/libsoftgpu.so"
	if err := install(path, copied); err != nil {
		t.Fatal(err)
	}
	if !intact(copied) {
		t.Fatal("a fresh copy is not intact")
	}
	data, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(copied, data, 0o755); err != nil {
		t.Fatal(err)
	}
	if intact(copied) {
		t.Error("a damaged library counts as intact")
	}
}

func TestMissingCompilerIsNamed(t *testing.T) {
	_, err := Open(Options{Compiler: "no-such-compiler", Cache: t.TempDir()})
	var none *NoCompilerError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "no-such-compiler") ||
		!strings.Contains(err.Error(), "install g++") {
		t.Errorf("got %v", err)
	}
}

func TestKernelThatDoesNotCompile(t *testing.T) {
	rtc, err := nvrtc.Open(nvrtc.Search{File: library(t)})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = rtc.Compile(nvrtc.Program{Name: "broken.cu", Source: "int x = undeclared;\n",
		Options: []string{"--gpu-architecture=softgpu"}})
	if err == nil || !strings.Contains(err.Error(), "broken.cu:1") || !strings.Contains(err.Error(), "undeclared") {
		t.Errorf("got %v", err)
	}
	_, _, err = rtc.Compile(nvrtc.Program{Name: "fine.cu", Source: "", Options: []string{"--gpu-architecture=sm_90"}})
	if err == nil || !strings.Contains(err.Error(), "softgpu_checked only") {
		t.Errorf("another architecture: %v", err)
	}
}

package nvrtc_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

func TestOpenSaysWhereItLooked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libnvrtc.so.13")
	_, err := nvrtc.Open(nvrtc.Search{File: path})
	var missing *dynlib.NotFoundError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v, want a NotFoundError", err)
	}
	for _, want := range []string{path, "nvidia-cuda-nvrtc", "--nvrtc"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

func TestSearchOrder(t *testing.T) {
	root := t.TempDir()
	touch := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	toolkit := touch("toolkit", "lib64", "libnvrtc.so.12")
	wheel := touch("venv", "lib", "python3.12", "site-packages", "nvidia", "cu13", "lib", "libnvrtc.so.13")
	user := touch("home", ".local", "lib", "python3.11", "site-packages", "nvidia", "cuda_nvrtc", "lib", "libnvrtc.so.12")
	candidates := nvrtc.Search{CUDAPath: filepath.Join(root, "toolkit"), VirtualEnv: filepath.Join(root, "venv"),
		Home: filepath.Join(root, "home")}.Candidates()
	last := -1
	for _, want := range []string{toolkit, "libnvrtc.so.13", wheel, user} {
		at := -1
		for i, candidate := range candidates {
			if candidate == want {
				at = i
			}
		}
		if at <= last {
			t.Errorf("%s stands at %d, after %d wanted, in %q", want, at, last, candidates)
		}
		last = at
	}
	if only := (nvrtc.Search{File: filepath.Dir(wheel), CUDAPath: root}).Candidates(); len(only) != 1 || only[0] != wheel {
		t.Errorf("a folder given by flag: got %q, want %q alone", only, wheel)
	}
}

func TestCompile(t *testing.T) {
	library := testcompiler.NVRTC(t)
	architectures, err := library.Architectures()
	if err != nil || len(architectures) == 0 {
		t.Fatalf("architectures: %q, %v", architectures, err)
	}
	cubin, log, err := library.Compile(nvrtc.Program{
		Name:    "probe.cu",
		Source:  "#include \"one.cuh\"\nextern \"C\" __global__ void probe(int *out) { *out = ONE; }",
		Headers: map[string]string{"one.cuh": "#define ONE 1\n"},
		Options: []string{"--gpu-architecture=sm_90", "--ptxas-options=-v"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if string(cubin[:4]) != "\x7fELF" || !strings.Contains(log, "probe") {
		t.Errorf("cubin starts with %q, log %q", cubin[:4], log)
	}
}

func TestCompileErrorCarriesTheLog(t *testing.T) {
	library := testcompiler.NVRTC(t)
	_, _, err := library.Compile(nvrtc.Program{Name: "broken.cu", Source: "__global__ void f() { undeclared = 1; }"})
	var failure *nvrtc.Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want an *nvrtc.Error", err)
	}
	for _, want := range []string{"nvrtcCompileProgram(broken.cu)", "undeclared", "broken.cu(1)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

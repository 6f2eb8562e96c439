package isolate

import (
	"path/filepath"
	"slices"
	"strings"
)

// allowed lists the caller's variables that are passed on: those that name toolchains or select code generation,
// devices, threads or languages. None of them should ever hold a secret.
var allowed = []string{
	"PATH", "LANG", "LANGUAGE", "TZ", "TERM",
	"CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "AR", "LD", "NVCC",
	"PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
	"CGO_ENABLED", "GOAMD64", "GOARCH", "GOARM64", "GODEBUG", "GOEXPERIMENT", "GOFLAGS", "GOGC", "GOMAXPROCS",
	"GOMEMLIMIT",
	"GONOSUMDB", "GONOSUMCHECK", "GOOS", "GOPROXY", "GOROOT", "GOSUMDB", "GOTOOLCHAIN",
	"RUSTFLAGS", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUST_BACKTRACE", "RAYON_NUM_THREADS", "OMP_NUM_THREADS",
	"CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING", "NVIDIA_VISIBLE_DEVICES",
	"JAVA_HOME", "SOURCE_DATE_EPOCH", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

// Environment returns the environment of an isolated program: the allowed part of the caller's (as NAME=VALUE),
// overridden by extra. Values that contain an address with a password are dropped.
func Environment(caller []string, extra map[string]string) []string {
	values := map[string]string{}
	home := ""
	for _, pair := range caller {
		name, text, ok := strings.Cut(pair, "=")
		if name == "HOME" {
			home = text
		}
		if ok && (slices.Contains(allowed, name) || strings.HasPrefix(name, "LC_")) && !holdsPassword(text) {
			values[name] = text
		}
	}
	// The programs in ~/.cargo/bin look for their toolchains in ~/.rustup, and HOME will change.
	if _, ok := values["RUSTUP_HOME"]; !ok && home != "" &&
		slices.Contains(filepath.SplitList(values["PATH"]), filepath.Join(home, ".cargo", "bin")) {
		values["RUSTUP_HOME"] = filepath.Join(home, ".rustup")
	}
	for name, text := range extra {
		values[name] = text
	}
	out := make([]string, 0, len(values))
	for name, text := range values {
		out = append(out, name+"="+text)
	}
	slices.Sort(out)
	return out
}

// holdsPassword reports whether text contains an address with user information.
func holdsPassword(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '|' || r == ' ' }) {
		if scheme, rest, ok := strings.Cut(word, "://"); ok && scheme != "" {
			authority, _, _ := strings.Cut(rest, "/")
			if strings.Contains(authority, "@") {
				return true
			}
		}
	}
	return false
}

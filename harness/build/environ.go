package build

import (
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/isolate"
)

// A build sees a part of the caller's environment, and the key covers what affects the result:
//
//   - Keyed variables are read by toolchains. A build with a different value is a different build.
//   - Passed variables are visible but not in the key: the locations of caches and the home, network settings, and
//     credentials. They decide whether a build succeeds, but no build worth comparing depends on them otherwise.
//   - Other variables are not visible, so they cannot change the result.
//
// build.env_pass of bench.yaml adds keyed variables. A name that ends in * matches every name with that prefix.

// keyedNames are the variables that toolchains read.
var keyedNames = []string{
	"LANG", "LANGUAGE", "LC_*", "TZ", "SOURCE_DATE_EPOCH", "CI",
	"CC", "CXX", "CPP", "FC", "AR", "AS", "LD", "NM", "RANLIB", "STRIP", "OBJCOPY", "CC_*", "CXX_*", "AR_*",
	"CFLAGS", "CXXFLAGS", "CPPFLAGS", "FFLAGS", "LDFLAGS", "LDLIBS", "CFLAGS_*", "CXXFLAGS_*", "CPATH", "*_INCLUDE_PATH",
	"LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_RUN_PATH", "GCC_*", "CLANG_*", "LLVM_*", "LIBCLANG_PATH",
	"CCACHE_*", "SCCACHE_*", "MACOSX_DEPLOYMENT_TARGET", "SDKROOT", "DEVELOPER_DIR", "DYLD_*",
	"GO*", "CGO_*", "CARGO", "CARGO_*", "RUSTC", "RUSTC_*", "RUSTFLAGS", "RUSTDOCFLAGS", "RUSTUP_*", "RUST_*", "BINDGEN_*",
	"CMAKE_*", "CTEST_*", "NINJA_*", "MAKEFLAGS", "VERBOSE", "PKG_CONFIG", "PKG_CONFIG_*", "ACLOCAL_PATH", "CONFIG_SITE",
	"PROTOC", "PROTOC_*", "OPENSSL_*", "BAZEL_*", "BAZELISK_*", "ZIG_*", "MESON_*",
	"CUDA_*", "CUDACXX", "NVCC", "NVCC_*", "NVIDIA_*", "HIP_*", "ROCM_*", "OMP_*", "RAYON_NUM_THREADS",
	"PYTHON*", "VIRTUAL_ENV", "CONDA_*", "PIP_*", "UV_*", "POETRY_*", "NODE_*", "NPM_CONFIG_*", "npm_config_*", "PNPM_*",
	"JAVA_HOME", "JAVA_*", "MAVEN_*", "GRADLE_*", "DOTNET_*", "NUGET_*", "GHC*", "CABAL_*", "STACK_*", "OPAM*", "OCAML*",
	"NIX_*", "GUIX_*", "PERL5LIB", "PERL5OPT", "RUBY*", "GEM_*", "BUNDLE_*", "SP1_*", "RISC0_*",
}

// passedNames are visible to a build but not in its key. The key covers the PATH by the programs that it leads to.
var passedNames = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "XDG_*",
	"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
	"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "GNUPGHOME", "GIT_*", "NETRC", "DOCKER_CONFIG", "KRB5CCNAME",
	"CARGO_NET_*", "CARGO_HTTP_*", "CARGO_TERM_*", "AWS_*", "GOOGLE_APPLICATION_CREDENTIALS",
	"*_TOKEN", "*_PASSWORD", "*_PASSWD", "*_SECRET", "*_CREDENTIALS", "*_API_KEY", "*_ACCESS_KEY", "*_SECRET_KEY",
}

// fits reports whether a name matches a list, in which * at either end stands for anything.
func fits(name string, list []string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		if begin, ok := strings.CutSuffix(one, "*"); ok {
			return strings.HasPrefix(name, begin)
		}
		if end, ok := strings.CutPrefix(one, "*"); ok {
			return strings.HasSuffix(name, end)
		}
		return name == one
	})
}

// terminal is the value of TERM for every build.
const terminal = "TERM=dumb"

// seen returns the part of the caller's environment that a build sees, sorted, and the part of it that the key covers.
// names is build.env_pass.
func seen(caller []string, isolated bool, names []string) (all, keyed []string) {
	var known []string
	for _, pair := range withoutForeign(caller) {
		name, _, _ := strings.Cut(pair, "=")
		switch {
		case fits(name, names):
		case fits(name, passedNames): // before the keyed ones: CARGO_REGISTRY_TOKEN is a credential
			all = append(all, pair)
			continue
		case !fits(name, keyedNames):
			continue
		}
		known = append(known, name)
		all = append(all, pair)
	}
	if isolated { // a narrower choice, with HOME taken away
		all = isolate.Environment(all, nil)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, pair := range all {
		name, _, _ := strings.Cut(pair, "=")
		if slices.Contains(known, name) {
			keyed = append(keyed, pair)
		}
	}
	return append(all, terminal), keyed
}

// withoutForeign removes the variables that tie git to another repository, and make to the make that runs the harness:
// its jobserver and flags are not for the build.
func withoutForeign(environ []string) []string {
	below := slices.ContainsFunc(environ, func(pair string) bool { return strings.HasPrefix(pair, "MAKELEVEL=") })
	return slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, text, _ := strings.Cut(pair, "=")
		switch name {
		case "MAKEFLAGS", "GNUMAKEFLAGS":
			return below || strings.Contains(text, "--jobserver")
		case "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES":
			return true
		}
		return git.IsLocalVariable(name)
	})
}

// digests returns the digest of each variable by its name. Values may be secret and are not recorded.
func digests(environ []string) map[string]string {
	out := map[string]string{}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		sum := sha256.Sum256([]byte(pair))
		out[name] = hex.EncodeToString(sum[:8])
	}
	return out
}

// CallerEnvironment returns the caller's variables, sorted, without those that tie git and make to another place. The
// harness only passes them to child processes.
func CallerEnvironment() []string {
	environ := withoutForeign((&exec.Cmd{}).Environ())
	slices.Sort(environ)
	return slices.Compact(environ)
}

// buildEnvironment returns the environment of the commands of a build.
func buildEnvironment(req Request) []string {
	environ, _ := seen((&exec.Cmd{}).Environ(), req.Isolation != nil, req.Build.EnvPass)
	extra := map[string]string{}
	for _, env := range []map[string]string{req.Build.Env, req.ExtraEnv} {
		for name, text := range env {
			extra[name] = text
		}
	}
	if req.Isolation != nil {
		return override(environ, extra)
	}
	for name, text := range extra {
		environ = append(environ, name+"="+text) // the last one counts
	}
	return environ
}

// override sets variables in a sorted environment.
func override(environ []string, extra map[string]string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, set := extra[name]
		return set
	})
	for name, text := range extra {
		out = append(out, name+"="+text)
	}
	slices.Sort(out)
	return out
}

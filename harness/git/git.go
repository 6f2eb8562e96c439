package git

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A Git runs git in one of three ways: see the package's documentation. The zero value is Desk.
type Git struct {
	sealed bool
	// protocols are the ones that a sealed git may speak at all.
	protocols     []string
	server, token string
}

// Desk is the git of a person at their own repository.
var Desk = Git{}

// Executor is the git of a host that runs strangers' code.
var Executor = Git{sealed: true, protocols: []string{"file"}}

// Controller is the git of a hosted runner. The token may be empty; else it is sent to server, such as
// https://github.com, and nowhere else.
func Controller(server, token string) (Git, error) {
	if token != "" {
		parsed, err := url.Parse(server)
		if err != nil || parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil {
			return Git{}, fmt.Errorf("the server %q is not an https address: a token is sent to no other", server)
		}
	}
	return Git{
		sealed:    true,
		protocols: []string{"file", "https"},
		server:    strings.TrimSuffix(server, "/"),
		token:     token,
	}, nil
}

// Sealed reports whether the configuration and the environment of this host are shut out.
func (g Git) Sealed() bool { return g.sealed }

// A Call is one run of git.
type Call struct {
	// Dir is where git is run.
	Dir  string
	Args []string
	// Env is added to the environment.
	Env []string
	// Protocols are the ones that this call may speak, such as file or https. A sealed git speaks none that is not named
	// here; at a desk git's own rules hold where none is named.
	Protocols []string
	// Token sends the token of a Controller, where it has one. No redirect is followed then.
	Token bool
	// Stderr receives what git says; nil for nobody. An Error holds it too.
	Stderr *bytes.Buffer
}

// An Error is a git command that failed.
type Error struct {
	Args   []string
	Stderr string
	Err    error
}

// Error gives what git said.
func (e *Error) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if said == "" {
		said = e.Err.Error()
	}
	const most = 2000 // it may repeat what a server said
	if len(said) > most {
		said = "... " + strings.ToValidUTF8(said[len(said)-most:], "?")
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], said)
}

// Unwrap gives the failure of the process.
func (e *Error) Unwrap() error { return e.Err }

// Run runs git and returns its output without the last newline.
func (g Git) Run(ctx context.Context, call Call) (string, error) {
	out, err := g.Output(ctx, call)
	return strings.TrimSuffix(string(out), "\n"), err
}

// Output runs git and returns its output.
func (g Git) Output(ctx context.Context, call Call) ([]byte, error) {
	for _, protocol := range call.Protocols {
		if g.sealed && !slices.Contains(g.protocols, protocol) {
			return nil, &Error{Args: call.Args, Err: fmt.Errorf("the protocol %s is not spoken here", protocol)}
		}
	}
	settings := g.settings(call)
	if !g.sealed {
		off, err := g.filtersOff(ctx, call.Dir)
		if err != nil {
			return nil, err
		}
		settings = append(settings, off...)
	}
	cmd := exec.CommandContext(ctx, "git", append(settings, call.Args...)...)
	cmd.Dir = call.Dir
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(g.environment(cmd.Environ(), call), call.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	group.Seal()
	err := cmd.Run()
	if call.Stderr != nil {
		call.Stderr.Write(stderr.Bytes())
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, &Error{call.Args, stderr.String(), err}
	}
	return stdout.Bytes(), nil
}

// quiet stands before every command: what would start another program by itself, or tell a person something.
var quiet = []string{
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "advice.detachedHead=false",
	"advice.graftFileDeprecated=false", "protocol.ext.allow=never",
	"submodule.recurse=false", "fetch.recurseSubmodules=false", "gc.auto=0", "maintenance.auto=false",
}

// sealed stands before every command of a sealed git, over the repository's own configuration too. An empty helper
// takes back every one that was named before.
var sealed = []string{
	"core.attributesFile=/dev/null", "core.excludesFile=/dev/null", "core.askPass=", "credential.helper=",
	"core.sshCommand=false",
	"core.pager=cat", "protocol.allow=never", "init.templateDir=", "init.defaultBranch=main",
}

func (g Git) settings(call Call) []string {
	list := slices.Clone(quiet)
	if g.sealed {
		list = append(list, sealed...)
	}
	if g.token != "" && call.Token {
		// After a redirect git would send the same headers to the next host.
		list = append(list, "http.followRedirects=false")
	}
	var args []string
	for _, one := range list {
		args = append(args, "-c", one)
	}
	return args
}

// local are variables that point git at another repository than the one in its folder. They are set inside hooks, from
// which somebody may well start a comparison. GIT_CONFIG_COUNT, which git lists too, stays: it brings a user's settings
// (url.*.insteadOf, credentials, safe.directory), and a build that fetches dependencies needs them.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_OBJECT_DIRECTORY", "GIT_DIR",
	"GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE",
	"GIT_CEILING_DIRECTORIES",
}

// IsLocalVariable reports whether an environment variable ties git to one repository. Programs that are run in a
// worktree must not inherit it.
func IsLocalVariable(name string) bool { return slices.Contains(local, name) }

// kept are the variables that a sealed git gets of its caller's; network those that one gets besides which may speak
// https.
var (
	kept    = []string{"PATH", "TMPDIR"}
	network = []string{
		"HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE",
		"SSL_CERT_DIR", "CURL_CA_BUNDLE",
	}
)

// environment makes git's environment of the caller's.
func (g Git) environment(caller []string, call Call) []string {
	var env []string
	for _, pair := range caller {
		name, _, _ := strings.Cut(pair, "=")
		switch {
		case !g.sealed && !IsLocalVariable(name),
			g.sealed && slices.Contains(kept, name),
			g.sealed && slices.Contains(call.Protocols, "https") && slices.Contains(network, name):
			env = append(env, pair)
		}
	}
	// A commit is what its hash says: no object stands for another (refs/replace), and no file gives it other parents.
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE=/dev/null")
	if g.sealed {
		env = append(env, "HOME=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
			"GIT_NO_LAZY_FETCH=1", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "GIT_SSH_COMMAND=false")
	}
	if len(call.Protocols) > 0 || g.sealed {
		// The list stands over all configuration. None is called so: an empty list is no list.
		env = append(env, "GIT_ALLOW_PROTOCOL="+strings.Join(append([]string{"none"}, call.Protocols...), ":"))
	}
	if g.token != "" && call.Token {
		// In the environment and not in an argument, which every user of the machine could read.
		credential := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + g.token))
		env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http."+g.server+"/.extraheader",
			"GIT_CONFIG_VALUE_0=Authorization: Basic "+credential)
	}
	return env
}

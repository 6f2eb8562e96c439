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

// A Git runs git under one of three policies: see the package documentation. The zero value is Desk.
type Git struct {
	sealed bool
	// protocols are all protocols that a sealed git may use.
	protocols     []string
	server, token string
}

// Desk is for a user's own repository.
var Desk = Git{}

// Executor is for a host that runs untrusted code.
var Executor = Git{sealed: true, protocols: []string{"file"}}

// Controller is for a hosted runner. If the token is not empty, it is sent to server, such as https://github.com, and
// nowhere else.
func Controller(server, token string) (Git, error) {
	if token != "" {
		parsed, err := url.Parse(server)
		if err != nil || parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil {
			return Git{}, fmt.Errorf("server %q: a token is sent only to an https URL such as https://github.com", server)
		}
	}
	return Git{
		sealed:    true,
		protocols: []string{"file", "https"},
		server:    strings.TrimSuffix(server, "/"),
		token:     token,
	}, nil
}

// Sealed reports whether git ignores the configuration and the environment of this host.
func (g Git) Sealed() bool { return g.sealed }

// A Call is one invocation of git.
type Call struct {
	// Dir is the working directory.
	Dir  string
	Args []string
	// Env is added to the environment.
	Env []string
	// Protocols are the protocols that this call may use, such as file or https. If it is empty, a sealed git uses none,
	// and Desk follows git's own rules.
	Protocols []string
	// Token sends the token of a Controller, if it has one. Git then follows no redirects.
	Token bool
	// Stderr receives git's standard error; it may be nil. An Error contains it, too.
	Stderr *bytes.Buffer
}

// An Error is a git command that failed.
type Error struct {
	Args   []string
	Stderr string
	Err    error
}

// Error returns what git printed, or the error of the process.
func (e *Error) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if said == "" {
		said = e.Err.Error()
	}
	const most = 2000 // git may repeat a server's message
	if len(said) > most {
		said = "... " + strings.ToValidUTF8(said[len(said)-most:], "?")
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], said)
}

// Unwrap returns the error of the process.
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
			return nil, &Error{Args: call.Args, Err: fmt.Errorf("protocol %s is not allowed", protocol)}
		}
	}
	settings := g.settings(call)
	if !g.sealed && mayFilter(call.Args) {
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

// quiet holds settings for every command. They turn off what would start other programs, and advice.
var quiet = []string{
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "advice.detachedHead=false",
	"advice.graftFileDeprecated=false", "protocol.ext.allow=never",
	"submodule.recurse=false", "fetch.recurseSubmodules=false", "gc.auto=0", "maintenance.auto=false",
}

// sealed holds settings for every command of a sealed git. They override the repository's own configuration. An empty
// credential.helper clears the list of helpers.
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
		// After a redirect, git would send the same headers to the next host.
		list = append(list, "http.followRedirects=false")
	}
	var args []string
	for _, one := range list {
		args = append(args, "-c", one)
	}
	return args
}

// local lists variables that point git to a repository other than the one in its working directory. Git sets them
// inside hooks, which may start a comparison. GIT_CONFIG_COUNT, which git also counts as local, is not in the list: it
// carries a user's settings (url.*.insteadOf, credentials, safe.directory) that a build may need to fetch dependencies.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_OBJECT_DIRECTORY", "GIT_DIR",
	"GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE",
	"GIT_CEILING_DIRECTORIES",
}

// IsLocalVariable reports whether an environment variable ties git to one repository. Programs that run in a worktree
// must not inherit it.
func IsLocalVariable(name string) bool { return slices.Contains(local, name) }

// kept lists the caller's variables that a sealed git gets, network those that it also gets if it may use https.
var (
	kept    = []string{"PATH", "TMPDIR"}
	network = []string{
		"HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE",
		"SSL_CERT_DIR", "CURL_CA_BUNDLE",
	}
)

// environment derives git's environment from the caller's.
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
	// No replaced objects (refs/replace) and no grafts: a commit has the contents and parents of its hash.
	env = append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_GRAFT_FILE=/dev/null")
	if g.sealed {
		env = append(env, "HOME=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
			"GIT_NO_LAZY_FETCH=1", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "GIT_SSH_COMMAND=false")
	}
	if len(call.Protocols) > 0 || g.sealed {
		// The variable overrides all configuration. There is no protocol called none, but git ignores an empty list.
		env = append(env, "GIT_ALLOW_PROTOCOL="+strings.Join(append([]string{"none"}, call.Protocols...), ":"))
	}
	if g.token != "" && call.Token {
		// In the environment, because every user of the machine can read arguments.
		credential := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + g.token))
		env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http."+g.server+"/.extraheader",
			"GIT_CONFIG_VALUE_0=Authorization: Basic "+credential)
	}
	return env
}

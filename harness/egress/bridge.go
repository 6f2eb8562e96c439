package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// Command is the first argument that makes this program the bridge inside the sandbox. The gateway's socket and the
// command line to run follow.
const Command = "egress-bridge"

// ready is set by Main: this program can be the bridge.
var ready atomic.Bool

// Main must be called first by a program that opens gateways. If the program was started as the bridge, Main runs the
// bridge and returns its exit code and true.
func Main(arguments []string, stdout, stderr io.Writer) (code int, bridge bool) {
	ready.Store(true)
	if len(arguments) == 0 || arguments[0] != Command {
		return 0, false
	}
	return runBridge(arguments[1:], stdout, stderr), true
}

// proxies are the environment variables from which programs read the address of a proxy.
var proxies = []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
	"npm_config_proxy", "npm_config_https_proxy", "CARGO_HTTP_PROXY"}

// runBridge runs a command line whose HTTP proxy is the gateway behind a socket, and returns its exit code.
func runBridge(arguments []string, stdout, stderr io.Writer) int {
	if len(arguments) < 2 {
		fmt.Fprintf(stderr, "%s SOCKET COMMAND [ARGUMENT ...]\n", Command)
		return 2
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", Command, err)
		return 125
	}
	defer listener.Close()
	go serve(listener, arguments[0])
	cmd := exec.CommandContext(context.Background(), arguments[1], arguments[2:]...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	for _, pair := range cmd.Environ() {
		if name, _, _ := strings.Cut(pair, "="); !strings.EqualFold(name, "no_proxy") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	for _, name := range proxies {
		cmd.Env = append(cmd.Env, name+"=http://"+listener.Addr().String())
	}
	group.Seal()
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v\n", arguments[1], err)
		return 127
	}
	return 0
}

// serve forwards every connection to the gateway.
func serve(listener net.Listener, socket string) {
	for {
		inside, err := listener.Accept()
		if err != nil {
			return // the listener was closed
		}
		go func() {
			defer inside.Close()
			outside, err := net.Dial("unix", socket)
			if err != nil {
				return
			}
			defer outside.Close()
			join(inside, inside, outside)
		}()
	}
}

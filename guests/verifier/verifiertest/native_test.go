package verifiertest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/guests/verifier/generate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
)

// sanitized are the flags that make undefined behaviour and accesses outside of an object end the program.
var sanitized = []string{"-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
	"-fno-sanitize-recover=all", "-DVERIFIER_TESTED"}

// build is the folder with the native verifier, made once.
var build struct {
	sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if build.folder != "" {
		os.RemoveAll(build.folder)
	}
	os.Exit(code)
}

// builtVariable passes the path of the coordinator's verifier to the workers of a fuzz target.
const builtVariable = "CHIASMUS_NATIVE_VERIFIER"

// nativeVerifier builds the verifier with sanitizers and returns its path.
func nativeVerifier(t testing.TB) string {
	t.Helper()
	if built := os.Getenv(builtVariable); built != "" {
		return built
	}
	compiler, err := exec.LookPath("gcc")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("needs gcc")
	}
	build.Do(func() { build.folder, build.err = buildNative(t, compiler) })
	if build.err != nil {
		t.Fatal(build.err)
	}
	path := filepath.Join(build.folder, "verifier")
	must(t, os.Setenv(builtVariable, path))
	return path
}

// notVerifier are the sources that do not belong to the native verifier.
var notVerifier = []string{"guest.c", "aggregate.c", "aggregator.c", "library.c"}

// sources returns the paths of the C sources without the ones with these names.
func sources(t testing.TB, without ...string) []string {
	t.Helper()
	all, err := filepath.Glob("../*.c")
	must(t, err)
	return slices.DeleteFunc(all, func(path string) bool { return slices.Contains(without, filepath.Base(path)) })
}

func buildNative(t testing.TB, compiler string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "verifier"); err != nil {
		return "", err
	}
	args := append(sources(t, notVerifier...), "../machines/fib.c", "../machines/rv64im.c")
	for name, machine := range map[string]func() (*circuit.Machine, error){"keccak": keccakMachine, "tour": tourMachine} {
		path := filepath.Join(folder, name+".c")
		if err := writeSource(t, path, machine); err != nil {
			return folder, err
		}
		args = append(args, path)
	}
	args = append(append([]string{"-o", filepath.Join(folder, "verifier")}, sanitized...), args...)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return folder, fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return folder, nil
}

func keccakMachine() (*circuit.Machine, error) {
	program, err := keccak.Program()
	if err != nil {
		return nil, err
	}
	return program.Machine(), nil
}

func tourMachine() (*circuit.Machine, error) {
	program, err := tour.New(tour.Sample())
	if err != nil {
		return nil, err
	}
	return program.Machine(), nil
}

// writeSource writes the C source of a machine that the repository does not contain.
func writeSource(t testing.TB, path string, machine func() (*circuit.Machine, error)) error {
	m, err := machine()
	if err != nil {
		return err
	}
	of, err := generate.Of(t.Context(), m)
	if err != nil {
		return err
	}
	source, err := generate.Source(of)
	if err != nil {
		return err
	}
	header, err := filepath.Abs("../machine.h")
	if err != nil {
		return err
	}
	source = strings.Replace(source, `"../machine.h"`, `"`+header+`"`, 1)
	return os.WriteFile(path, []byte(source), 0o644)
}

// process is a running native verifier.
type process struct {
	command  *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	log      strings.Builder
	mayCrash bool // with a planted bug: it counts as the verdict "crashed"
	ended    bool
}

func start(t testing.TB) *process {
	t.Helper()
	return startAt(t, nativeVerifier(t))
}

// startAt starts the verifier with this path.
func startAt(t testing.TB, path string) *process {
	t.Helper()
	p := &process{command: exec.Command(path)}
	in, err := p.command.StdinPipe()
	must(t, err)
	out, err := p.command.StdoutPipe()
	must(t, err)
	p.in, p.out, p.command.Stderr = in, bufio.NewReader(out), &p.log
	must(t, p.command.Start())
	t.Cleanup(func() {
		in.Close()
		if err := p.command.Wait(); err != nil && !p.ended && !t.Failed() {
			t.Errorf("the native verifier: %v\n%s", err, p.log.String())
		}
	})
	return p
}

// verify returns the name of the verdict on a file.
func (p *process) verify(t testing.TB, file []byte, id [32]byte, anyBits bool) string {
	t.Helper()
	var flags byte
	if anyBits {
		flags = 1
	}
	return p.ask(t, file, id, flags)
}

// verifyWords is the name of the verdict on a file in words, of any strength.
func (p *process) verifyWords(t testing.TB, words []byte, id [32]byte) string {
	t.Helper()
	return p.ask(t, words, id, 1+2)
}

// ask is the name of a verdict; flags are those of guests/verifier/native.c.
func (p *process) ask(t testing.TB, file []byte, id [32]byte, flags byte) string {
	t.Helper()
	head := append(binary.LittleEndian.AppendUint32(nil, uint32(len(file))), id[:]...)
	_, err := p.in.Write(append(append(head, flags), file...))
	line := ""
	if err == nil {
		line, err = p.out.ReadString('\n')
	}
	if err != nil {
		p.in.Close()
		p.command.Wait()
		p.ended = true
		if p.mayCrash {
			return "crashed"
		}
		t.Fatalf("the native verifier ended: %v\n%s", err, p.log.String())
	}
	return strings.TrimSpace(line)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

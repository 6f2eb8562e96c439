package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/internal/instructions"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
)

// A Command says how a child is started.
type Command struct {
	Argv []string
	Dir  string
	// Env is the whole environment of the child.
	Env []string
	// Log is the file to which standard error is appended, within the limits of logfile.Default.
	Log string
	// Stdin is a file that each process of a Process reads. It may be empty.
	Stdin string
	// Run names the run that the child is started for, to find the processes it leaves behind. See group.Start.
	Run string
	// Timeout bounds the start of a session, each proof, and the reading of one.
	Timeout time.Duration
	// Linger is the time that a session may take to exit, if that is more than a few seconds.
	Linger time.Duration
	// MaxProof bounds a proof in bytes; 0 means defaultMaxProof.
	MaxProof int64
	// Around, if not nil, wraps the start of every child: it runs on the thread that starts the child, and must call
	// begin.
	Around func(begin func() error) error
	// Left, if not nil, receives the names of programs that the child left behind outside its process group, after they
	// were killed.
	Left func(programs []string)
}

// An Error describes a child that failed or violated its contract.
type Error struct {
	Cause string
	// Tail is the end of its standard error since the start, and Log the file with all of it.
	Tail, Log string
}

func (e *Error) Error() string { return e.Cause }

// child is a running process and its resources.
type child struct {
	command Command
	cmd     *exec.Cmd
	group   *group.Child // the process and all its descendants
	retired *instructions.Counter
	log     *logfile.Log
	output  *logfile.Captured // what goes to the log
	exited  chan struct{}     // closed when waitErr and ended are set
	waitErr error
	ended   time.Time
	reading sync.Mutex
	members []int // its processes at the last account; guarded by reading
	// inCgroup is the CPU seconds of all processes that were ever in its cgroup, set by kill.
	inCgroup float64
}

// start runs the command in a new process group. If stdout is nil, standard output goes to the log, too.
func start(command Command, stdin, stdout *os.File) (*child, error) {
	log, err := logfile.Open(command.Log, logfile.Default)
	if err != nil {
		return nil, err
	}
	output, err := logfile.Capture(log)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	c := &child{command: command, log: log, output: output, exited: make(chan struct{})}
	c.cmd = exec.Command(command.Argv[0], command.Argv[1:]...)
	c.cmd.Dir, c.cmd.Env = command.Dir, command.Env
	c.cmd.Stdout, c.cmd.Stderr = output.File, output.File
	if stdin != nil {
		c.cmd.Stdin = stdin
	}
	if stdout != nil {
		c.cmd.Stdout = stdout
	}
	c.retired, err = instructions.Start(func() (err error) {
		begin := func() (err error) {
			c.group, err = group.Start(command.Run, c.cmd)
			return err
		}
		if command.Around != nil {
			return command.Around(begin)
		}
		return begin()
	})
	output.File.Close()
	if err != nil {
		c.endLog()
		return nil, c.fail("cannot be started: %v", err)
	}
	go func() {
		c.waitErr = c.cmd.Wait()
		c.ended = time.Now()
		c.retired.End()
		close(c.exited)
	}()
	return c, nil
}

// reap is how long a child may take to end before it is killed, and how long its output is awaited after its end. Tests
// shorten it.
var reap = 5 * time.Second

// kill ends the child and all its descendants, and waits for the child.
func (c *child) kill() {
	group.Kill(c.cmd.Process.Pid)
	<-c.exited
	c.inCgroup = c.group.CPUSeconds()
	if left := c.group.End(); len(left) > 0 && c.command.Left != nil {
		c.command.Left(left)
	}
	c.endLog()
}

// endLog closes the log once it contains all output. By now, only a process that was not found can hold its pipe open.
func (c *child) endLog() {
	c.output.End(reap)
	c.log.Close()
}

// wait waits until the child ends by itself, but at most for the given time.
func (c *child) wait(atMost time.Duration) bool {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-timer.C:
		return false
	}
}

// ending says how the child ended.
func (c *child) ending() string {
	var exit *exec.ExitError
	switch {
	case c.waitErr == nil:
		return "exited with status 0"
	case errors.As(c.waitErr, &exit):
		return describeExit(exit.ProcessState)
	}
	return c.waitErr.Error()
}

// fail makes an Error with the end of the log.
func (c *child) fail(format string, arguments ...any) *Error {
	return &Error{Cause: fmt.Sprintf(format, arguments...), Tail: c.log.Tail(), Log: c.command.Log}
}

// line is one line of standard output, the time at which it was complete, and the child's account at that time. A
// non-nil err ends the stream.
type line struct {
	text  []byte
	at    time.Time
	taken Account
	err   error
}

// mostLine bounds the length of a line of a session.
const mostLine = 1 << 20

// readLines sends every line of r until r ends or stop is closed. It reads the account immediately after the time, so
// that later consumption is not charged to the proof.
func readLines(r io.Reader, account func() Account, lines chan<- line, stop <-chan struct{}) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	for {
		next := readLine(buffered)
		if next.err == nil {
			next.taken = account()
		}
		select {
		case lines <- next:
		case <-stop:
			return
		}
		if next.err != nil {
			return
		}
	}
}

// readLine reads up to a newline. A last line without one is an error, because it may be truncated.
func readLine(r *bufio.Reader) line {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return line{text: text, at: time.Now()}
		case errors.Is(err, bufio.ErrBufferFull) && len(text) <= mostLine:
		case errors.Is(err, bufio.ErrBufferFull):
			return line{err: fmt.Errorf("a line of more than %d bytes", mostLine)}
		case len(text) > 0:
			return line{text: text, err: fmt.Errorf("%s has no newline at its end", excerpt(text))}
		default:
			return line{err: err}
		}
	}
}

// cancelled says that ctx, not the child, ended the wait.
func cancelled(ctx context.Context) error {
	return fmt.Errorf("killed: %w", context.Cause(ctx))
}

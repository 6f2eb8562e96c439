package instructions

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// An event is one kind of perf event.
type event struct {
	kind   uint32
	config uint64
}

// retired counts retired instructions.
var retired = event{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS}

// A Counter counts the instructions of one child. A nil Counter counts nothing.
type Counter struct {
	mutex sync.Mutex
	file  *os.File      // nil once the child has ended
	last  Reading       // the reading at that time
	done  chan struct{} // closed when the child has ended
}

// A Reading is the state of a counter at one time.
type Reading struct{ count, enabled, running uint64 }

// Start runs begin, which starts one child, and counts the child's instructions. If counting is unavailable, Start only
// runs begin. It returns begin's error.
func Start(begin func() error) (*Counter, error) {
	if Unavailable() != "" {
		return nil, begin()
	}
	return retired.start(begin)
}

// start counts an event.
func (e event) start(begin func() error) (*Counter, error) {
	c := &Counter{done: make(chan struct{})}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		fd, err := e.open()
		if err == nil {
			c.file = os.NewFile(uintptr(fd), "perf event")
		}
		begun <- begin()
		<-c.done
	}()
	err := <-begun
	if err != nil {
		c.End()
	}
	return c, err
}

// open opens an event on this thread that counts in its children from their exec on.
func (e event) open() (int, error) {
	attributes := unix.PerfEventAttr{
		Type: e.kind, Config: e.config, Size: unix.PERF_ATTR_SIZE_VER0,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec |
			unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	return unix.PerfEventOpen(&attributes, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
}

// Read returns the counts until now, or until the child's end.
func (c *Counter) Read() Reading {
	if c == nil {
		return Reading{}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.read()
}

func (c *Counter) read() Reading {
	var text [24]byte // three native words, see Read_format
	if c.file == nil {
		return c.last
	}
	if n, err := c.file.Read(text[:]); err != nil || n != len(text) {
		return Reading{}
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[8*i:]) }
	return Reading{word(0), word(1), word(2)}
}

// End stops counting. It must not be called before the child has ended: it ends the thread that started the child, and
// the child would be killed with its thread.
func (c *Counter) End() {
	if c == nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.last = c.read(); c.file != nil {
		c.file.Close()
		c.file = nil
	}
	select {
	case <-c.done:
	default:
		close(c.done)
	}
}

// Since returns the count since an earlier reading. It returns 0 if nothing was counted, or if the kernel multiplexed
// the counter, so that the count would be an estimate.
func (r Reading) Since(before Reading) float64 {
	if r.count < before.count || r.running-before.running < r.enabled-before.enabled {
		return 0
	}
	return float64(r.count - before.count)
}

// Unavailable says why instructions cannot be counted on this host; empty if they can.
var Unavailable = sync.OnceValue(func() string {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, err := retired.open()
	if err == nil {
		return whyNot(unix.Close(fd), "")
	}
	paranoid, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	return whyNot(err, strings.TrimSpace(string(paranoid)))
})

// mostParanoid is the largest value of kernel.perf_event_paranoid that allows users to count their own programs.
const mostParanoid = 2

// whyNot explains an error of perf_event_open(2).
func whyNot(err error, paranoid string) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP):
		return "the processor or hypervisor offers no instruction counter"
	case errors.Is(err, unix.ENOSYS):
		return "the kernel is built without perf events"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return fmt.Sprintf("the kernel does not allow it: kernel.perf_event_paranoid is %s, must be at most %d, and a "+
			"container's seccomp profile may also forbid it", paranoid, mostParanoid)
	}
	return err.Error()
}

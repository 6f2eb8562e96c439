package sampling

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/flame"
)

// ringPages is the size of a ring buffer without its first page. An unprivileged user may lock 516 KiB per CPU.
const ringPages = 64

// drainEvery is the interval between readings of the rings, a tenth of the time that fills one.
const drainEvery = 40 * time.Millisecond

// A Sampler samples programs that are started inside Around. It is safe for concurrent use.
type Sampler struct {
	mu      sync.Mutex
	rings   []*ring
	records []record
	windows []window
	stop    chan struct{}
	ended   chan struct{}
}

// A ring is the buffer into which the kernel writes the records of one CPU.
type ring struct {
	fd     int
	memory []byte
}

// New starts a Sampler, or says why this host does not allow sampling.
func New() (*Sampler, error) {
	if why := Unavailable(); why != "" {
		return nil, errors.New(why)
	}
	s := &Sampler{stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		for {
			select {
			case <-s.stop:
				return
			case <-time.After(drainEvery):
				s.mu.Lock()
				s.drain()
				s.mu.Unlock()
			}
		}
	}()
	return s, nil
}

// Around runs begin, which starts a program on this goroutine, and samples the program. Programs of earlier calls must
// have ended.
func (s *Sampler) Around(begin func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s.mu.Lock()
	s.drain()
	s.closeRings()
	err := s.open()
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("perf_event_open: %w", err)
	}
	return begin()
}

// open opens an event per CPU on this thread, which its children inherit. One event for all CPUs is not possible: the
// kernel does not allow a ring for an inherited event on all CPUs.
func (s *Sampler) open() error {
	cpus, err := onlineCPUs()
	if err != nil {
		return err
	}
	for _, cpu := range cpus {
		r, err := openRing(cpu)
		if err != nil {
			s.closeRings()
			return err
		}
		s.rings = append(s.rings, r)
	}
	return nil
}

func openRing(cpu int) (*ring, error) {
	attributes := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Size: unix.PERF_ATTR_SIZE_VER5,
		Sample:      uint64(time.Second) / hertz,
		Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_CALLCHAIN,
		Bits: unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv | unix.PerfBitMmap |
			unix.PerfBitComm | unix.PerfBitCommExec | unix.PerfBitTask | unix.PerfBitSampleIDAll |
			unix.PerfBitUseClockID | unix.PerfBitExcludeCallchainKernel,
		Clockid: unix.CLOCK_MONOTONIC,
	}
	fd, err := unix.PerfEventOpen(&attributes, 0, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	memory, err := unix.Mmap(fd, 0, (1+ringPages)*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("its ring: %w", err), unix.Close(fd))
	}
	return &ring{fd, memory}, nil
}

// onlineCPUs parses a list such as 0-3,8.
func onlineCPUs() ([]int, error) {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil, err
	}
	var cpus []int
	for part := range strings.SplitSeq(strings.TrimSpace(string(text)), ",") {
		var first, last int
		if n, _ := fmt.Sscanf(part, "%d-%d", &first, &last); n == 1 {
			last = first
		} else if n == 0 {
			return nil, fmt.Errorf("/sys/devices/system/cpu/online: %q is not a list of CPUs", text)
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// Offsets in the first page of a ring: of the kernel's write position, and of the reader's position.
const (
	headAt = 1024
	tailAt = 1032
)

// barrier orders reading a ring after reading its head, and before writing its tail.
var barrier atomic.Int64

// drain reads the records that the kernel has written. The caller holds mu.
func (s *Sampler) drain() {
	for _, r := range s.rings {
		data := r.memory[os.Getpagesize():]
		head := binary.NativeEndian.Uint64(r.memory[headAt:])
		barrier.Add(1)
		tail := binary.NativeEndian.Uint64(r.memory[tailAt:])
		size := uint64(len(data))
		taken := make([]byte, 0, head-tail)
		for at := tail; at < head; { // a record may wrap around
			from := at % size
			n := min(head-at, size-from)
			taken = append(taken, data[from:from+n]...)
			at += n
		}
		decode(taken, func(one record) { s.records = append(s.records, one) })
		barrier.Add(1)
		binary.NativeEndian.PutUint64(r.memory[tailAt:], head)
	}
}

func (s *Sampler) closeRings() {
	for _, r := range s.rings {
		_ = unix.Munmap(r.memory)
		_ = unix.Close(r.fd)
	}
	s.rings = nil
}

// While runs do. Only samples taken during While count.
func (s *Sampler) While(do func() error) error {
	from := now()
	err := do()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.windows = append(s.windows, window{from, now()})
	return err
}

// now returns the time of the records' clock.
func now() uint64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err) // the clock always exists
	}
	return uint64(t.Nano())
}

// Close stops sampling. It returns the sampled stacks and the number of lost samples.
func (s *Sampler) Close(names *Symbols) (stacks []flame.Stack, lost uint64) {
	close(s.stop)
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drain()
	s.closeRings()
	seen, lost := replay(s.records, os.Getpid())
	return fold(seen, s.windows, names), lost
}

// Unavailable says why this host does not allow sampling, and what to do; empty if it does.
func Unavailable() string {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpus, err := onlineCPUs()
	if err != nil {
		return err.Error()
	}
	r, err := openRing(cpus[0])
	if err == nil {
		_ = unix.Munmap(r.memory)
		_ = unix.Close(r.fd)
		return ""
	}
	paranoid, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	return whyNot(err, strings.TrimSpace(string(paranoid)))
}

// whyNot explains an error of perf_event_open(2), and what to set.
func whyNot(err error, paranoid string) string {
	const inContainer = "in a container, allow perf_event_open in its seccomp profile or give it CAP_PERFMON " +
		"(docker run --cap-add PERFMON)"
	switch {
	case errors.Is(err, unix.ENOSYS):
		return "the kernel offers no perf events; " + inContainer
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return fmt.Sprintf("the kernel does not allow sampling (kernel.perf_event_paranoid is %s): set it to 2 or less, "+
			"sudo sysctl kernel.perf_event_paranoid=2; %s", paranoid, inContainer)
	}
	return "perf_event_open: " + err.Error()
}

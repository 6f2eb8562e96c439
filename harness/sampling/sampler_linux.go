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

// ringPages is the size of a ring, without its first page. An unprivileged user may lock 516 KiB for each CPU.
const ringPages = 64

// drainEvery is the time between two readings of the rings: a tenth of what fills one.
const drainEvery = 40 * time.Millisecond

// A Sampler samples programs that are started inside its Around. It is safe for concurrent use.
type Sampler struct {
	mu      sync.Mutex
	rings   []*ring
	records []record
	windows []window
	stop    chan struct{}
	ended   chan struct{}
}

// A ring is the memory that the kernel writes the records of one CPU into.
type ring struct {
	fd     int
	memory []byte
}

// New begins to sample, or says why this host does not allow it.
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

// Around runs begin, which starts a program on this goroutine, and samples the program. What was started in an earlier
// call has to have ended.
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

// open opens an event for each CPU on this thread, which its children inherit: with inheritance the kernel offers no
// ring for all of them.
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
		Sample:      uint64(time.Second) / Hertz,
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

// onlineCPUs reads a list such as 0-3,8.
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
			return nil, fmt.Errorf("/sys/devices/system/cpu/online: %q is no list of CPUs", text)
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

// barrier orders the reading of a ring after the reading of its head, and before the writing of its tail.
var barrier atomic.Int64

// drain takes what the kernel has written. The caller holds mu.
func (s *Sampler) drain() {
	for _, r := range s.rings {
		data := r.memory[os.Getpagesize():]
		head := binary.NativeEndian.Uint64(r.memory[headAt:])
		barrier.Add(1)
		tail := binary.NativeEndian.Uint64(r.memory[tailAt:])
		size := uint64(len(data))
		taken := make([]byte, 0, head-tail)
		for at := tail; at < head; { // a record may go over the end of the ring
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

// While runs do, and counts the samples that are taken meanwhile.
func (s *Sampler) While(do func() error) error {
	from := now()
	err := do()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.windows = append(s.windows, window{from, now()})
	return err
}

// now reads the clock of the records.
func now() uint64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err) // there is always one
	}
	return uint64(t.Nano())
}

// Close ends the sampling and returns the stacks of what was sampled, with how many samples were lost.
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

// Unavailable says why nothing can be sampled on this host, and what to do; empty where it can be.
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

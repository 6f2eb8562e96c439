//go:build linux && (amd64 || arm64)

package isolate

import (
	"encoding/binary"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data: int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6].
const (
	dataNumber    = 0
	dataArch      = 4
	dataArguments = 16
)

// The results of the filter.
const (
	allow   = unix.SECCOMP_RET_ALLOW
	refuse  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// denied are the calls that exist on both architectures; deniedHere adds those of one.
var denied = []uintptr{
	unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_PIVOT_ROOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETTIMEOFDAY,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
}

// namespaces are the flags of clone and unshare that make a namespace. CLONE_NEWTIME is missing because clone reads its
// bit as part of a signal number.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID |
	unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP

// filterProgram assembles the filter, as an array of struct sock_filter.
func filterProgram() []byte {
	var p filter
	p.load(dataArch)
	p.unless(unix.BPF_JEQ, thisArch, refuse)
	p.load(dataNumber)
	p.when(unix.BPF_JGE, 0x40000000, refuse) // x32 of amd64; other architectures have no such numbers
	p.onArgument(unix.SYS_IOCTL, 1, func() {
		p.when(unix.BPF_JEQ, unix.TIOCSTI, refuse)
		p.when(unix.BPF_JEQ, unix.TIOCLINUX, refuse)
	})
	p.onArgument(unix.SYS_CLONE, 0, func() { p.when(unix.BPF_JSET, namespaces, refuse) })
	p.onArgument(unix.SYS_UNSHARE, 0, func() { p.when(unix.BPF_JSET, namespaces|unix.CLONE_NEWTIME, refuse) })
	p.when(unix.BPF_JEQ, unix.SYS_CLONE3, unknown)
	for _, number := range slices.Concat(denied, deniedHere) {
		p.when(unix.BPF_JEQ, uint32(number), refuse)
	}
	p.answer(allow)
	return p.bytes
}

// A filter is a classic BPF program under construction. Its accumulator holds the call's number between tests.
type filter struct{ bytes []byte }

// instruction appends struct sock_filter: __u16 code; __u8 jt; __u8 jf; __u32 k, in the byte order of the host, which
// is little-endian on both architectures.
func (p *filter) instruction(code uint16, whenTrue, whenFalse uint8, k uint32) {
	p.bytes = binary.LittleEndian.AppendUint16(p.bytes, code)
	p.bytes = append(p.bytes, whenTrue, whenFalse)
	p.bytes = binary.LittleEndian.AppendUint32(p.bytes, k)
}

func (p *filter) load(offset uint32) {
	p.instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, offset)
}

func (p *filter) answer(with uint32) { p.instruction(unix.BPF_RET|unix.BPF_K, 0, 0, with) }

// when returns `with` if the comparison of the accumulator with k holds.
func (p *filter) when(compare uint16, k, with uint32) {
	p.instruction(unix.BPF_JMP|compare|unix.BPF_K, 0, 1, k)
	p.answer(with)
}

// unless returns `with` if the comparison does not hold.
func (p *filter) unless(compare uint16, k, with uint32) {
	p.instruction(unix.BPF_JMP|compare|unix.BPF_K, 1, 0, k)
	p.answer(with)
}

// onArgument decides a call by the low 32 bits of an argument. A call that then does not answer is allowed. The kernel
// reads no more than 32 bits of flags and of an ioctl's number.
func (p *filter) onArgument(number uintptr, argument uint32, then func()) {
	jump := len(p.bytes)
	p.instruction(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 0, uint32(number))
	p.load(dataArguments + 8*argument)
	then()
	p.answer(allow)
	const size = 8
	p.bytes[jump+3] = uint8((len(p.bytes)-jump)/size - 1) // jf: skip all of it
}

// memoryFilter holds the filter for the lifetime of this process.
var memoryFilter = sync.OnceValues(func() (*os.File, error) {
	fd, err := unix.MemfdCreate("isolate-filter", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "isolate-filter")
	_, err = f.Write(filterProgram())
	return f, err
})

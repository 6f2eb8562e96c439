package isolate

import (
	"fmt"
	"os"
)

// The filter of system calls (seccomp_filter in the kernel's documentation) keeps what is isolated from parts of the
// kernel that no build and no prover needs and that exploits begin with. It is a list of what is denied, after the
// default one of container runtimes:
//
//   - new namespaces (unshare, setns, clone with such flags), in which a user is root and half of the kernel opens up;
//   - mounts by the old and the new interface;
//   - modules, kexec, reboot, swap, accounting, the clock, quotas, host names;
//   - eBPF, performance counters, io_uring, userfaultfd, the kernel's keys;
//   - ioctls that type into a terminal;
//   - calls of another architecture, which have other numbers.
//
// A denied call fails with EPERM. clone3 fails with ENOSYS: a filter cannot see its flags, and libraries then call
// clone. Tracing (ptrace) is allowed, as in container runtimes: it reaches no process but those inside.

// filterFile names a file with the filter, for the shell in Wrap to open: one in the memory of this process, under its
// own name in /proc. It is empty where no filter is made, and where the file cannot be made: then nothing starts.
func filterFile() (path string, err error) {
	f, err := memoryFilter()
	if err != nil || f == nil {
		return "", err
	}
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()), nil
}

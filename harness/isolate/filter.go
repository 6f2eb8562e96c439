package isolate

import (
	"fmt"
	"os"
)

// The filter of system calls (seccomp_filter in the kernel's documentation) denies parts of the kernel that no build or
// prover needs and that exploits commonly start from. It is a deny-list, modelled on the default list of container
// runtimes:
//
//   - new namespaces (unshare, setns, clone with such flags): root inside, and more of the kernel is exposed;
//   - mounts by the old and the new interface;
//   - modules, kexec, reboot, swap, accounting, the clock, quotas, host names;
//   - eBPF, performance counters, io_uring, userfaultfd, the kernel's keys;
//   - ioctls that inject terminal input;
//   - calls of another architecture, which have different numbers.
//
// A denied call fails with EPERM. clone3 fails with ENOSYS: a filter cannot see its flags, and libraries fall back to
// clone. Tracing (ptrace) is allowed, as in container runtimes: it only reaches processes inside.

// filterFile returns the path of a file with the filter, for the shell in Wrap to open: a memory file of this process,
// by its name in /proc. The path is empty if there is no filter for this platform or the file cannot be created; in the
// second case nothing can start.
func filterFile() (path string, err error) {
	f, err := memoryFilter()
	if err != nil || f == nil {
		return "", err
	}
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), f.Fd()), nil
}

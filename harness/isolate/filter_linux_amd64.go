package isolate

import "golang.org/x/sys/unix"

const thisArch = unix.AUDIT_ARCH_X86_64

// deniedHere are calls that exist only on this architecture.
var deniedHere = []uintptr{
	unix.SYS_IOPERM, unix.SYS_IOPL, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS__SYSCTL,
	unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE, unix.SYS_VSERVER,
}

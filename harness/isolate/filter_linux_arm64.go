package isolate

import "golang.org/x/sys/unix"

const thisArch = unix.AUDIT_ARCH_AARCH64

// deniedHere are calls that exist only on this architecture.
var deniedHere []uintptr

package measure

import (
	"testing"
)

// Output of verifiers in several languages that reject a proof, and the line that gives the reason.
func TestReason(t *testing.T) {
	for want, tail := range map[string]string{
		"query 17: the path does not lead to the cap": "loading\nquery 17: the path does not lead to the cap",
		"assertion `left == right` failed: another size": "\nthread 'main' (4918) panicked at src/main.rs:104:13:\n" +
			"assertion `left == right` failed: another size\n" +
			"  left: 7\n right: 16384\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n   4: cubes::main\n" +
			"note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.",
		"valid: InvalidProofShape": "thread 'main' panicked at src/main.rs:107:57:\nvalid: InvalidProofShape\n" +
			"note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
		"Error: Condition failed: `a == b`": "Error: Condition failed: `a == b`\n\nStack backtrace:\n   0: " +
			"<anyhow::Error>::msg::<&str>\n" +
			"   8: __libc_start_call_main\n             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n  10: _start",
		"panic: the root differs": "panic: the root differs\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/a.go:3 " +
			"+0x18\nexit status 2",
		"ValueError: 7 is not a root": "Traceback (most recent call last):\n  File \"verify.py\", line 3, in <module>\n" +
			"ValueError: 7 is not a root",
		"": "   9: main\n  10: _start",
	} {
		if got := reason(tail); got != want {
			t.Errorf("%q, want %q of\n%s", got, want, tail)
		}
	}
}

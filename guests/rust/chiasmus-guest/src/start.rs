//! The start, from the first instruction to main, and the end.

// Registers are 0, and memory has the ELF's contents. main is a C function: rustc makes it with std, else entry!.
core::arch::global_asm!(
    ".section .text.start, \"ax\"",
    ".globl _start",
    "_start:",
    ".option push",
    ".option norelax",
    "la gp, __global_pointer$",
    ".option pop",
    "la tp, __tls_base",
    "li sp, 0x80000000",
    "li a0, 0",
    "li a1, 0",
    "call main",
    "slli a0, a0, 32",
    "srli a0, a0, 32",
    "li a7, 93",
    "ecall",
);

/// Ends the program. Exit code 0 means success.
pub fn exit(code: u32) -> ! {
    unsafe { core::arch::asm!("ecall", in("a7") 93, in("a0") code as usize, options(noreturn)) }
}

/// The result of main in a program without std: nothing, or a `Result`. An error is shown, and the exit code is 1.
pub trait Ended {
    fn code(self) -> i32;
}

impl Ended for () {
    fn code(self) -> i32 {
        0
    }
}

impl<E: core::fmt::Debug> Ended for Result<(), E> {
    fn code(self) -> i32 {
        match self {
            Ok(()) => 0,
            Err(e) => {
                crate::println!("Error: {e:?}");
                1
            }
        }
    }
}

/// Names the main function of a program without std: `chiasmus_guest::entry!(main);`.
#[macro_export]
macro_rules! entry {
    ($main:path) => {
        #[unsafe(export_name = "main")]
        extern "C" fn __chiasmus_main() -> i32 {
            $crate::Ended::code($main())
        }
    };
}

#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    crate::println!("{info}");
    exit(crate::code::PANIC)
}

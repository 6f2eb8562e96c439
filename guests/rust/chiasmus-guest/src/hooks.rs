//! The functions that std's target OS "zkvm" requires from its platform.
use crate::{code, exit, heap::HEAP, note::note};
use core::alloc::{GlobalAlloc, Layout};

#[unsafe(no_mangle)]
unsafe extern "C" fn sys_write(_file: u32, bytes: *const u8, n: usize) {
    note(unsafe { core::slice::from_raw_parts(bytes, n) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sys_log(bytes: *const u8, n: usize) {
    note(unsafe { core::slice::from_raw_parts(bytes, n) })
}

/// std has already shown the message.
#[unsafe(no_mangle)]
extern "C" fn sys_panic(_message: *const u8, _n: usize) -> ! {
    exit(code::PANIC)
}

#[unsafe(no_mangle)]
extern "C" fn sys_halt(code: u8, _state: *const [u32; 8]) -> ! {
    exit(code as u32)
}

/// stdin is empty: inputs are io::private's.
#[unsafe(no_mangle)]
extern "C" fn sys_read(_file: u32, _to: *mut u8, _n: usize) -> usize {
    0
}

/// The keys of HashMap. They are fixed, because a proof is about one run. A chosen input can make a map slow.
#[unsafe(no_mangle)]
unsafe extern "C" fn sys_rand(words: *mut u32, n: usize) {
    for i in 0..n {
        unsafe { *words.add(i) = 0x9e37_79b9 }
    }
}

#[unsafe(no_mangle)]
extern "C" fn sys_getenv(_to: *mut u32, _words: usize, _name: *const u8, _n: usize) -> usize {
    usize::MAX
}

#[unsafe(no_mangle)]
extern "C" fn sys_argc() -> usize {
    0
}

#[unsafe(no_mangle)]
extern "C" fn sys_argv(_to: *mut u32, _words: usize, _index: usize) -> usize {
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sys_alloc_aligned(n: usize, alignment: usize) -> *mut u8 {
    unsafe { HEAP.alloc(Layout::from_size_align_unchecked(n, alignment)) }
}

//! Shows its text in capitals, and panics with exit code 7.
use chiasmus_guest::{exit, note};

fn main() {
    println!("hello");
    panic!("no more");
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sys_write(_file: u32, bytes: *const u8, n: usize) {
    note(&unsafe { std::slice::from_raw_parts(bytes, n) }.to_ascii_uppercase());
}

#[unsafe(no_mangle)]
extern "C" fn sys_panic(_message: *const u8, _n: usize) -> ! {
    exit(7)
}

#[unsafe(no_mangle)]
extern "C" fn sys_halt(code: u8, _state: *const [u32; 8]) -> ! {
    exit(code as u32)
}

#[unsafe(no_mangle)]
extern "C" fn sys_getenv(_to: *mut u32, _words: usize, _name: *const u8, _n: usize) -> usize {
    usize::MAX
}

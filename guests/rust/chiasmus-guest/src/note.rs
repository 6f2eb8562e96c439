//! Notes: text for the user who runs the program. The proof does not depend on it.

/// The maximum number of bytes of a note.
const MOST: usize = 1 << 16;

/// Shows bytes, without effect on the program and its proof.
pub fn note(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let (now, later) = bytes.split_at(bytes.len().min(MOST));
        unsafe {
            core::arch::asm!("ecall", in("a7") 1, in("a0") now.as_ptr(), in("a1") now.len(), in("a2") 0,
                options(nostack, readonly, preserves_flags));
        }
        bytes = later;
    }
}

/// Writes to notes.
pub struct Note;

impl core::fmt::Write for Note {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        note(text.as_bytes());
        Ok(())
    }
}

/// print! for programs without std.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => {{
        let _ = core::fmt::Write::write_fmt(&mut $crate::Note, format_args!($($arguments)*));
    }};
}

/// println! for programs without std.
#[macro_export]
macro_rules! println {
    () => { $crate::note(b"\n") };
    ($($arguments:tt)*) => {{
        let _ = core::fmt::Write::write_fmt(&mut $crate::Note, format_args!("{}\n", format_args!($($arguments)*)));
    }};
}

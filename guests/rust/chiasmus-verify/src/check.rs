//! The verifier's checks, with the names that they have in C.
use core::ffi::{CStr, c_char};
use core::fmt;

/// A check that refuses a proof: the `VERIFIER_ERRORS` of guests/verifier/verifier.h, which explains each with a text.
/// `Display` shows this text.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[repr(i32)]
#[non_exhaustive]
pub enum Check {
    FileEnds = 1,
    FileMagic,
    FileVersion,
    FileCount,
    FileElement,
    FileTrailing,
    Machine,
    Parameters,
    FixedCap,
    Program,
    Instances,
    Size,
    Public,
    Security,
    Buses,
    Shape,
    Shards,
    Challenge,
    Sums,
    Rows,
    Quotient,
    Nonce,
    Points,
    Opening,
    Layer,
    Fold,
    Final,
    Place,
    Parts,
    Common,
    Input,
    ChildExit,
    ChildSelf,
    ChildOutput,
    Role,
}

const LAST: i32 = Check::Role as i32;

impl Check {
    /// The check with the number, not 0, that C returns.
    pub(crate) fn of(code: i32) -> Check {
        assert!((1..=LAST).contains(&code), "the verifier has no check {code}");
        unsafe { core::mem::transmute(code) } // all numbers up to the last are checks
    }

    /// The check's number, which programs in C use as exit code.
    pub fn code(self) -> u32 {
        self as u32
    }
}

unsafe extern "C" {
    fn zkvm_verify_text(check: i32) -> *const c_char;
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = unsafe { CStr::from_ptr(zkvm_verify_text(*self as i32)) };
        f.write_str(text.to_str().map_err(|_| fmt::Error)?)
    }
}

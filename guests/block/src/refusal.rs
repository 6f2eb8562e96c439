use std::fmt;

/// The reason for refusing a block. Its text names the part of the input, and the expected value if it is known.
pub struct Refusal(String);

impl Refusal {
    pub fn new(text: impl Into<String>) -> Refusal {
        Refusal(text.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The form in which main shows the error that it returns.
impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {}", self.0)
    }
}

impl std::error::Error for Refusal {}
impl revm::database_interface::DBErrorMarker for Refusal {}

/// Returns a refusal with a text, like format!.
macro_rules! refuse {
    ($($text:tt)*) => { return Err($crate::Refusal::new(format!($($text)*))) };
}

/// Refuses unless two values are equal: the block's value, and the computed one.
macro_rules! must_equal {
    ($said:expr, $computed:expr, $($name:tt)*) => {{
        let (said, computed) = (&$said, &$computed);
        if said != computed {
            refuse!("{}: the block says {said:?}, and it is {computed:?}", format_args!($($name)*));
        }
    }};
}
pub(crate) use {must_equal, refuse};

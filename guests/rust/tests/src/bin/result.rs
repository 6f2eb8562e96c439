//! Returns an error.
use chiasmus_guest as _; // its start and its hooks

fn main() -> Result<(), std::num::ParseIntError> {
    let n: u32 = "12x".parse()?;
    println!("{n}");
    Ok(())
}

//! The validator as a guest: the private input is a block with its witness, the public output is the statement. Built
//! for the host, it reads the input from a file and prints the output.
use block::Refusal;

#[cfg(target_os = "zkvm")]
fn main() -> Result<(), Refusal> {
    chiasmus_guest::ethereum::install();
    let output = block::validate(chiasmus_guest::io::private())?;
    chiasmus_guest::io::commit_bytes(&output.bytes());
    Ok(())
}

#[cfg(not(target_os = "zkvm"))]
fn main() -> Result<(), Refusal> {
    let refusal = |e: std::io::Error| Refusal::new(e.to_string());
    let Some(path) = std::env::args_os().nth(1) else { return Err(Refusal::new("usage: block FILE")) };
    let output = block::validate(&std::fs::read(path).map_err(refusal)?)?;
    println!("{}", alloy_primitives::hex::encode(output.bytes()));
    Ok(())
}

//! A counter that verifies a proof of its predecessor. The private input is the program's own id (32 bytes) and a proof
//! of the count before, or nothing for 0. The public output is the id and the count (8 bytes, little endian). A
//! verifier of a proof compares the id in its output with the id of the proven program. Then the ids of all
//! predecessors are the same, so the program has run that many times, each time with a proof of the run before.
use chiasmus_guest::io;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (id, proof) = io::private().split_first_chunk::<32>().ok_or("the input has no program id")?;
    let count = if proof.is_empty() { 0 } else { predecessor(proof, id)? + 1 };
    io::commit_bytes(id);
    io::commit_bytes(&count.to_le_bytes());
    Ok(())
}

/// The count in a proof of this same program.
fn predecessor(proof: &[u8], id: &[u8; 32]) -> Result<u64, Box<dyn Error>> {
    let run = chiasmus_verify::verify(proof, id)?;
    match run.output.split_first_chunk() {
        Some((own, count)) if own == id => Ok(u64::from_le_bytes(count.try_into()?)),
        _ => Err("the proof's output names another program".into()),
    }
}

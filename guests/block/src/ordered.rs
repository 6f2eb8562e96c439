//! Roots of lists: tries whose keys are indices.
use crate::{
    Refusal,
    trie::{Forest, Link},
};
use alloy_primitives::B256;

/// The root of a list of values.
pub fn root(values: &[&[u8]]) -> Result<B256, Refusal> {
    let mut forest = Forest::new(&[]);
    let mut root = Link::EMPTY;
    for (i, value) in values.iter().enumerate() {
        forest.insert(&mut root, &alloy_rlp::encode(i), value)?;
    }
    Ok(forest.hash(root))
}

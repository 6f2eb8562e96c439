//! Compares tries with alloy's, and tests revm's requests.
use crate::{
    ordered, path,
    state::State,
    trie::{Forest, Link},
};
use alloy_primitives::{B256, keccak256};
use alloy_trie::{EMPTY_ROOT_HASH, HashBuilder, Nibbles};
use revm::Database;
use std::collections::BTreeMap;

/// The root as alloy computes it, from all keys and values.
fn expected(all: &BTreeMap<Vec<u8>, Vec<u8>>) -> B256 {
    let mut builder = HashBuilder::default();
    all.iter().for_each(|(k, v)| builder.add_leaf(Nibbles::unpack(k), v));
    builder.root()
}

/// Keys that share prefixes of many lengths: some bytes of a digest, then bytes of another one.
fn key(i: u32) -> Vec<u8> {
    let (a, b) = (keccak256((i % 5).to_le_bytes()), keccak256(i.to_le_bytes()));
    let n = (i / 5 % 32) as usize;
    [&a[..n], &b[n..]].concat()
}

#[test]
fn tries_are_alloys() {
    let (mut forest, mut root, mut all) = (Forest::new(&[]), Link::EMPTY, BTreeMap::new());
    assert_eq!(forest.hash(root), EMPTY_ROOT_HASH);
    for i in 0..600u32 {
        // Nodes with short values are part of their parents.
        let value = keccak256(i.to_be_bytes())[..1 + (i as usize * 7) % 32].to_vec();
        let key = key(i * i % 331);
        if i % 3 == 2 {
            forest.remove(&mut root, &key).unwrap();
            all.remove(&key);
        } else {
            forest.insert(&mut root, &key, value.clone().leak()).unwrap();
            all.insert(key, value);
        }
        if i % 7 == 0 {
            assert_eq!(forest.hash(root), expected(&all), "after {i} changes");
        }
    }
    for i in 0..331 {
        let key = key(i);
        assert_eq!(forest.get(&mut root, &key).unwrap(), all.get(&key).map(|v| &v[..]));
    }
    for key in all.keys() {
        forest.remove(&mut root, key).unwrap();
    }
    assert_eq!(forest.hash(root), EMPTY_ROOT_HASH);
}

#[test]
fn lists_are_alloys() {
    for n in [0usize, 1, 2, 16, 127, 128, 129, 300] {
        let values: Vec<Vec<u8>> = (0..n).map(|i| keccak256(i.to_le_bytes()).repeat(1 + i % 3)).collect();
        let slices: Vec<&[u8]> = values.iter().map(|v| &v[..]).collect();
        let all = values.iter().enumerate().map(|(i, v)| (alloy_rlp::encode(i), v.clone())).collect();
        assert_eq!(ordered::root(&slices).unwrap(), expected(&all), "of {n}");
    }
}

#[test]
fn paths_join_and_part() {
    let key = [0x12, 0x34, 0x56];
    let whole = path::rest(&key, 0);
    assert_eq!(whole, [0x20, 0x12, 0x34, 0x56]);
    assert_eq!(path::rest(&key, 3), [0x34 & 0x0f | 0x30, 0x56]);
    for at in 0..=6 {
        let (a, b) = (path::part(&whole, 0, at, false), path::part(&whole, at, 6, true));
        assert_eq!((path::length(&a), path::length(&b)), (at, 6 - at));
        assert_eq!(path::join(&a, &b, true), whole);
        assert!(path::is_rest(&b, &key, at));
        assert_eq!(path::common(&a, &key, 0), at);
    }
    assert!(!path::is_rest(&path::rest(&[0x12, 0x34, 0x57], 0), &key, 0));
    assert_eq!(path::common(&path::rest(&[0x12, 0x35], 0), &key, 0), 3);
}

#[test]
fn nodes_that_are_none_are_refused() {
    for bytes in ["", "c0", "c3208080", "c88200208080808080", "e2a0", "c4820012c0", "d3808080808080808080808080808080808080"] {
        let bytes = alloy_primitives::hex::decode(bytes).unwrap();
        let nodes = [&bytes[..]];
        let mut forest = Forest::new(&nodes);
        assert!(forest.get(&mut Link::root(keccak256(&bytes)), &[0; 32]).is_err(), "{bytes:x?}");
    }
}

#[test]
fn ancestors_hashes_are_those_of_headers() {
    let [a, b] = [1, 2].map(B256::repeat_byte);
    let mut state = State::new(EMPTY_ROOT_HASH, &[], &[], 10, vec![a, b]);
    assert_eq!((state.block_hash(9).unwrap(), state.block_hash(8).unwrap()), (a, b));
    assert!(state.block_hash(7).unwrap_err().to_string().contains("header of block 8"));
    assert!(state.block_hash(10).is_err());
}

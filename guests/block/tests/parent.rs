//! A block after its parent.
mod common;
use common::Parts;

fn with_parent() -> Parts {
    let mut parts = Parts::mainnet();
    parts.put_parent();
    parts
}

#[test]
fn is_valid() {
    let parts = with_parent();
    let output = parts.validate().unwrap();
    assert!(output.has_parent);
    assert_eq!(output.parent, parts.ancestors[0].hash_slow());
    assert_eq!(output.bytes()[136], 1);
}

#[test]
fn another_parent_is_refused() {
    let mut parts = with_parent();
    parts.ancestors[0].extra_data = Default::default();
    parts.is_refused("parent of header 0: ");
    let mut parts = with_parent();
    let parent = parts.ancestors[0].clone();
    parts.ancestors.push(parent); // it is not its own parent
    parts.is_refused("parent of header 1: ");
}

/// The rules that relate a header to its parent's, each tested by a change of the parent's header.
#[test]
fn rules_between_headers_hold() {
    let changes: [(&str, fn(&mut alloy_consensus::Header)); 8] = [
        ("number of header 0: ", |p| p.number += 1),
        ("state before the block: ", |p| p.state_root.0[0] ^= 1),
        ("timestamp: ", |p| p.timestamp += 12),
        ("gas limit: ", |p| p.gas_limit -= p.gas_limit / 1000),
        ("gas limit: ", |p| p.gas_limit += p.gas_limit / 1000),
        ("base fee: ", |p| p.gas_used += p.gas_limit / 4),
        ("base fee: ", |p| p.base_fee_per_gas = p.base_fee_per_gas.map(|fee| fee + 1_000)),
        ("excess blob gas: ", |p| p.blob_gas_used = Some(9 << 17)),
    ];
    for (words, change) in changes {
        let mut parts = with_parent();
        change(&mut parts.ancestors[0]);
        parts.header.parent_hash = parts.ancestors[0].hash_slow();
        parts.is_refused(words);
    }
}

#[test]
fn a_grandparent_is_taken() {
    let mut parts = with_parent();
    let oldest = alloy_consensus::Header { number: parts.ancestors[0].number - 1, ..parts.ancestors[0].clone() };
    parts.ancestors[0].parent_hash = oldest.hash_slow();
    parts.header.parent_hash = parts.ancestors[0].hash_slow();
    parts.ancestors.push(oldest);
    parts.settle();
    assert!(parts.validate().unwrap().has_parent);
}

//! Block 23587691 of mainnet is valid; with another header, body or witness it is not.
mod common;
use alloy_primitives::{B64, B256, Bloom, Bytes, U256, b256, keccak256};
use common::Parts;

#[test]
fn is_valid() {
    let parts = Parts::mainnet();
    let output = parts.validate().unwrap();
    assert_eq!(output.block, parts.header.hash_slow());
    assert_eq!(output.parent, parts.header.parent_hash);
    assert_eq!(output.pre_state, b256!("44e6f38a566ff52b4d6acb3e6db2e827cabdf65195891057c5b698900104941a"));
    assert_eq!(output.post_state, b256!("bc9739571d28afc0a1ae21d7f1869b84cd0eb648db01457dd80a7be1de718287"));
    assert_eq!((output.chain_id, output.has_parent), (1, false));
}

#[test]
fn output_is_laid_out() {
    let output = Parts::mainnet().validate().unwrap();
    let bytes = output.bytes();
    assert_eq!(bytes[..32], output.block[..]);
    assert_eq!(bytes[32..64], output.parent[..]);
    assert_eq!(bytes[64..96], output.pre_state[..]);
    assert_eq!(bytes[96..128], output.post_state[..]);
    assert_eq!(bytes[128..], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn other_headers_are_refused() {
    let changes: [(&str, fn(&mut alloy_consensus::Header)); 25] = [
        ("state after the block: ", |h| h.parent_hash.0[0] ^= 1), // a contract stores it
        ("ommers' hash: ", |h| h.ommers_hash.0[31] ^= 1),
        ("it lacks the node ", |h| h.beneficiary.0[0] ^= 1), // the witness has no account for this address
        ("state after the block: ", |h| h.state_root.0[31] ^= 1),
        ("transactions' root: ", |h| h.transactions_root.0[0] ^= 1),
        ("receipts' root: ", |h| h.receipts_root.0[0] ^= 1),
        ("logs' bloom: ", |h| h.logs_bloom = Bloom::ZERO),
        ("difficulty: ", |h| h.difficulty = U256::from(1)),
        ("it lacks the node ", |h| h.number += 1),
        ("gas limit is ", |h| (h.gas_limit, h.gas_used) = (500_000, 400_000)),
        ("gas used: ", |h| h.gas_used -= 1),
        ("gas used: ", |h| h.gas_used = h.gas_limit + 1),
        ("it lacks the node ", |h| h.timestamp += 12), // a contract stores the beacon root by it
        ("before Shanghai", |h| h.timestamp = 1_681_338_454),
        ("the header has it at CANCUN", |h| h.timestamp = 1_740_000_000),
        ("extra data: ", |h| h.extra_data = Bytes::from_static(&[0; 33])),
        ("nonce: ", |h| h.nonce = B64::with_last_byte(1)),
        ("transaction 0: ", |h| h.base_fee_per_gas = Some(u64::MAX)),
        ("header 0: ", |h| h.base_fee_per_gas = None),
        ("withdrawals' root: ", |h| h.withdrawals_root = Some(B256::ZERO)),
        ("blob gas used: ", |h| h.blob_gas_used = Some(1 << 17)),
        ("state after the block: ", |h| h.parent_beacon_block_root = Some(B256::ZERO)),
        ("requests' hash: ", |h| h.requests_hash = Some(B256::ZERO)),
        ("requests' hash: the header lacks it", |h| h.requests_hash = None),
        ("access list's hash: the header has it", |h| h.block_access_list_hash = Some(B256::ZERO)),
    ];
    for (words, change) in changes {
        let mut parts = Parts::mainnet();
        change(&mut parts.header);
        parts.is_refused(words);
    }
}

#[test]
fn other_transactions_are_refused() {
    let changes: [(&str, fn(&mut Vec<Vec<u8>>)); 6] = [
        ("gas used: ", |t| drop(t.pop())),
        ("transaction 40: ", |t| t.push(t[39].clone())), // its nonce is used
        ("transaction 0: 1 bytes after", |t| t[0].push(0)),
        ("transaction 3: ", |t| t[3].truncate(40)),
        ("transaction 1: ", |t| t[1][0] = 0x7f),
        ("", |t| t.swap(0, 39)),
    ];
    for (words, change) in changes {
        let mut parts = Parts::mainnet();
        change(&mut parts.transactions);
        parts.is_refused("transactions' root: ");
        let text = parts.validate().unwrap_err().to_string();
        parts.header.transactions_root = text.split_once("it is ").unwrap().1.parse().unwrap();
        parts.is_refused(words);
    }
}

#[test]
fn other_signatures_are_refused() {
    for (i, words) in [(1, "transaction 7: "), (40, "transaction 7: ")] {
        let mut parts = Parts::mainnet();
        let bytes = &mut parts.transactions[7];
        let n = bytes.len();
        bytes[n - i] ^= 1; // of s, and of r
        let text = parts.validate().unwrap_err().to_string();
        parts.header.transactions_root = text.split_once("it is ").unwrap().1.parse().unwrap();
        parts.is_refused(words);
    }
}

#[test]
fn other_withdrawals_are_refused() {
    let mut parts = Parts::mainnet();
    parts.withdrawals.swap(0, 1);
    parts.is_refused("withdrawals' root: ");
    let mut parts = Parts::mainnet();
    let n = parts.withdrawals[5].len();
    parts.withdrawals[5][n - 1] ^= 1; // the amount
    let text = {
        parts.is_refused("withdrawals' root: ");
        parts.validate().unwrap_err().to_string()
    };
    let computed = text.split_once("it is Some(").unwrap().1.trim_end_matches(')');
    parts.header.withdrawals_root = Some(computed.parse().unwrap());
    parts.is_refused("state after the block: ");
}

#[test]
fn other_witnesses_are_refused() {
    // If a node is missing, the block is refused, or the node was not needed.
    let (mut refused, tried) = (0, 0..864);
    let whole = Parts::mainnet();
    for i in tried.clone().step_by(24) {
        let mut parts = whole.clone();
        let hash = keccak256(parts.nodes.remove(i));
        match parts.validate() {
            Ok(output) => assert_eq!(output, whole.validate().unwrap()),
            Err(e) => {
                assert!(e.to_string().contains(&format!("it lacks the node {hash}")), "{e}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 30, "of 36 nodes that were removed {refused} were needed");

    // An account with another balance is another node.
    let account = whole.nodes.iter().position(|n| n.len() > 100 && n.len() < 120).unwrap();
    let mut parts = whole.clone();
    parts.nodes[account][50] ^= 1;
    parts.is_refused("it lacks the node ");

    for i in (0..whole.codes.len()).filter(|i| !whole.codes[*i].is_empty()) {
        let mut parts = whole.clone();
        parts.codes[i][0] ^= 1;
        parts.is_refused("it lacks the code ");
    }
    let mut parts = whole.clone();
    parts.pre_state = B256::repeat_byte(1);
    parts.is_refused("it lacks the node 0x0101");
}

#[test]
fn other_chains_are_refused() {
    let mut parts = Parts::mainnet();
    parts.chain_id = 5;
    parts.is_refused("chain 5: its forks are not known");
    parts.chain_id = 11_155_111;
    parts.is_refused("transaction 0: ");
}

#[test]
fn other_encodings_are_refused() {
    let whole = Parts::mainnet().bytes();
    for n in [0, 7, 8, 47, 48, 49, 56, 60, 1000, whole.len() - 8, whole.len() - 1] {
        assert!(block::validate(whole[..n].to_vec().leak()).is_err(), "the first {n} bytes are taken");
    }
    let mut longer = whole.clone();
    longer.push(0);
    let refusal = block::validate(longer.leak()).unwrap_err().to_string();
    assert_eq!(refusal, format!("input: 1 bytes after its end at byte {}", whole.len()));
    let mut version = whole.clone();
    version[6] = b'2';
    assert!(block::validate(version.leak()).unwrap_err().to_string().contains("does not begin with"));
}

//! Blocks of a state with one account, at several forks: with blobs, before blobs, and without the contracts that Prague
//! needs.
mod common;
use alloy_consensus::{EthereumTxEnvelope, Header, SignableTransaction, TxEip1559, TxEip4844};
use alloy_eips::eip2718::Encodable2718;
use alloy_primitives::{Address, B256, Signature, TxKind, U256, keccak256};
use common::{Parts, lone_account};
use k256::ecdsa::SigningKey;

const SHANGHAI: u64 = 1_700_000_000;
const CANCUN: u64 = 1_740_000_000;
const OSAKA: u64 = 1_768_000_000;

fn key() -> SigningKey {
    SigningKey::from_slice(&[7; 32]).unwrap()
}

fn signed<T: SignableTransaction<Signature>>(tx: T) -> Vec<u8>
where
    EthereumTxEnvelope<TxEip4844>: From<alloy_consensus::Signed<T>>,
{
    let (signature, id) = key().sign_prehash_recoverable(&tx.signature_hash()[..]).unwrap();
    let [r, s] = [signature.r().to_bytes(), signature.s().to_bytes()].map(|n| U256::from_be_slice(&n));
    EthereumTxEnvelope::from(tx.into_signed(Signature::new(r, s, id.is_y_odd()))).encoded_2718()
}

/// A transaction with n blobs.
fn blobs(n: u8) -> TxEip4844 {
    let hash = |i| B256::with_last_byte(i) | B256::from(U256::from(1) << 248);
    TxEip4844 {
        chain_id: 1,
        gas_limit: 21_000,
        max_fee_per_gas: 100,
        max_priority_fee_per_gas: 1,
        to: Address::repeat_byte(5),
        value: U256::from(3),
        blob_versioned_hashes: (0..n).map(hash).collect(),
        max_fee_per_blob_gas: 10,
        ..Default::default()
    }
}

fn plain() -> TxEip1559 {
    let to = TxKind::Call(Address::repeat_byte(5));
    TxEip1559 { chain_id: 1, gas_limit: 21_000, max_fee_per_gas: 100, to, value: U256::from(3), ..Default::default() }
}

/// A block of some transactions. Its header is valid, except for the fields that depend on their execution.
fn block(timestamp: u64, transactions: Vec<Vec<u8>>) -> Parts {
    let sender = Address::from_slice(&keccak256(&key().verifying_key().to_encoded_point(false).as_bytes()[1..])[12..]);
    let account = alloy_trie::TrieAccount { balance: U256::from(10).pow(U256::from(18)), ..Default::default() };
    let (node, pre_state) = lone_account(sender, account);
    let cancun = timestamp >= CANCUN;
    let header = Header {
        number: 20_000_000,
        timestamp,
        gas_limit: 30_000_000,
        base_fee_per_gas: Some(7),
        withdrawals_root: Some(alloy_trie::EMPTY_ROOT_HASH),
        blob_gas_used: cancun.then_some(0),
        excess_blob_gas: cancun.then_some(0),
        parent_beacon_block_root: cancun.then_some(B256::ZERO),
        requests_hash: (timestamp >= OSAKA).then_some(B256::ZERO),
        ..Default::default()
    };
    Parts {
        chain_id: 1,
        pre_state,
        header,
        ancestors: vec![],
        transactions,
        withdrawals: vec![],
        nodes: vec![node],
        codes: vec![],
    }
}

#[test]
fn blobs_are_paid_and_counted() {
    let mut parts = block(CANCUN, vec![signed(blobs(3)), signed(TxEip4844 { nonce: 1, ..blobs(3) })]);
    parts.settle();
    let output = parts.validate().unwrap();
    assert_eq!(parts.header.blob_gas_used, Some(6 << 17));
    assert_ne!(output.pre_state, output.post_state);
    for wrong in [0, 5 << 17, 7 << 17] {
        parts.header.blob_gas_used = Some(wrong);
        parts.is_refused("blob gas used: ");
    }
}

#[test]
fn wrong_blobs_are_refused() {
    let of_other_version = TxEip4844 { blob_versioned_hashes: vec![B256::ZERO], ..blobs(0) };
    let cheap = TxEip4844 { max_fee_per_blob_gas: 0, ..blobs(1) };
    for (words, timestamp, all) in [
        ("transaction 0: ", CANCUN, vec![blobs(0)]),
        ("transaction 0: ", CANCUN, vec![of_other_version]),
        ("transaction 0: ", CANCUN, vec![cheap]),
        ("transaction 0: ", CANCUN, vec![blobs(7)]),
        ("blobs: 7, at most 6", CANCUN, vec![blobs(6), TxEip4844 { nonce: 1, ..blobs(1) }]),
        ("transaction 0: ", SHANGHAI, vec![blobs(1)]),
    ] {
        let mut parts = block(timestamp, all.into_iter().map(signed).collect());
        if words.starts_with("blobs") {
            parts.header.blob_gas_used = Some(7 << 17);
        }
        let refusal = loop {
            let text = parts.validate().unwrap_err().to_string();
            let Some((name, values)) = text.split_once(": the block says ") else { break text };
            let computed = values.split_once("it is ").unwrap().1;
            match name {
                "transactions' root" => parts.header.transactions_root = computed.parse().unwrap(),
                "gas used" => parts.header.gas_used = computed.parse().unwrap(),
                _ => break text,
            }
        };
        assert!(refusal.contains(words), "refused: {refusal}; it should be: {words}");
    }
}

#[test]
fn shanghai_is_valid() {
    let mut parts = block(SHANGHAI, vec![signed(plain())]);
    parts.settle();
    parts.validate().unwrap();
    parts.header.excess_blob_gas = Some(0);
    parts.header.blob_gas_used = Some(0);
    parts.is_refused("blob gas used: the header has it at SHANGHAI");
}

#[test]
fn transactions_are_for_their_chain_and_in_order() {
    for (words, tx) in [
        ("transaction 0: ", TxEip1559 { chain_id: 17_000, ..plain() }),
        ("transaction 0: ", TxEip1559 { nonce: 1, ..plain() }),
        ("transaction 0: ", TxEip1559 { max_fee_per_gas: 6, ..plain() }), // the base fee is 7
        ("transaction 0: ", TxEip1559 { gas_limit: 20_999, ..plain() }),
        ("transaction 0: ", TxEip1559 { value: U256::MAX, ..plain() }),
        ("its gas limit is 30000001, and 30000000 are left", TxEip1559 { gas_limit: 30_000_001, ..plain() }),
    ] {
        let mut parts = block(SHANGHAI, vec![signed(tx)]);
        let text = parts.validate().unwrap_err().to_string();
        parts.header.transactions_root = text.split_once("it is ").unwrap().1.parse().unwrap();
        parts.is_refused(words);
    }
}

/// A value of s in the upper half gives the same signer, but is not allowed in transactions (EIP-2).
#[test]
fn high_signatures_are_refused() {
    let tx = plain();
    let (signature, id) = key().sign_prehash_recoverable(&tx.signature_hash()[..]).unwrap();
    let [r, s] = [signature.r().to_bytes(), signature.s().to_bytes()].map(|n| U256::from_be_slice(&n));
    let order = U256::from_str_radix("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16).unwrap();
    let high = Signature::new(r, order - s, !id.is_y_odd());
    let encoded = EthereumTxEnvelope::<TxEip4844>::from(tx.into_signed(high)).encoded_2718();
    let mut parts = block(SHANGHAI, vec![encoded]);
    let text = parts.validate().unwrap_err().to_string();
    parts.header.transactions_root = text.split_once("it is ").unwrap().1.parse().unwrap();
    parts.is_refused("transaction 0: its signature has no signer");
}

#[test]
fn osaka_needs_its_contracts() {
    let mut parts = block(OSAKA, vec![]);
    parts.header.receipts_root = alloy_trie::EMPTY_ROOT_HASH;
    parts.header.transactions_root = alloy_trie::EMPTY_ROOT_HASH;
    parts.is_refused("requests: there is no contract at 0x00000961Ef480Eb55e80D19ad83579A64c007002");
}

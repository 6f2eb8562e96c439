//! Requests to the consensus layer (EIP-7685): deposits from logs, withdrawals and consolidations from contracts.
use crate::{Refusal, refusal::refuse};
use alloy_eips::{
    eip7002::WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS, eip7251::CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS,
};
use alloy_primitives::{Address, B256, Log, b256};
use revm::precompile::crypto;

/// The contracts that are called after the last transaction, with the types of the requests that they return.
pub const CONTRACTS: [(u8, Address); 2] =
    [(1, WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS), (2, CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS)];

/// DepositEvent(bytes,bytes,bytes,bytes,bytes).
const DEPOSIT_EVENT: B256 = b256!("649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5");

/// A deposit's fields, with the offsets that EIP-6110 requires: key, credentials, amount, signature, index.
const FIELDS: [(usize, usize); 5] = [(160, 48), (256, 32), (320, 8), (384, 96), (512, 8)];

/// Appends the deposits in a contract's logs.
pub fn deposits(logs: &[Log], contract: Address, to: &mut Vec<u8>) -> Result<(), Refusal> {
    for log in logs {
        if log.address != contract || log.topics().first() != Some(&DEPOSIT_EVENT) {
            continue;
        }
        let data = &log.data.data;
        let word = |at: usize| B256::from_slice(&data[at..at + 32]);
        let is = |at, n: usize| word(at) == B256::left_padding_from(&n.to_be_bytes());
        if data.len() != 576 || !FIELDS.iter().enumerate().all(|(i, (at, n))| is(32 * i, *at) && is(*at, *n)) {
            refuse!("requests: a deposit's event has another layout than EIP-6110's");
        }
        FIELDS.iter().for_each(|(at, n)| to.extend_from_slice(&data[at + 32..at + 32 + n]));
    }
    Ok(())
}

/// The hash of requests by type, without types that have no requests.
pub fn hash(by_type: &[(u8, Vec<u8>)]) -> B256 {
    let mut hashes = vec![];
    for (kind, data) in by_type.iter().filter(|(_, data)| !data.is_empty()) {
        hashes.extend_from_slice(&crypto().sha256(&[&[*kind], &data[..]].concat()));
    }
    B256::from(crypto().sha256(&hashes))
}

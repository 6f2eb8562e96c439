//! Transactions: decoded, with their senders.
use crate::{Refusal, refusal::refuse};
use alloy_consensus::{EthereumTxEnvelope, Transaction, TxEip4844, Typed2718, crypto::SECP256K1N_HALF};
use alloy_eips::{Decodable2718, eip7702::{RecoveredAuthority, RecoveredAuthorization, SignedAuthorization}};
use alloy_primitives::{Address, B256, U256};
use revm::{context::TxEnv, context_interface::either::Either, precompile::crypto};

type Envelope = EthereumTxEnvelope<TxEip4844>;

/// Decodes a transaction for revm.
pub fn read(i: usize, mut bytes: &[u8]) -> Result<TxEnv, Refusal> {
    let tx = match Envelope::decode_2718(&mut bytes) {
        Ok(tx) if bytes.is_empty() => tx,
        Ok(_) => refuse!("transaction {i}: {} bytes after its end", bytes.len()),
        Err(e) => refuse!("transaction {i}: {e}"),
    };
    let s = tx.signature();
    let Some(caller) = signer(tx.signature_hash(), s.r(), s.s(), s.v() as u8) else {
        refuse!("transaction {i}: its signature has no signer");
    };
    let authorizations = tx.authorization_list().unwrap_or_default();
    Ok(TxEnv {
        tx_type: tx.ty(),
        caller,
        gas_limit: tx.gas_limit(),
        gas_price: tx.max_fee_per_gas(),
        kind: tx.kind(),
        value: tx.value(),
        data: tx.input().clone(),
        nonce: tx.nonce(),
        chain_id: tx.chain_id(),
        access_list: tx.access_list().cloned().unwrap_or_default(),
        gas_priority_fee: tx.max_priority_fee_per_gas(),
        blob_hashes: tx.blob_versioned_hashes().unwrap_or_default().to_vec(),
        max_fee_per_blob_gas: tx.max_fee_per_blob_gas().unwrap_or_default(),
        authorization_list: authorizations.iter().map(|a| Either::Right(recover(a))).collect(),
    })
}

/// The address whose key signed a hash. Values of s in the upper half are refused (EIP-2).
fn signer(hash: B256, r: U256, s: U256, parity: u8) -> Option<Address> {
    if s > SECP256K1N_HALF || parity > 1 {
        return None;
    }
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r.to_be_bytes::<32>());
    signature[32..].copy_from_slice(&s.to_be_bytes::<32>());
    let address = crypto().secp256k1_ecrecover(&signature, parity, &hash.0).ok()?;
    Some(Address::from_slice(&address[12..]))
}

/// An authorization of EIP-7702 with its signer. The transaction skips an authorization without a signer.
fn recover(a: &SignedAuthorization) -> RecoveredAuthorization {
    let authority = match signer(a.signature_hash(), a.r(), a.s(), a.y_parity()) {
        Some(address) => RecoveredAuthority::Valid(address),
        None => RecoveredAuthority::Invalid,
    };
    RecoveredAuthorization::new_unchecked(a.inner().clone(), authority)
}

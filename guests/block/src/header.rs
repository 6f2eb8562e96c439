//! Checks of the block's header, alone and against its parent's.
use crate::{
    Refusal,
    chain::Rules,
    refusal::{must_equal, refuse},
};
use alloy_consensus::{EMPTY_OMMER_ROOT_HASH, Header};
use alloy_eips::eip1559::BaseFeeParams;
use alloy_primitives::{B64, B256, U256, keccak256};
use alloy_rlp::Decodable;
use revm::primitives::hardfork::SpecId;

/// The block's header, and its ancestors' hashes.
pub struct Ancestry {
    pub header: Header,
    pub hash: B256,
    pub parent: Option<Header>,
    /// Hashes of ancestors, the parent's first: one for each header of the input.
    pub hashes: Vec<B256>,
}

/// Decodes headers and checks that each is the parent of the previous one.
pub fn read(encoded: &[&[u8]]) -> Result<Ancestry, Refusal> {
    let mut headers = vec![];
    for (i, mut bytes) in encoded.iter().copied().enumerate() {
        match Header::decode(&mut bytes) {
            Ok(header) if bytes.is_empty() => headers.push(header),
            Ok(_) => refuse!("header {i}: {} bytes after its end", bytes.len()),
            Err(e) => refuse!("header {i}: {e}"),
        }
    }
    if headers.is_empty() || headers.len() > 257 {
        refuse!("{} headers: there are the block's, its parent's and at most 255 older ones", headers.len());
    }
    let hashes: Vec<B256> = headers.iter().map(|h| h.parent_hash).collect();
    for (i, said) in hashes[..headers.len() - 1].iter().enumerate() {
        must_equal!(*said, keccak256(encoded[i + 1]), "parent of header {i}");
        must_equal!(headers[i].number, headers[i + 1].number.saturating_add(1), "number of header {i}");
    }
    let mut headers = headers.into_iter();
    Ok(Ancestry { header: headers.next().unwrap(), hash: keccak256(encoded[0]), parent: headers.next(), hashes })
}

/// Checks the rules for a header alone.
pub fn check(h: &Header, rules: &Rules) -> Result<(), Refusal> {
    must_equal!(h.ommers_hash, EMPTY_OMMER_ROOT_HASH, "ommers' hash");
    must_equal!(h.difficulty, U256::ZERO, "difficulty");
    must_equal!(h.nonce, B64::ZERO, "nonce");
    if h.extra_data.len() > 32 {
        refuse!("extra data: {} bytes, at most 32", h.extra_data.len());
    }
    if h.gas_used > h.gas_limit {
        refuse!("gas used: {} of at most {}", h.gas_used, h.gas_limit);
    }
    let (cancun, prague) = (rules.has(SpecId::CANCUN), rules.has(SpecId::PRAGUE));
    let fields = [
        ("base fee", h.base_fee_per_gas.is_some(), true),
        ("withdrawals' root", h.withdrawals_root.is_some(), true),
        ("blob gas used", h.blob_gas_used.is_some(), cancun),
        ("excess blob gas", h.excess_blob_gas.is_some(), cancun),
        ("parent's beacon root", h.parent_beacon_block_root.is_some(), cancun),
        ("requests' hash", h.requests_hash.is_some(), prague),
        ("access list's hash", h.block_access_list_hash.is_some(), false),
        ("slot number", h.slot_number.is_some(), false),
    ];
    for (name, has, should) in fields {
        if has != should {
            refuse!("{name}: the header {} it at {:?}", if has { "has" } else { "lacks" }, rules.spec);
        }
    }
    Ok(())
}

/// Checks the rules that relate a header to its parent's.
pub fn check_after(h: &Header, parent: &Header, rules: &Rules) -> Result<(), Refusal> {
    if h.timestamp <= parent.timestamp {
        refuse!("timestamp: {} after a parent of {}", h.timestamp, parent.timestamp);
    }
    if h.gas_limit.abs_diff(parent.gas_limit) >= parent.gas_limit / 1024 || h.gas_limit < 5000 {
        refuse!("gas limit: {} after a parent's of {}", h.gas_limit, parent.gas_limit);
    }
    must_equal!(h.base_fee_per_gas, parent.next_block_base_fee(BaseFeeParams::ethereum()), "base fee");
    if let Some(blobs) = rules.blobs {
        let excess = blobs.next_block_excess_blob_gas_osaka(
            parent.excess_blob_gas.unwrap_or(0), // a parent of Shanghai has none
            parent.blob_gas_used.unwrap_or(0),
            parent.base_fee_per_gas.unwrap_or(0),
        );
        must_equal!(h.excess_blob_gas, Some(excess), "excess blob gas");
    }
    Ok(())
}

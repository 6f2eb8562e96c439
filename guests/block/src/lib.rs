//! Validates an Ethereum block from its witness alone: docs/guide/block.md defines the statement.
mod chain;
mod execute;
mod header;
mod input;
mod ordered;
mod path;
mod receipts;
mod refusal;
mod requests;
mod rlp;
mod state;
#[cfg(test)]
mod tests;
mod transactions;
mod trie;

pub use input::Input;
pub use refusal::Refusal;

use alloy_eips::eip4895::Withdrawal;
use alloy_primitives::B256;
use alloy_rlp::{Decodable, Encodable};
use chain::Rules;
use refusal::{must_equal, refuse};
use revm::primitives::hardfork::SpecId;

/// The statement about a valid block.
#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub block: B256,
    pub parent: B256,
    pub pre_state: B256,
    pub post_state: B256,
    pub chain_id: u64,
    /// Whether the input has the parent's header. If not, pre_state may differ from the parent's state, and the rules
    /// that relate a header to its parent's were not checked.
    pub has_parent: bool,
}

impl Output {
    pub fn bytes(&self) -> [u8; 144] {
        let mut bytes = [0; 144];
        let hashes = [self.block, self.parent, self.pre_state, self.post_state];
        bytes.chunks_exact_mut(32).zip(hashes).for_each(|(to, hash)| to.copy_from_slice(&hash[..]));
        bytes[128..136].copy_from_slice(&self.chain_id.to_le_bytes());
        bytes[136] = self.has_parent as u8;
        bytes
    }
}

/// Validates the block of an input.
pub fn validate(input: &[u8]) -> Result<Output, Refusal> {
    let input = Input::read(input)?;
    let header::Ancestry { header: h, hash, parent, hashes } = header::read(&input.headers)?;
    let rules = Rules::at(input.chain_id, h.timestamp)?;
    header::check(&h, &rules)?;
    if let Some(parent) = &parent {
        must_equal!(input.pre_state, parent.state_root, "state before the block");
        header::check_after(&h, parent, &rules)?;
    }
    must_equal!(h.transactions_root, ordered::root(&input.transactions)?, "transactions' root");
    must_equal!(h.withdrawals_root, Some(ordered::root(&input.withdrawals)?), "withdrawals' root");
    check_size(&h, &rules, &input)?;
    let withdrawals = withdrawals(&input.withdrawals)?;

    let has_parent = parent.is_some();
    let state = state::State::new(input.pre_state, &input.nodes, &input.codes, h.number, hashes);
    let (mut state, changed) = execute::run(&h, &rules, state, &input.transactions, &withdrawals)?;
    must_equal!(h.state_root, state.after(changed)?, "state after the block");
    Ok(Output {
        block: hash,
        parent: h.parent_hash,
        pre_state: input.pre_state,
        post_state: h.state_root,
        chain_id: input.chain_id,
        has_parent,
    })
}

fn withdrawals(encoded: &[&[u8]]) -> Result<Vec<Withdrawal>, Refusal> {
    let mut all = Vec::with_capacity(encoded.len());
    for (i, mut bytes) in encoded.iter().copied().enumerate() {
        match Withdrawal::decode(&mut bytes) {
            Ok(w) if bytes.is_empty() => all.push(w),
            Ok(_) => refuse!("withdrawal {i}: {} bytes after its end", bytes.len()),
            Err(e) => refuse!("withdrawal {i}: {e}"),
        }
    }
    Ok(all)
}

/// The maximum size of a block in bytes since Osaka (EIP-7934).
const MOST_BYTES: usize = 8 << 20;

fn check_size(h: &alloy_consensus::Header, rules: &Rules, input: &Input<'_>) -> Result<(), Refusal> {
    let list = |n: usize| rlp::head_length(n) + n;
    // A typed transaction is a string in the block's list, and an untyped one is a list.
    let transaction = |t: &&[u8]| if t[0] < 0xc0 { list(t.len()) } else { t.len() };
    let transactions = list(input.transactions.iter().map(transaction).sum());
    let withdrawals = list(input.withdrawals.iter().map(|w| w.len()).sum());
    let size = list(h.length() + transactions + 1 + withdrawals);
    if rules.has(SpecId::OSAKA) && size > MOST_BYTES {
        refuse!("block: {size} bytes, at most {MOST_BYTES}");
    }
    Ok(())
}

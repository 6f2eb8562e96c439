//! Receipts and their blooms.
use alloy_primitives::{Bloom, BloomInput, Log, keccak256, map::HashMap};
use alloy_rlp::{BufMut, Encodable, Header};

/// Bits that addresses and topics set in a bloom. Many occur in several logs, so each is hashed once.
#[derive(Default)]
pub struct Blooms {
    topics: HashMap<[u8; 32], Bloom>,
    addresses: HashMap<[u8; 20], Bloom>,
}

impl Blooms {
    pub fn of(&mut self, logs: &[Log]) -> Bloom {
        let bits = |bytes: &[u8]| Bloom::from(BloomInput::Hash(keccak256(bytes)));
        let mut all = Bloom::ZERO;
        for log in logs {
            all |= *self.addresses.entry(log.address.0.0).or_insert_with_key(|a| bits(a));
            for topic in log.topics() {
                all |= *self.topics.entry(topic.0).or_insert_with_key(|t| bits(t));
            }
        }
        all
    }
}

/// The encoding of a receipt in the trie of receipts.
pub fn encode(kind: u8, success: bool, cumulative_gas: u64, bloom: &Bloom, logs: &[Log]) -> Vec<u8> {
    let payload = success.length() + cumulative_gas.length() + bloom.length() + alloy_rlp::list_length(logs);
    let mut out = Vec::with_capacity(payload + 10);
    if kind != 0 {
        out.put_u8(kind);
    }
    Header { list: true, payload_length: payload }.encode(&mut out);
    success.encode(&mut out);
    cumulative_gas.encode(&mut out);
    bloom.encode(&mut out);
    alloy_rlp::encode_list(logs, &mut out);
    out
}

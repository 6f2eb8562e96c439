//! Inputs as bytes, and blocks whose fields are adjusted to be valid.
#![allow(dead_code)] // each test program uses a part
use alloy_consensus::Header;
use alloy_primitives::{B256, keccak256};
use alloy_rlp::Decodable;
use block::{Input, Output, Refusal, validate};

/// An input whose parts can be changed.
#[derive(Clone)]
pub struct Parts {
    pub chain_id: u64,
    pub pre_state: B256,
    pub header: Header,
    /// The parent's header and older ones'.
    pub ancestors: Vec<Header>,
    pub transactions: Vec<Vec<u8>>,
    pub withdrawals: Vec<Vec<u8>>,
    pub nodes: Vec<Vec<u8>>,
    pub codes: Vec<Vec<u8>>,
}

impl Parts {
    pub fn mainnet() -> Parts {
        let bytes = include_bytes!("../../testdata/mainnet-23587691.bin");
        let input = Input::read(bytes).unwrap();
        let owned = |list: Vec<&[u8]>| list.into_iter().map(|b| b.to_vec()).collect();
        let parts = Parts {
            chain_id: input.chain_id,
            pre_state: input.pre_state,
            header: Header::decode(&mut &input.headers[0][..]).unwrap(),
            ancestors: vec![],
            transactions: owned(input.transactions),
            withdrawals: owned(input.withdrawals),
            nodes: owned(input.nodes),
            codes: owned(input.codes),
        };
        assert_eq!(parts.bytes(), bytes);
        parts
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"block 1\n".to_vec();
        out.extend_from_slice(&self.chain_id.to_le_bytes());
        out.extend_from_slice(&self.pre_state[..]);
        let headers = [vec![self.header.clone()], self.ancestors.clone()].concat();
        let headers = headers.iter().map(alloy_rlp::encode).collect::<Vec<_>>();
        for list in [&headers, &self.transactions, &self.withdrawals, &self.nodes, &self.codes] {
            out.extend_from_slice(&(list.len() as u64).to_le_bytes());
            for bytes in list {
                out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                out.extend_from_slice(bytes);
                out.resize(out.len().next_multiple_of(8), 0);
            }
        }
        out
    }

    pub fn validate(&self) -> Result<Output, Refusal> {
        validate(self.bytes().leak()) // the trie also keeps its bytes until the end
    }

    /// Requires a refusal whose text contains the given words.
    #[track_caller]
    pub fn is_refused(&self, words: &str) {
        match self.validate() {
            Ok(output) => panic!("it is valid: {output:?}; it should be refused: {words}"),
            Err(e) => assert!(e.to_string().contains(words), "refused: {e}; it should be: {words}"),
        }
    }

    /// Adds a parent that makes this header's fields valid, and sets the state after the block, which depends on the
    /// parent's hash.
    pub fn put_parent(&mut self) {
        let h = &mut self.header;
        let parent = Header {
            number: h.number - 1,
            timestamp: h.timestamp - 12,
            state_root: self.pre_state,
            gas_used: h.gas_limit / 2,
            blob_gas_used: h.blob_gas_used.map(|_| 6 << 17), // the target since Prague
            ..h.clone()
        };
        h.parent_hash = parent.hash_slow();
        self.ancestors = vec![parent];
        self.settle();
    }

    /// Sets fields in the header to the values that refusals name.
    pub fn settle(&mut self) {
        for _ in 0..8 {
            let Err(refusal) = self.validate() else { return };
            let text = refusal.to_string();
            let Some((name, values)) = text.split_once(": the block says ") else { panic!("{text}") };
            let computed = values.split_once("and it is ").unwrap().1;
            let h = &mut self.header;
            match name {
                "state after the block" => h.state_root = computed.parse().unwrap(),
                "receipts' root" => h.receipts_root = computed.parse().unwrap(),
                "transactions' root" => h.transactions_root = computed.parse().unwrap(),
                "gas used" => h.gas_used = computed.parse().unwrap(),
                "blob gas used" => h.blob_gas_used = Some(computed.parse().unwrap()),
                _ => panic!("{text}"),
            }
        }
        panic!("the header does not settle");
    }
}

/// The node of a trie that holds one account, and its hash.
pub fn lone_account(address: alloy_primitives::Address, account: alloy_trie::TrieAccount) -> (Vec<u8>, B256) {
    let path = [&[0x20], &keccak256(address)[..]].concat();
    let node = alloy_rlp::encode(vec![
        alloy_primitives::Bytes::from(path),
        alloy_primitives::Bytes::from(alloy_rlp::encode(account)),
    ]);
    let hash = keccak256(&node);
    (node, hash)
}

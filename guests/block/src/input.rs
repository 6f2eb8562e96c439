//! The input's encoding: docs/guide/block.md.
use crate::{Refusal, refusal::refuse};
use alloy_primitives::B256;

/// The first word of an input, which includes the version of its encoding: "block 1\n".
const MAGIC: u64 = u64::from_le_bytes(*b"block 1\n");

/// A block and its witness, split into parts that remain encoded. Nothing is copied.
pub struct Input<'a> {
    pub chain_id: u64,
    /// The state that the block begins with, by its root.
    pub pre_state: B256,
    /// The block's header, its parent's, and headers of older ancestors without a gap.
    pub headers: Vec<&'a [u8]>,
    pub transactions: Vec<&'a [u8]>,
    pub withdrawals: Vec<&'a [u8]>,
    /// Nodes of the state's tries and contracts' code, in any order.
    pub nodes: Vec<&'a [u8]>,
    pub codes: Vec<&'a [u8]>,
}

struct Reader<'a> {
    all: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Refusal> {
        let Some((taken, rest)) = self.rest.split_at_checked(n) else {
            refuse!("input: {n} bytes at byte {} of {}: the input is cut off", self.at(), self.all.len());
        };
        self.rest = rest;
        Ok(taken)
    }

    fn at(&self) -> usize {
        self.all.len() - self.rest.len()
    }

    fn word(&mut self) -> Result<u64, Refusal> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().unwrap()))
    }

    /// Reads a length and as many bytes, padded to a multiple of eight, so that hashed data begins at a word of memory.
    fn bytes(&mut self) -> Result<&'a [u8], Refusal> {
        let n = self.word()? as usize;
        let bytes = self.take(n)?;
        if self.take(n.wrapping_neg() & 7)?.iter().any(|b| *b != 0) {
            refuse!("input: the padding before byte {} is not zero", self.at());
        }
        Ok(bytes)
    }

    fn list(&mut self) -> Result<Vec<&'a [u8]>, Refusal> {
        let n = self.word()? as usize;
        if n > self.rest.len() / 8 {
            refuse!("input: a list of {n} parts at byte {} of {}", self.at() - 8, self.all.len());
        }
        (0..n).map(|_| self.bytes()).collect()
    }
}

impl<'a> Input<'a> {
    pub fn read(all: &'a [u8]) -> Result<Input<'a>, Refusal> {
        let mut r = Reader { all, rest: all };
        if r.word()? != MAGIC {
            refuse!("input: it does not begin with \"block 1\": prover block convert writes such inputs");
        }
        let input = Input {
            chain_id: r.word()?,
            pre_state: B256::from_slice(r.take(32)?),
            headers: r.list()?,
            transactions: r.list()?,
            withdrawals: r.list()?,
            nodes: r.list()?,
            codes: r.list()?,
        };
        if !r.rest.is_empty() {
            refuse!("input: {} bytes after its end at byte {}", r.rest.len(), r.at());
        }
        Ok(input)
    }
}

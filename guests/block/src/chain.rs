//! The rules that hold at a time on a chain.
use crate::{Refusal, refusal::refuse};
use alloy_eips::eip7840::BlobParams;
use alloy_primitives::{Address, address};
use revm::primitives::hardfork::SpecId;

/// The timestamps of forks' first blocks, and the contract for validators' deposits.
struct Chain {
    id: u64,
    shanghai: u64,
    cancun: u64,
    prague: u64,
    osaka: u64,
    more_blobs: [u64; 2],
    deposits: Address,
}

const CHAINS: [Chain; 4] = [
    Chain {
        id: 1, // mainnet
        shanghai: 1_681_338_455,
        cancun: 1_710_338_135,
        prague: 1_746_612_311,
        osaka: 1_764_798_551,
        more_blobs: [1_765_290_071, 1_767_747_671],
        deposits: address!("0x00000000219ab540356cBB839Cbe05303d7705Fa"),
    },
    Chain {
        id: 11_155_111, // Sepolia
        shanghai: 1_677_557_088,
        cancun: 1_706_655_072,
        prague: 1_741_159_776,
        osaka: 1_760_427_360,
        more_blobs: [1_761_017_184, 1_761_607_008],
        deposits: address!("0x7f02C3E3c98b133055B8B348B2Ac625669Ed295D"),
    },
    Chain {
        id: 17_000, // Holesky
        shanghai: 1_696_000_704,
        cancun: 1_707_305_664,
        prague: 1_740_434_112,
        osaka: 1_759_308_480,
        more_blobs: [1_759_800_000, 1_760_389_824],
        deposits: address!("0x4242424242424242424242424242424242424242"),
    },
    Chain {
        id: 560_048, // Hoodi
        shanghai: 0,
        cancun: 0,
        prague: 1_742_999_832,
        osaka: 1_761_677_592,
        more_blobs: [1_762_365_720, 1_762_955_544],
        deposits: address!("0x00000000219ab540356cBB839Cbe05303d7705Fa"),
    },
];

/// The rules for a block.
#[derive(Debug)]
pub struct Rules {
    pub chain_id: u64,
    pub spec: SpecId,
    /// None before Cancun.
    pub blobs: Option<BlobParams>,
    pub deposits: Address,
}

impl Rules {
    pub fn at(chain_id: u64, timestamp: u64) -> Result<Rules, Refusal> {
        let Some(c) = CHAINS.iter().find(|c| c.id == chain_id) else {
            refuse!("chain {chain_id}: its forks are not known; known are {:?}", CHAINS.map(|c| c.id));
        };
        if timestamp < c.shanghai {
            refuse!("timestamp {timestamp}: blocks of chain {chain_id} before Shanghai ({}) are not validated", c.shanghai);
        }
        let since = |fork: u64| timestamp >= fork;
        let (spec, blobs) = match () {
            _ if since(c.more_blobs[1]) => (SpecId::OSAKA, Some(BlobParams::bpo2())),
            _ if since(c.more_blobs[0]) => (SpecId::OSAKA, Some(BlobParams::bpo1())),
            _ if since(c.osaka) => (SpecId::OSAKA, Some(BlobParams::osaka())),
            _ if since(c.prague) => (SpecId::PRAGUE, Some(BlobParams::prague())),
            _ if since(c.cancun) => (SpecId::CANCUN, Some(BlobParams::cancun())),
            _ => (SpecId::SHANGHAI, None),
        };
        Ok(Rules { chain_id, spec, blobs, deposits: c.deposits })
    }

    pub fn has(&self, fork: SpecId) -> bool {
        self.spec.is_enabled_in(fork)
    }
}

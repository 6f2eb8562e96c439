//! Crate sha2 for guests, with sha2's interface. SHA-256 and SHA-224 use the accelerator of SHA-256's compression;
//! SHA-512 and its variants are computed.
#![no_std]

pub use digest::{self, Digest};

mod sha256;
mod sha512;

#[cfg(feature = "compress")]
pub use sha256::compress256;
#[cfg(feature = "compress")]
pub use sha512::compress512;

use core::fmt;
use digest::block_buffer::Eager;
use digest::core_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreWrapper, FixedOutputCore, OutputSizeUser, Reset,
    UpdateCore,
};
use digest::{HashMarker, Output, consts::{U28, U32, U48, U64, U128}};

macro_rules! hash {
    ($core:ident, $hash:ident, $of:ident, $block:ty, $size:ty, $oid:literal, $first:expr) => {
        /// The state of the hash.
        #[derive(Clone)]
        pub struct $core {
            state: $of::State,
            blocks: u64,
        }

        /// The hash.
        pub type $hash = CoreWrapper<$core>;

        impl Default for $core {
            fn default() -> Self {
                Self { state: $of::state($first), blocks: 0 }
            }
        }

        impl Reset for $core {
            fn reset(&mut self) {
                *self = Self::default();
            }
        }

        impl HashMarker for $core {}

        impl BlockSizeUser for $core {
            type BlockSize = $block;
        }

        impl BufferKindUser for $core {
            type BufferKind = Eager;
        }

        impl OutputSizeUser for $core {
            type OutputSize = $size;
        }

        impl UpdateCore for $core {
            #[inline]
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                self.blocks += blocks.len() as u64;
                $of::compress(&mut self.state, blocks);
            }
        }

        impl FixedOutputCore for $core {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                let bytes = buffer.get_pos() as u64 + size_of::<Block<Self>>() as u64 * self.blocks;
                $of::pad(&mut self.state, buffer, 8 * bytes);
                $of::write(&self.state, out);
            }
        }

        impl AlgorithmName for $core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($hash))
            }
        }

        impl fmt::Debug for $core {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($core), " { ... }"))
            }
        }

        #[cfg(feature = "oid")]
        impl digest::const_oid::AssociatedOid for $core {
            const OID: digest::const_oid::ObjectIdentifier = digest::const_oid::ObjectIdentifier::new_unwrap($oid);
        }
    };
}

hash!(Sha256Core, Sha256, sha256, U64, U32, "2.16.840.1.101.3.4.2.1", [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
hash!(Sha224Core, Sha224, sha256, U64, U28, "2.16.840.1.101.3.4.2.4", [
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
]);
hash!(Sha512Core, Sha512, sha512, U128, U64, "2.16.840.1.101.3.4.2.3", SHA512);
hash!(Sha384Core, Sha384, sha512, U128, U48, "2.16.840.1.101.3.4.2.2", SHA384);
hash!(Sha512_224Core, Sha512_224, sha512, U128, U28, "2.16.840.1.101.3.4.2.5", SHA512_224);
hash!(Sha512_256Core, Sha512_256, sha512, U128, U32, "2.16.840.1.101.3.4.2.6", SHA512_256);

// The first states (FIPS 180-4, section 5.3).
const SHA512: [u64; 8] = [
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
];
const SHA384: [u64; 8] = [
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
];
const SHA512_224: [u64; 8] = [
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1,
];
const SHA512_256: [u64; 8] = [
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
];

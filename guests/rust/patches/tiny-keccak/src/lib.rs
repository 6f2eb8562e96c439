//! Crate tiny-keccak for guests, with tiny-keccak's interface: Keccak, SHA-3 and SHAKE with accelerators. Hashes with
//! blocks of 136 bytes (Keccak-256, SHA3-256, SHAKE256) use only the one for steps of the sponge, other hashes and
//! keccakf the one for Keccak-f[1600]: a proof pays for the tables of both if a program uses both.
#![no_std]

#[cfg(any(feature = "cshake", feature = "k12"))]
compile_error!("tiny-keccak's features cshake, kmac, tuple_hash, parallel_hash, sp800 and k12 have no patch: build without it");

use chiasmus_guest::calls::{KECCAK_RATE, ZERO_BLOCK, keccak_absorb, keccak_absorb_words, keccak_f};

/// A hash.
pub trait Hasher {
    /// Absorbs more of the message.
    fn update(&mut self, input: &[u8]);

    /// Fills output with the digest.
    fn finalize(self, output: &mut [u8]);
}

/// A hash of any length.
pub trait Xof {
    /// Fills output with the next part of the digest.
    fn squeeze(&mut self, output: &mut [u8]);
}

/// A hash that becomes a hash of any length.
pub trait IntoXof {
    type Xof: Xof;

    fn into_xof(self) -> Self::Xof;
}

/// Keccak-f[1600].
#[inline]
pub fn keccakf(state: &mut [u64; 25]) {
    keccak_f(state)
}

/// A sponge with a capacity of twice the digest.
#[derive(Clone)]
struct Sponge {
    state: [u64; 25],
    rate: usize,
    /// Bytes absorbed since the last permutation, fewer than rate.
    at: usize,
}

impl Sponge {
    fn new(digest_bits: usize) -> Self {
        Self { state: [0; 25], rate: 200 - digest_bits / 4, at: 0 }
    }

    fn xor(&mut self, at: usize, byte: u8) {
        self.state[at / 8] ^= (byte as u64) << (8 * (at % 8));
    }

    fn permute(&mut self) {
        if self.rate == KECCAK_RATE {
            keccak_absorb_words(&mut self.state, &ZERO_BLOCK);
        } else {
            keccakf(&mut self.state);
        }
        self.at = 0;
    }

    fn absorbed(&mut self, bytes: usize) {
        self.at += bytes;
        if self.at == self.rate {
            self.permute();
        }
    }

    fn update(&mut self, mut input: &[u8]) {
        while !input.is_empty() {
            if self.at == 0
                && self.rate == KECCAK_RATE
                && let Some((block, rest)) = input.split_first_chunk()
            {
                keccak_absorb(&mut self.state, block);
                input = rest;
                continue;
            }
            let n;
            if self.at % 8 == 0 && input.len() >= 8 { // rates are whole words
                n = 8 * (input.len() / 8).min((self.rate - self.at) / 8);
                for (lane, bytes) in self.state[self.at / 8..].iter_mut().zip(input[..n].chunks_exact(8)) {
                    *lane ^= u64::from_le_bytes(bytes.try_into().unwrap());
                }
            } else {
                n = 1;
                self.xor(self.at, input[0]);
            }
            self.absorbed(n);
            input = &input[n..];
        }
    }

    fn pad(&mut self, padding: u8) {
        self.xor(self.at, padding);
        self.xor(self.rate - 1, 0x80);
        self.at = self.rate;
    }

    /// Fills output, after the padding.
    fn squeeze(&mut self, output: &mut [u8]) {
        for byte in output {
            if self.at == self.rate {
                self.permute();
            }
            *byte = (self.state[self.at / 8] >> (8 * (self.at % 8))) as u8;
            self.at += 1;
        }
    }

    fn finalize(mut self, output: &mut [u8], padding: u8) {
        self.pad(padding);
        if output.len() > self.rate {
            return self.squeeze(output);
        }
        self.permute();
        for (bytes, lane) in output.chunks_mut(8).zip(self.state) {
            bytes.copy_from_slice(&lane.to_le_bytes()[..bytes.len()]);
        }
    }
}

macro_rules! hash {
    ($name:ident, $feature:literal, $padding:literal) => {
        /// The hash with the padding of its standard.
        #[cfg(feature = $feature)]
        #[derive(Clone)]
        pub struct $name(Sponge);

        #[cfg(feature = $feature)]
        impl $name {
            pub fn v224() -> Self {
                Self(Sponge::new(224))
            }

            pub fn v256() -> Self {
                Self(Sponge::new(256))
            }

            pub fn v384() -> Self {
                Self(Sponge::new(384))
            }

            pub fn v512() -> Self {
                Self(Sponge::new(512))
            }
        }

        #[cfg(feature = $feature)]
        impl Hasher for $name {
            fn update(&mut self, input: &[u8]) {
                self.0.update(input);
            }

            fn finalize(self, output: &mut [u8]) {
                self.0.finalize(output, $padding);
            }
        }
    };
}

hash!(Keccak, "keccak", 0x01);
hash!(Sha3, "sha3", 0x06);

/// SHAKE, of any length.
#[cfg(feature = "shake")]
#[derive(Clone)]
pub struct Shake {
    sponge: Sponge,
    squeezing: bool,
}

#[cfg(feature = "shake")]
impl Shake {
    pub fn v128() -> Self {
        Self { sponge: Sponge::new(128), squeezing: false }
    }

    pub fn v256() -> Self {
        Self { sponge: Sponge::new(256), squeezing: false }
    }
}

#[cfg(feature = "shake")]
impl Hasher for Shake {
    fn update(&mut self, input: &[u8]) {
        self.sponge.update(input);
    }

    fn finalize(mut self, output: &mut [u8]) {
        self.squeeze(output);
    }
}

#[cfg(feature = "shake")]
impl Xof for Shake {
    fn squeeze(&mut self, output: &mut [u8]) {
        if !self.squeezing {
            self.sponge.pad(0x1f);
            self.squeezing = true;
        }
        self.sponge.squeeze(output);
    }
}

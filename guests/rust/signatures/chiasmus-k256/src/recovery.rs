//! Recovers keys from signatures.
use crate::ecdsa::{Error, RecoveryId, Signature, SigningKey, VerifyingKey};
use crate::ecdsa::signature::{DigestSigner, Signer, hazmat::PrehashSigner};
use crate::ecdsa::signature::digest::{Digest, FixedOutput, HashMarker, consts::U32};
use chiasmus_guest::library::{Bytes, zkvm_secp256k1_ecrecover};
use upstream::ecdsa as software;

impl VerifyingKey {
    /// The key with which the SHA-256 of a message was signed.
    pub fn recover_from_msg(msg: &[u8], signature: &Signature, id: RecoveryId) -> Result<Self, Error> {
        Self::recover_from_prehash(&chiasmus_guest::sha256(msg), signature, id)
    }

    /// The key with which a digest was signed.
    pub fn recover_from_digest<D>(digest: D, signature: &Signature, id: RecoveryId) -> Result<Self, Error>
    where
        D: Digest,
    {
        Self::recover_from_prehash(&digest.finalize(), signature, id)
    }

    /// The key with which a hash was signed. Hashes of another length than 32 bytes, and signatures whose r was
    /// reduced, use k256's own code.
    pub fn recover_from_prehash(hash: &[u8], signature: &Signature, id: RecoveryId) -> Result<Self, Error> {
        let (Ok(hash), false) = (hash.try_into(), id.is_x_reduced()) else {
            return software::VerifyingKey::recover_from_prehash(hash, signature, id).map(Self::from_software);
        };
        if signature.normalize_s().is_some() {
            return Err(Error::new()); // k256 refuses the larger of the two values of s
        }
        let (mut key, bytes) = (Bytes::ZERO, Bytes::of(&signature.to_bytes()));
        match unsafe { zkvm_secp256k1_ecrecover(&Bytes(hash), &bytes, id.to_byte(), &mut key) } {
            0 => Self::from_bytes(&key),
            _ => Err(Error::new()),
        }
    }
}

type Recoverable = (Signature, RecoveryId);

impl SigningKey {
    pub fn sign_prehash_recoverable(&self, hash: &[u8]) -> Result<Recoverable, Error> {
        self.software().sign_prehash_recoverable(hash)
    }

    pub fn sign_digest_recoverable<D>(&self, digest: D) -> Result<Recoverable, Error>
    where
        D: Digest,
    {
        self.sign_prehash_recoverable(&digest.finalize())
    }

    pub fn sign_recoverable(&self, msg: &[u8]) -> Result<Recoverable, Error> {
        self.sign_prehash_recoverable(&chiasmus_guest::sha256(msg))
    }
}

impl PrehashSigner<Recoverable> for SigningKey {
    fn sign_prehash(&self, hash: &[u8]) -> Result<Recoverable, Error> {
        self.sign_prehash_recoverable(hash)
    }
}

impl Signer<Recoverable> for SigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Recoverable, Error> {
        self.sign_recoverable(msg)
    }
}

impl<D> DigestSigner<D, Recoverable> for SigningKey
where
    D: Digest + FixedOutput<OutputSize = U32> + HashMarker,
{
    fn try_sign_digest(&self, digest: D) -> Result<Recoverable, Error> {
        self.sign_digest_recoverable(digest)
    }
}

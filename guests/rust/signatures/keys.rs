//! Keys of ECDSA with the interface of crate `upstream`. `crate::verify` verifies their signatures. For all other
//! functions, a key dereferences to the crate's own key.
use chiasmus_guest::library::Bytes;
use core::ops::Deref;
use upstream::{AffinePoint, EncodedPoint, FieldBytes, NonZeroScalar, PublicKey, SecretKey, ecdsa as software};
use upstream::elliptic_curve::sec1::ToEncodedPoint;
pub use upstream::ecdsa::*;

use signature::digest::{Digest, FixedOutput, consts::U32};
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::{DigestSigner, DigestVerifier, Keypair, Signer, Verifier};

/// A public key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct VerifyingKey(software::VerifyingKey);

impl VerifyingKey {
    pub fn from_sec1_bytes(bytes: &[u8]) -> Result<Self, Error> {
        software::VerifyingKey::from_sec1_bytes(bytes).map(Self)
    }

    pub fn from_affine(point: AffinePoint) -> Result<Self, Error> {
        software::VerifyingKey::from_affine(point).map(Self)
    }

    pub fn from_encoded_point(point: &EncodedPoint) -> Result<Self, Error> {
        software::VerifyingKey::from_encoded_point(point).map(Self)
    }

    #[allow(dead_code)] // p256 recovers no keys
    pub(crate) fn from_software(key: software::VerifyingKey) -> Self {
        Self(key)
    }

    /// The key with the two coordinates that the library writes.
    #[allow(dead_code)]
    pub(crate) fn from_bytes(key: &Bytes<64>) -> Result<Self, Error> {
        Self::from_encoded_point(&EncodedPoint::from_untagged_bytes(&key.0.into()))
    }

    /// The two coordinates, in the library's form.
    fn to_bytes(self) -> Bytes<64> {
        Bytes::of(&self.0.to_encoded_point(false).as_bytes()[1..])
    }
}

impl Deref for VerifyingKey {
    type Target = software::VerifyingKey;
    fn deref(&self) -> &software::VerifyingKey {
        &self.0
    }
}

impl PrehashVerifier<Signature> for VerifyingKey {
    /// Hashes of another length than 32 bytes use the crate's own code.
    fn verify_prehash(&self, hash: &[u8], signature: &Signature) -> Result<(), Error> {
        match hash.try_into() {
            Err(_) => self.0.verify_prehash(hash, signature),
            Ok(hash) if crate::verify(hash, signature, &self.to_bytes()) => Ok(()),
            Ok(_) => Err(Error::new()),
        }
    }
}

impl<D> DigestVerifier<D, Signature> for VerifyingKey
where
    D: Digest + FixedOutput<OutputSize = U32>,
{
    fn verify_digest(&self, digest: D, signature: &Signature) -> Result<(), Error> {
        self.verify_prehash(&digest.finalize_fixed(), signature)
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, msg: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_prehash(&chiasmus_guest::sha256(msg), signature)
    }
}

impl PrehashVerifier<DerSignature> for VerifyingKey {
    fn verify_prehash(&self, hash: &[u8], signature: &DerSignature) -> Result<(), Error> {
        self.verify_prehash(hash, &Signature::try_from(signature.clone())?)
    }
}

impl Verifier<DerSignature> for VerifyingKey {
    fn verify(&self, msg: &[u8], signature: &DerSignature) -> Result<(), Error> {
        self.verify(msg, &Signature::try_from(signature.clone())?)
    }
}

impl AsRef<AffinePoint> for VerifyingKey {
    fn as_ref(&self) -> &AffinePoint {
        self.0.as_affine()
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = Error;
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_sec1_bytes(bytes)
    }
}

impl From<PublicKey> for VerifyingKey {
    fn from(key: PublicKey) -> Self {
        Self(key.into())
    }
}

impl From<&PublicKey> for VerifyingKey {
    fn from(key: &PublicKey) -> Self {
        Self(key.into())
    }
}

impl From<VerifyingKey> for PublicKey {
    fn from(key: VerifyingKey) -> Self {
        key.0.into()
    }
}

impl From<&VerifyingKey> for PublicKey {
    fn from(key: &VerifyingKey) -> Self {
        key.0.into()
    }
}

impl From<&VerifyingKey> for EncodedPoint {
    fn from(key: &VerifyingKey) -> Self {
        key.0.as_affine().to_encoded_point(false)
    }
}

/// A private key. Signing uses the crate's own code.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SigningKey {
    key: software::SigningKey,
    public: VerifyingKey,
}

impl SigningKey {
    pub fn from_bytes(bytes: &FieldBytes) -> Result<Self, Error> {
        software::SigningKey::from_bytes(bytes).map(Self::from)
    }

    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        software::SigningKey::from_slice(bytes).map(Self::from)
    }

    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.public
    }

    #[allow(dead_code)]
    pub(crate) fn software(&self) -> &software::SigningKey {
        &self.key
    }
}

impl Deref for SigningKey {
    type Target = software::SigningKey;
    fn deref(&self) -> &software::SigningKey {
        &self.key
    }
}

impl From<software::SigningKey> for SigningKey {
    fn from(key: software::SigningKey) -> Self {
        Self { public: VerifyingKey(*key.verifying_key()), key }
    }
}

impl From<NonZeroScalar> for SigningKey {
    fn from(scalar: NonZeroScalar) -> Self {
        software::SigningKey::from(scalar).into()
    }
}

impl From<SecretKey> for SigningKey {
    fn from(key: SecretKey) -> Self {
        software::SigningKey::from(key).into()
    }
}

impl From<&SecretKey> for SigningKey {
    fn from(key: &SecretKey) -> Self {
        software::SigningKey::from(key).into()
    }
}

impl From<&SigningKey> for VerifyingKey {
    fn from(key: &SigningKey) -> Self {
        key.public
    }
}

impl From<SigningKey> for VerifyingKey {
    fn from(key: SigningKey) -> Self {
        key.public
    }
}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.public
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;
    fn verifying_key(&self) -> VerifyingKey {
        self.public
    }
}

impl PrehashSigner<Signature> for SigningKey {
    fn sign_prehash(&self, hash: &[u8]) -> Result<Signature, Error> {
        self.key.sign_prehash(hash)
    }
}

impl Signer<Signature> for SigningKey {
    fn try_sign(&self, msg: &[u8]) -> Result<Signature, Error> {
        self.sign_prehash(&chiasmus_guest::sha256(msg))
    }
}

impl<D> DigestSigner<D, Signature> for SigningKey
where
    D: Digest + FixedOutput<OutputSize = U32>,
{
    fn try_sign_digest(&self, digest: D) -> Result<Signature, Error> {
        self.sign_prehash(&digest.finalize_fixed())
    }
}

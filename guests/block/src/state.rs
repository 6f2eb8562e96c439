//! The state before a block, from its witness, and the state after it.
use crate::{
    Refusal,
    refusal::refuse,
    trie::{Forest, Link},
};
use alloy_primitives::{
    Address, B256, Bytes, KECCAK256_EMPTY, U256, keccak256,
    map::{AddressMap, B256Map, U256Map},
};
use alloy_rlp::Decodable;
use alloy_trie::TrieAccount;
use revm::state::{Account, AccountId, AccountInfo, Bytecode, EvmState};

/// A slot of storage at the block's start.
struct Slot {
    hash: B256, // of its key
    value: U256,
}

/// An account at the block's start.
struct Start<'a> {
    hash: B256, // of its address
    account: Option<TrieAccount>,
    storage: Link<'a>,
    slots: U256Map<Slot>,
}

/// Answers revm's requests for accounts, storage, code and hashes of blocks.
pub struct State<'a> {
    forest: Forest<'a>,
    root: Link<'a>,
    accounts: Vec<Start<'a>>,
    by_address: AddressMap<u32>,
    codes: B256Map<&'a [u8]>,
    number: u64,
    ancestors: Vec<B256>, // the parent's hash first
}

impl<'a> State<'a> {
    /// The state before block number, by its root. Ancestors are the hashes of blocks, the parent's first.
    pub fn new(root: B256, nodes: &[&'a [u8]], codes: &[&'a [u8]], number: u64, ancestors: Vec<B256>) -> State<'a> {
        let mut by_hash = B256Map::with_capacity_and_hasher(codes.len(), Default::default());
        by_hash.extend(codes.iter().map(|c| (keccak256(c), *c)));
        State {
            forest: Forest::new(nodes),
            root: Link::root(root),
            accounts: vec![],
            by_address: Default::default(),
            codes: by_hash,
            number,
            ancestors,
        }
    }

    /// The index of an account.
    fn start(&mut self, address: Address) -> Result<usize, Refusal> {
        if let Some(i) = self.by_address.get(&address) {
            return Ok(*i as usize);
        }
        let hash = keccak256(address);
        let account = match self.forest.get(&mut self.root, &hash[..])? {
            Some(value) => Some(decode::<TrieAccount>(value, "account", &address)?),
            None => None,
        };
        let storage = account.as_ref().map_or(Link::EMPTY, |a| Link::root(a.storage_root));
        self.by_address.insert(address, self.accounts.len() as u32);
        self.accounts.push(Start { hash, account, storage, slots: Default::default() });
        Ok(self.accounts.len() - 1)
    }

    fn slot(&mut self, account: usize, key: U256) -> Result<U256, Refusal> {
        let start = &mut self.accounts[account];
        if let Some(slot) = start.slots.get(&key) {
            return Ok(slot.value);
        }
        let hash = keccak256(B256::from(key));
        let value = match self.forest.get(&mut start.storage, &hash[..])? {
            Some(value) => decode::<U256>(value, "slot", &key)?,
            None => U256::ZERO,
        };
        start.slots.insert(key, Slot { hash, value });
        Ok(value)
    }

    /// The root of the state after accounts changed. Removals come last: a witness is made from the states before and
    /// after the block, so it has the nodes that removals need at the end.
    pub fn after(&mut self, changed: EvmState) -> Result<B256, Refusal> {
        let mut removed = vec![];
        for (address, account) in changed {
            if !account.is_touched() {
                continue;
            }
            let i = self.start(address)?;
            let storage = self.storage_after(i, &account)?;
            let start = &mut self.accounts[i];
            // A destroyed account is no longer marked if a later transaction used its address.
            if account.is_selfdestructed_locally() || account.info.is_empty() {
                if start.account.is_some() {
                    removed.push(start.hash);
                }
                continue;
            }
            let now = TrieAccount {
                nonce: account.info.nonce,
                balance: account.info.balance,
                storage_root: storage,
                code_hash: account.info.code_hash,
                ..Default::default()
            };
            if start.account != Some(now) {
                self.forest.insert(&mut self.root, &start.hash[..], alloy_rlp::encode(now).leak())?;
            }
        }
        for hash in removed {
            self.forest.remove(&mut self.root, &hash[..])?;
        }
        Ok(self.forest.hash(self.root))
    }

    /// The root of an account's storage.
    fn storage_after(&mut self, i: usize, account: &Account) -> Result<B256, Refusal> {
        let start = &mut self.accounts[i];
        if account.is_selfdestructed() || account.is_created() {
            start.storage = Link::EMPTY;
            start.slots.clear();
        }
        let (mut same, mut removed) = (true, vec![]);
        for (key, slot) in &account.storage {
            // revm's original value is the one before the slot's last transaction, not before the block.
            let value = slot.present_value;
            let (hash, before) = match start.slots.get(key) {
                Some(slot) => (slot.hash, slot.value),
                None if value.is_zero() => continue,
                None => (keccak256(B256::from(*key)), U256::ZERO),
            };
            if value == before {
                continue;
            }
            same = false;
            if value.is_zero() {
                removed.push(hash);
            } else {
                self.forest.insert(&mut start.storage, &hash[..], alloy_rlp::encode(value).leak())?;
            }
        }
        for hash in removed {
            self.forest.remove(&mut start.storage, &hash[..])?;
        }
        match start.account {
            Some(account) if same && !start.slots.is_empty() => Ok(account.storage_root),
            _ => Ok(self.forest.hash(start.storage)),
        }
    }
}

fn decode<T: Decodable>(mut value: &[u8], kind: &str, key: &dyn std::fmt::Debug) -> Result<T, Refusal> {
    match T::decode(&mut value) {
        Ok(decoded) if value.is_empty() => Ok(decoded),
        Ok(_) => refuse!("witness: {kind} {key:?}: {} bytes after its end", value.len()),
        Err(e) => refuse!("witness: {kind} {key:?}: {e}"),
    }
}

impl revm::Database for State<'_> {
    type Error = Refusal;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Refusal> {
        let i = self.start(address)?;
        Ok(self.accounts[i].account.map(|a| AccountInfo {
            balance: a.balance,
            nonce: a.nonce,
            code_hash: a.code_hash,
            account_id: AccountId::new(i),
            code: None,
        }))
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, Refusal> {
        if hash == KECCAK256_EMPTY {
            return Ok(Bytecode::default());
        }
        let Some(code) = self.codes.get(&hash) else { refuse!("witness: it lacks the code {hash}") };
        match Bytecode::new_raw_checked(Bytes::copy_from_slice(code)) {
            Ok(code) => Ok(code),
            Err(e) => refuse!("witness: code {hash}: {e}"),
        }
    }

    fn storage(&mut self, address: Address, key: U256) -> Result<U256, Refusal> {
        let i = self.start(address)?;
        self.slot(i, key)
    }

    fn storage_by_account_id(&mut self, _: Address, id: AccountId, key: U256) -> Result<U256, Refusal> {
        self.slot(id.get(), key)
    }

    /// revm requests only the 256 blocks before this one.
    fn block_hash(&mut self, number: u64) -> Result<B256, Refusal> {
        let back = self.number.wrapping_sub(number).wrapping_sub(1) as usize;
        match self.ancestors.get(back) {
            Some(hash) => Ok(*hash),
            None => refuse!("witness: it lacks the header of block {}, whose parent's hash BLOCKHASH returns", number + 1),
        }
    }
}

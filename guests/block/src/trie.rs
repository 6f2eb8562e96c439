//! Merkle Patricia tries of which a witness has the necessary nodes. A node is decoded when it is first reached, and is
//! not copied: paths, values and links to children are slices of the witness. Only changed nodes are encoded and hashed
//! again.
use crate::{Refusal, path, refusal::refuse, rlp};
use alloy_primitives::{B256, keccak256, map::B256Map};

/// The item of a missing child: the empty string. It is also the root of an empty trie.
const NOTHING: &[u8] = &[0x80];

/// A child of a node, or a root.
#[derive(Clone, Copy)]
pub enum Link<'a> {
    /// The parent's item: nothing, a digest with its head, or a node of less than 32 bytes.
    Item(&'a [u8]),
    /// A decoded node, by its index.
    Node(u32),
}

impl<'a> Link<'a> {
    pub const EMPTY: Link<'static> = Link::Item(NOTHING);

    /// A trie by its root.
    pub fn root(hash: B256) -> Link<'a> {
        if hash == alloy_trie::EMPTY_ROOT_HASH {
            return Link::EMPTY;
        }
        let mut item = vec![0xa0];
        item.extend_from_slice(&hash[..]);
        Link::Item(keep(item))
    }
}

enum Kind<'a> {
    /// Paths are encoded as in the node (hex prefix).
    Leaf { path: &'a [u8], value: &'a [u8] },
    Extension { path: &'a [u8], child: Link<'a> },
    Branch(Box<[Link<'a>; 16]>),
}

struct Node<'a> {
    /// The parent's item for this node; empty after a change.
    item: &'a [u8],
    kind: Kind<'a>,
}

/// Tries that share a witness.
pub struct Forest<'a> {
    witness: B256Map<&'a [u8]>,
    nodes: Vec<Node<'a>>,
    encoded: Vec<u8>, // of the node that is being hashed
}

/// Keeps bytes until the program ends. A guest validates one block and frees nothing.
fn keep<'a>(bytes: Vec<u8>) -> &'a [u8] {
    bytes.leak()
}

impl<'a> Forest<'a> {
    /// Hashes a witness's nodes.
    pub fn new(witness: &[&'a [u8]]) -> Forest<'a> {
        let nodes = Vec::with_capacity(2 * witness.len());
        let mut by_hash = B256Map::with_capacity_and_hasher(witness.len(), Default::default());
        by_hash.extend(witness.iter().map(|n| (keccak256(n), *n)));
        Forest { witness: by_hash, nodes, encoded: vec![] }
    }

    fn add(&mut self, item: &'a [u8], kind: Kind<'a>) -> u32 {
        self.nodes.push(Node { item, kind });
        self.nodes.len() as u32 - 1
    }

    /// The node of a link.
    #[inline]
    fn open(&mut self, link: Link<'a>) -> Result<Option<u32>, Refusal> {
        match link {
            Link::Node(id) => Ok(Some(id)),
            Link::Item(NOTHING) => Ok(None),
            Link::Item(item) => self.decode(item).map(Some),
        }
    }

    fn decode(&mut self, item: &'a [u8]) -> Result<u32, Refusal> {
        let bytes = match item {
            [0xa0, hash @ ..] => match self.witness.get(&B256::from_slice(hash)) {
                Some(bytes) => *bytes,
                None => refuse!("witness: it lacks the node {}", B256::from_slice(hash)),
            },
            _ => item,
        };
        match decode(bytes) {
            Some(kind) => Ok(self.add(item, kind)),
            None => refuse!("witness: no node of a trie: {}", alloy_primitives::hex::encode(bytes)),
        }
    }

    /// The value of a key.
    pub fn get(&mut self, root: &mut Link<'a>, key: &[u8]) -> Result<Option<&'a [u8]>, Refusal> {
        let Some(mut id) = self.open(*root)? else { return Ok(None) };
        *root = Link::Node(id);
        let mut at = 0; // nibbles of the key that led here
        loop {
            let (link, next) = match &self.nodes[id as usize].kind {
                Kind::Leaf { path, value } => return Ok(path::is_rest(path, key, at).then_some(value)),
                Kind::Extension { path, child } => {
                    let n = path::length(path);
                    if path::common(path, key, at) < n {
                        return Ok(None);
                    }
                    (*child, at + n)
                }
                Kind::Branch(links) => (links[nibble(key, at)?], at + 1),
            };
            let Some(child) = self.open(link)? else { return Ok(None) };
            match &mut self.nodes[id as usize].kind {
                Kind::Extension { child: link, .. } => *link = Link::Node(child),
                Kind::Branch(links) => links[path::nibble(key, at)] = Link::Node(child),
                Kind::Leaf { .. } => unreachable!(),
            }
            (id, at) = (child, next);
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, root: &mut Link<'a>, key: &[u8], value: &'a [u8]) -> Result<(), Refusal> {
        *root = Link::Node(self.put(*root, key, 0, value)?);
        Ok(())
    }

    fn put(&mut self, link: Link<'a>, key: &[u8], at: usize, value: &'a [u8]) -> Result<u32, Refusal> {
        let Some(id) = self.open(link)? else {
            return Ok(self.add(&[], Kind::Leaf { path: keep(path::rest(key, at)), value }));
        };
        let kind = match &self.nodes[id as usize].kind {
            Kind::Branch(links) => {
                let i = nibble(key, at)?;
                let child = Link::Node(self.put(links[i], key, at + 1, value)?);
                self.set_branch(id, i, child);
                return Ok(id);
            }
            &Kind::Leaf { path, .. } if path::is_rest(path, key, at) => Kind::Leaf { path, value },
            &Kind::Extension { path, child } if path::common(path, key, at) == path::length(path) => {
                let child = Link::Node(self.put(child, key, at + path::length(path), value)?);
                Kind::Extension { path, child }
            }
            &Kind::Leaf { path, .. } | &Kind::Extension { path, .. } => {
                let common = path::common(path, key, at);
                let branch = self.split(id, common, key, at, value)?;
                if common == 0 {
                    branch
                } else {
                    let child = Link::Node(self.add(&[], branch));
                    Kind::Extension { path: keep(path::part(path, 0, common, false)), child }
                }
            }
        };
        self.nodes[id as usize] = Node { item: &[], kind };
        Ok(id)
    }

    fn set_branch(&mut self, id: u32, i: usize, link: Link<'a>) {
        let node = &mut self.nodes[id as usize];
        node.item = &[];
        if let Kind::Branch(links) = &mut node.kind {
            links[i] = link;
        }
    }

    /// A branch to a leaf's or an extension's target and to a new leaf. Their paths differ after some common nibbles.
    fn split(&mut self, id: u32, common: usize, key: &[u8], at: usize, value: &'a [u8]) -> Result<Kind<'a>, Refusal> {
        let (path, old) = match &self.nodes[id as usize].kind {
            &Kind::Leaf { path, value } => (path, Err(value)),
            &Kind::Extension { path, child } => (path, Ok(child)),
            Kind::Branch(_) => unreachable!(),
        };
        let length = path::length(path);
        if common == length {
            refuse!("witness: a leaf's path is too short");
        }
        let mut links = Box::new([Link::EMPTY; 16]);
        links[path::get(path, common)] = match old {
            Ok(child) if common + 1 == length => child,
            Ok(child) => {
                let path = keep(path::part(path, common + 1, length, false));
                Link::Node(self.add(&[], Kind::Extension { path, child }))
            }
            Err(value) => {
                let path = keep(path::part(path, common + 1, length, true));
                Link::Node(self.add(&[], Kind::Leaf { path, value }))
            }
        };
        let i = nibble(key, at + common)?;
        links[i] = Link::Node(self.put(Link::EMPTY, key, at + common + 1, value)?);
        Ok(Kind::Branch(links))
    }

    /// Removes a key, if it has a value.
    pub fn remove(&mut self, root: &mut Link<'a>, key: &[u8]) -> Result<(), Refusal> {
        if let Some(link) = self.cut(*root, key, 0)? {
            *root = link;
        }
        Ok(())
    }

    /// Removes a key below a node and returns the remaining node, or None if there was no such key.
    fn cut(&mut self, link: Link<'a>, key: &[u8], at: usize) -> Result<Option<Link<'a>>, Refusal> {
        let Some(id) = self.open(link)? else { return Ok(None) };
        match &self.nodes[id as usize].kind {
            Kind::Leaf { path, .. } => Ok(path::is_rest(path, key, at).then_some(Link::EMPTY)),
            &Kind::Extension { path, child } => {
                let n = path::length(path);
                if path::common(path, key, at) < n {
                    return Ok(None);
                }
                match self.cut(child, key, at + n)? {
                    Some(child) => self.join(path, child).map(Some),
                    None => Ok(None),
                }
            }
            Kind::Branch(links) => {
                let i = nibble(key, at)?;
                let Some(child) = self.cut(links[i], key, at + 1)? else { return Ok(None) };
                self.set_branch(id, i, child);
                let Kind::Branch(links) = &self.nodes[id as usize].kind else { unreachable!() };
                let mut left = (0u8..).zip(links.iter()).filter(|(_, l)| !matches!(l, Link::Item(NOTHING)));
                match (left.next(), left.next()) {
                    (Some((i, &last)), None) => self.join(&[0x10 | i], last).map(Some),
                    _ => Ok(Some(Link::Node(id))),
                }
            }
        }
    }

    /// Puts a path before a node: a leaf or an extension adds it to its own path.
    fn join(&mut self, path: &[u8], link: Link<'a>) -> Result<Link<'a>, Refusal> {
        let Some(id) = self.open(link)? else { return Ok(Link::EMPTY) };
        let kind = match &self.nodes[id as usize].kind {
            &Kind::Leaf { path: rest, value } => Kind::Leaf { path: keep(path::join(path, rest, true)), value },
            &Kind::Extension { path: rest, child } => {
                Kind::Extension { path: keep(path::join(path, rest, false)), child }
            }
            Kind::Branch(_) => Kind::Extension { path: keep(path.to_vec()), child: Link::Node(id) },
        };
        Ok(Link::Node(self.add(&[], kind)))
    }

    /// The root of a trie.
    pub fn hash(&mut self, root: Link<'a>) -> B256 {
        match self.item(root) {
            [0xa0, hash @ ..] => B256::from_slice(hash),
            item => keccak256(item),
        }
    }

    /// The item of a child in its parent.
    fn item(&mut self, link: Link<'a>) -> &'a [u8] {
        let id = match link {
            Link::Item(item) => return item,
            Link::Node(id) => id as usize,
        };
        if !self.nodes[id].item.is_empty() {
            return self.nodes[id].item;
        }
        match &self.nodes[id].kind {
            &Kind::Leaf { path, value } => {
                self.begin(rlp::string_length(path) + rlp::string_length(value));
                rlp::put_string(&mut self.encoded, path);
                rlp::put_string(&mut self.encoded, value);
            }
            &Kind::Extension { path, child } => {
                let child = self.item(child);
                self.begin(rlp::string_length(path) + child.len());
                rlp::put_string(&mut self.encoded, path);
                self.encoded.extend_from_slice(child);
            }
            Kind::Branch(links) => {
                let links = **links;
                let items = links.map(|l| self.item(l));
                self.begin(items.iter().map(|i| i.len()).sum::<usize>() + 1);
                items.iter().for_each(|i| self.encoded.extend_from_slice(i));
                self.encoded.extend_from_slice(NOTHING);
            }
        }
        let item = if self.encoded.len() < 32 {
            self.encoded.clone()
        } else {
            let mut item = Vec::with_capacity(33);
            item.push(0xa0);
            item.extend_from_slice(&keccak256(&self.encoded)[..]);
            item
        };
        let item = keep(item);
        self.nodes[id].item = item;
        item
    }

    /// Begins the encoding of a node whose payload has n bytes.
    fn begin(&mut self, n: usize) {
        self.encoded.clear();
        self.encoded.reserve(n + 9);
        rlp::put_head(&mut self.encoded, 0xc0, n);
    }
}

/// The nibble of a key that chooses a branch's child. No key of a trie ends at a branch.
#[inline]
fn nibble(key: &[u8], at: usize) -> Result<usize, Refusal> {
    if at >= 2 * key.len() {
        refuse!("witness: a branch below the last nibble of a key");
    }
    Ok(path::nibble(key, at))
}

/// Decodes a node, or returns None if the bytes are not a node. Branches have no values, because all keys of a trie
/// have the same length, or no key is a prefix of another.
fn decode(mut bytes: &[u8]) -> Option<Kind<'_>> {
    let node = rlp::cut(&mut bytes)?;
    if !node.list || !bytes.is_empty() {
        return None;
    }
    let mut rest = node.payload;
    let first = rlp::cut(&mut rest)?;
    let second = rlp::cut(&mut rest)?;
    if rest.is_empty() {
        let path = first.payload;
        let flags = *path.first()?;
        if first.list || flags & 0xc0 != 0 || flags & 0x10 == 0 && flags & 0x0f != 0 {
            return None;
        }
        return match flags & 0x20 {
            0 if path::length(path) > 0 => Some(Kind::Extension { path, child: link(second)? }),
            0 => None,
            _ if second.list => None,
            _ => Some(Kind::Leaf { path, value: second.payload }),
        };
    }
    let mut links = Box::new([Link::EMPTY; 16]);
    links[0] = link(first)?;
    links[1] = link(second)?;
    for to in &mut links[2..] {
        *to = link(rlp::cut(&mut rest)?)?;
    }
    (rest == NOTHING).then_some(Kind::Branch(links))
}

#[inline]
fn link(item: rlp::Item<'_>) -> Option<Link<'_>> {
    let fits = match item.whole.len() {
        33 => item.whole[0] == 0xa0,
        1 => item.whole[0] == 0x80,
        n => item.list && n < 32,
    };
    fits.then_some(Link::Item(item.whole))
}

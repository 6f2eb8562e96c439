//! RLP items inside nodes of a trie.

/// An item that was split off the front of some bytes.
pub struct Item<'a> {
    /// The encoded item, with its head.
    pub whole: &'a [u8],
    pub payload: &'a [u8],
    pub list: bool,
}

/// Splits an item off. Returns None if the bytes do not begin with an item.
#[inline]
pub fn cut<'a>(bytes: &mut &'a [u8]) -> Option<Item<'a>> {
    let all = *bytes;
    let first = *all.first()? as usize;
    let (start, length) = match first {
        0..=0x7f => (0, 1),
        0x80..=0xb7 => (1, first - 0x80),
        0xc0..=0xf7 => (1, first - 0xc0),
        _ => {
            let n = first - if first < 0xc0 { 0xb7 } else { 0xf7 };
            let length = all.get(1..1 + n)?.iter().try_fold(0usize, |sum, b| Some(sum.checked_mul(256)? + *b as usize))?;
            (1 + n, length)
        }
    };
    let end = start.checked_add(length)?;
    let whole = all.get(..end)?;
    *bytes = &all[end..];
    Some(Item { whole, payload: &whole[start..], list: first >= 0xc0 })
}

/// The length of the head of a payload of n bytes.
pub fn head_length(n: usize) -> usize {
    if n < 56 { 1 } else { 9 - n.leading_zeros() as usize / 8 }
}

/// Appends the head of a list (0xc0) or string (0x80) of n bytes.
pub fn put_head(to: &mut Vec<u8>, kind: u8, n: usize) {
    if n < 56 {
        to.push(kind + n as u8);
    } else {
        let skip = n.leading_zeros() as usize / 8;
        to.push(kind + 55 + (8 - skip) as u8);
        to.extend_from_slice(&n.to_be_bytes()[skip..]);
    }
}

/// The length of an encoded string.
pub fn string_length(s: &[u8]) -> usize {
    if let [0..=0x7f] = s { 1 } else { head_length(s.len()) + s.len() }
}

/// Appends a string.
pub fn put_string(to: &mut Vec<u8>, s: &[u8]) {
    if !matches!(s, [0..=0x7f]) {
        put_head(to, 0x80, s.len());
    }
    to.extend_from_slice(s);
}

//! Paths of nibbles, encoded as in nodes (hex prefix): a byte with flags, and with the first nibble if their number is
//! odd; then two nibbles per byte.
//!
//! ```text
//! | 0 0 leaf odd | first nibble, or 0 | two nibbles | two nibbles | ...
//! ```

/// Nibble i of a key.
#[inline]
pub fn nibble(key: &[u8], i: usize) -> usize {
    (if i.is_multiple_of(2) { key[i / 2] >> 4 } else { key[i / 2] & 15 }) as usize
}

fn is_odd(path: &[u8]) -> bool {
    path[0] & 0x10 != 0
}

/// The number of nibbles.
#[inline]
pub fn length(path: &[u8]) -> usize {
    2 * (path.len() - 1) + is_odd(path) as usize
}

/// Nibble i of a path.
#[inline]
pub fn get(path: &[u8], i: usize) -> usize {
    nibble(path, i + 2 - is_odd(path) as usize)
}

/// The number of leading nibbles of a path that equal a key's from a nibble on.
pub fn common(path: &[u8], key: &[u8], at: usize) -> usize {
    let most = length(path).min(2 * key.len() - at);
    (0..most).find(|i| get(path, *i) != nibble(key, at + i)).unwrap_or(most)
}

/// Whether a path equals the rest of a key from a nibble on. Both then have aligned nibbles after the first byte.
#[inline]
pub fn is_rest(path: &[u8], key: &[u8], at: usize) -> bool {
    length(path) == 2 * key.len() - at
        && (!is_odd(path) || path[0] & 15 == key[at / 2] & 15)
        && path[1..] == key[at.div_ceil(2)..]
}

/// The path of a leaf: the rest of a key from a nibble on.
pub fn rest(key: &[u8], at: usize) -> Vec<u8> {
    let mut path = Vec::with_capacity(1 + key.len() - at / 2);
    path.push(if at.is_multiple_of(2) { 0x20 } else { 0x30 | key[at / 2] & 15 });
    path.extend_from_slice(&key[at.div_ceil(2)..]);
    path
}

/// Encodes n nibbles.
fn encode(n: usize, leaf: bool, nibble: impl Fn(usize) -> usize) -> Vec<u8> {
    let (odd, flags) = (n % 2, if leaf { 0x20 } else { 0 });
    let mut path = Vec::with_capacity(1 + n / 2);
    path.push(if odd == 1 { flags | 0x10 | nibble(0) as u8 } else { flags });
    path.extend((odd..n).step_by(2).map(|i| (nibble(i) << 4 | nibble(i + 1)) as u8));
    path
}

/// Some nibbles of a path.
pub fn part(path: &[u8], from: usize, to: usize, leaf: bool) -> Vec<u8> {
    encode(to - from, leaf, |i| get(path, from + i))
}

/// Two paths, one after the other.
pub fn join(a: &[u8], b: &[u8], leaf: bool) -> Vec<u8> {
    let n = length(a);
    encode(n + length(b), leaf, |i| if i < n { get(a, i) } else { get(b, i - n) })
}

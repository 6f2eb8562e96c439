//! Types for programs with threads work with the single thread.
use chiasmus_guest::io;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock, mpsc};

static ATOMIC: AtomicU64 = AtomicU64::new(5);
static ONCE: OnceLock<String> = OnceLock::new();
thread_local!(static LOCAL: Cell<u64> = const { Cell::new(7) });

fn main() {
    let shared = Arc::new((Mutex::new(1u64), RwLock::new(2u64)));
    let other = Arc::clone(&shared);
    *other.0.lock().unwrap() += 10;
    *other.1.write().unwrap() *= 50;
    assert_eq!(ATOMIC.fetch_add(1, Ordering::SeqCst), 5);
    assert_eq!(ATOMIC.compare_exchange(6, 1000, Ordering::AcqRel, Ordering::Relaxed), Ok(6));
    LOCAL.set(LOCAL.get() * 3);
    let (to, from) = mpsc::channel();
    to.send(10_000u64).unwrap();
    let length = ONCE.get_or_init(|| "abc".repeat(3)).len() as u64;
    assert_eq!(Arc::strong_count(&shared), 2);
    let sum = *shared.0.lock().unwrap() + *shared.1.read().unwrap() + ATOMIC.load(Ordering::Acquire) + LOCAL.get();
    io::commit(&(sum + from.recv().unwrap() + length));
}

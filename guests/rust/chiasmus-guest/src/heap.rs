//! The heap, from the end of the program's data on.
use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;

unsafe extern "C" {
    static _heap_start: u8;
    static _heap_end: u8;
}

fn bounds() -> (usize, usize) {
    (&raw const _heap_start as usize, &raw const _heap_end as usize)
}

/// Allocates memory once, so it is zero. Freed memory is not reused, but the last block can grow in place.
#[cfg_attr(feature = "heap", allow(dead_code))]
pub struct Bump {
    next: Cell<usize>, // 0 before the first block
}

// There is one thread.
unsafe impl Sync for Bump {}

#[cfg_attr(feature = "heap", allow(dead_code))]
impl Bump {
    const fn new() -> Bump {
        Bump { next: Cell::new(0) }
    }
}

unsafe impl GlobalAlloc for Bump {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (first, end) = bounds();
        let next = self.next.get().max(first);
        let align = layout.align().max(8); // bytes are copied and hashed by words: a misaligned one takes two accesses
        let start = (next + align - 1) & !(align - 1);
        if start > end || layout.size() > end - start {
            return core::ptr::null_mut();
        }
        self.next.set(start + layout.size());
        start as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { self.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (_, end) = bounds();
        let last = block as usize + layout.size() == self.next.get();
        // A smaller last block keeps its memory: the bytes after it may not be zero, and alloc_zeroed does not clear.
        if size <= layout.size() {
            return block;
        }
        if last && size <= end - block as usize {
            self.next.set(block as usize + size);
            return block;
        }
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                core::ptr::copy_nonoverlapping(block, moved, layout.size());
            }
            moved
        }
    }
}

#[cfg(not(feature = "heap"))]
#[global_allocator]
pub static HEAP: Bump = Bump::new();

#[cfg(feature = "heap")]
#[global_allocator]
pub static HEAP: talc::Talck<talc::locking::AssumeUnlockable, Claim> =
    talc::Talc::new(Claim { claimed: false }).lock();

/// Claims all memory at the first allocation.
#[cfg(feature = "heap")]
pub struct Claim {
    claimed: bool,
}

#[cfg(feature = "heap")]
impl talc::OomHandler for Claim {
    fn handle_oom(talc: &mut talc::Talc<Self>, _: Layout) -> Result<(), ()> {
        if talc.oom_handler.claimed {
            return Err(());
        }
        talc.oom_handler.claimed = true;
        let (first, end) = bounds();
        unsafe { talc.claim(talc::Span::new(first as *mut u8, end as *mut u8)).map(|_| ()) }
    }
}

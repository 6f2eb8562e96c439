//go:build amd64 || arm64

package record

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// room is address space for the trace of any run. The system provides its pages when they are first written: large
// pages if it can, because the faults of small ones take longer than writing the trace. The first few MiB have small
// pages, for short runs.
type room struct {
	base    unsafe.Pointer
	cleanup runtime.Cleanup
}

const (
	roomCheckpoints = 1<<32/ChunkCycles + 2 // of the longest run
	roomWords       = 1 << 33               // two words a cycle; a longer log is copied to other memory

	checkpointBytes = unsafe.Sizeof(Checkpoint{})
	logOffset       = 4 << 30 // of the log in the room
	roomBytes       = logOffset + 8*roomWords
	smallPages      = 4 << 20 // bytes in small pages
)

var _ [logOffset - roomCheckpoints*checkpointBytes]struct{} // the checkpoints fit before the log

// newRoom maps a room, or returns nil if the system refuses.
func newRoom() *room {
	base, err := unix.MmapPtr(-1, 0, nil, roomBytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	for _, part := range [][2]uintptr{{smallPages, logOffset}, {logOffset + smallPages, roomBytes}} {
		// If large pages are not available, small ones do.
		_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(base, part[0])), part[1]-part[0]), unix.MADV_HUGEPAGE)
	}
	r := &room{base: base}
	r.cleanup = runtime.AddCleanup(r, unmapRoom, base)
	return r
}

func unmapRoom(base unsafe.Pointer) { _ = unix.MunmapPtr(base, roomBytes) }

// checkpoints returns the room for checkpoints, empty.
func (r *room) checkpoints() []Checkpoint {
	return unsafe.Slice((*Checkpoint)(r.base), roomCheckpoints)[:0]
}

// log returns the room for the load log, empty.
func (r *room) log() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(r.base, logOffset)), uint64(roomWords))[:0]
}

// holds reports whether both slices of a trace are in the room.
func (r *room) holds(t *Trace) bool {
	return r != nil && cap(t.Checkpoints) == roomCheckpoints && cap(t.Log) == roomWords
}

// free unmaps the room, unless it is nil.
func (r *room) free() {
	if r != nil {
		r.cleanup.Stop()
		unmapRoom(r.base)
	}
}

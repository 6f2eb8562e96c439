package sampling

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// The types of records in a ring buffer, see perf_event_open(2).
const (
	recordMmap   = 1
	recordLost   = 2
	recordComm   = 3
	recordFork   = 7
	recordSample = 9
)

const (
	// commExec marks a comm record that is due to exec.
	commExec = 1 << 13
	// firstMark is the smallest context marker (PERF_CONTEXT_MAX). Values in a chain from firstMark on are not addresses.
	firstMark = ^uint64(4095) + 1
)

// A record is a record of the kernel.
type record struct {
	kind        uint32
	misc        uint16
	pid, parent int
	time        uint64 // nanoseconds of CLOCK_MONOTONIC
	chain       []uint64
	mapped      mapping
	lost        uint64
}

// A mapping is an executable mapping of a file in a process.
type mapping struct {
	start, size, offset uint64
	file                string
}

// decode calls each for every complete record in data, which starts at a record, and returns the number of bytes
// consumed.
func decode(data []byte, each func(record)) int {
	const header = 8
	done := 0
	for len(data)-done >= header {
		rest := data[done:]
		size := int(binary.NativeEndian.Uint16(rest[6:]))
		if size < header || size > len(rest) {
			break
		}
		r := record{kind: binary.NativeEndian.Uint32(rest), misc: binary.NativeEndian.Uint16(rest[4:])}
		if r.fill(rest[header:size]) {
			each(r)
		}
		done += size
	}
	return done
}

// fill decodes the body of a record. It returns false if the body is too short or the type is not used.
func (r *record) fill(body []byte) bool {
	word := func(at int) uint64 { return binary.NativeEndian.Uint64(body[at:]) }
	half := func(at int) int { return int(int32(binary.NativeEndian.Uint32(body[at:]))) }
	const trailer = 16 // PERF_SAMPLE_TID and PERF_SAMPLE_TIME at the end of all records but samples
	if r.kind != recordSample {
		if len(body) < trailer+8 {
			return false
		}
		r.time = word(len(body) - 8)
	}
	switch r.kind {
	case recordSample: // pid, tid, time, nr, chain
		if len(body) < 24 || uint64(len(body)-24)/8 < word(16) {
			return false
		}
		r.pid, r.time = half(0), word(8)
		for i := range int(word(16)) {
			if at := word(24 + 8*i); at < firstMark {
				r.chain = append(r.chain, at)
			}
		}
	case recordMmap: // pid, tid, addr, len, pgoff, name
		if len(body) < 32+trailer {
			return false
		}
		name, _, _ := bytes.Cut(body[32:len(body)-trailer], []byte{0})
		r.pid, r.mapped = half(0), mapping{word(8), word(16), word(24), string(name)}
	case recordComm:
		r.pid = half(0)
	case recordFork: // pid, ppid, tid, ptid, time
		r.pid, r.parent = half(0), half(4)
	case recordLost: // id, lost
		r.lost = word(8)
	default:
		return false
	}
	return true
}

// A stack holds the resolved addresses of a sample, the innermost first.
type stack struct {
	time   uint64
	frames []place
}

// A place is an address as an offset in a file. file is empty if the address is not in a mapped file.
type place struct {
	file   string
	offset uint64
}

// replay processes records in the order of their times, so that each address is resolved with the mappings of that
// time. It returns the samples of all processes except one, and the number of lost samples.
func replay(records []record, except int) (stacks []stack, lost uint64) {
	slices.SortStableFunc(records, func(a, b record) int { return cmp.Compare(a.time, b.time) })
	maps := map[int][]mapping{}
	for _, r := range records {
		switch r.kind {
		case recordFork:
			if r.pid != r.parent {
				maps[r.pid] = slices.Clone(maps[r.parent])
			}
		case recordComm:
			if r.misc&commExec != 0 {
				delete(maps, r.pid)
			}
		case recordMmap:
			maps[r.pid] = append(maps[r.pid], r.mapped)
		case recordLost:
			lost += r.lost
		case recordSample:
			if r.pid != except && len(r.chain) > 0 {
				stacks = append(stacks, stack{r.time, places(maps[r.pid], r.chain)})
			}
		}
	}
	return stacks, lost
}

// places resolves addresses. All but the first are return addresses, so the call is before them.
func places(maps []mapping, chain []uint64) []place {
	out := make([]place, len(chain))
	for i, at := range chain {
		if i > 0 {
			at--
		}
		for _, m := range slices.Backward(maps) { // a later mapping covers an earlier one
			if at >= m.start && at-m.start < m.size {
				out[i] = place{m.file, at - m.start + m.offset}
				break
			}
		}
	}
	return out
}

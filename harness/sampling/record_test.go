package sampling

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// written is a record as the kernel writes it.
func written(kind uint32, misc uint16, words ...any) []byte {
	body := []byte{}
	for _, word := range words {
		switch w := word.(type) {
		case uint64:
			body = binary.NativeEndian.AppendUint64(body, w)
		case [2]int:
			body = binary.NativeEndian.AppendUint32(body, uint32(w[0]))
			body = binary.NativeEndian.AppendUint32(body, uint32(w[1]))
		case string:
			body = append(append(body, w...), make([]byte, 8-len(w)%8)...)
		}
	}
	out := binary.NativeEndian.AppendUint32(nil, kind)
	out = binary.NativeEndian.AppendUint16(out, misc)
	return append(binary.NativeEndian.AppendUint16(out, uint16(8+len(body))), body...)
}

// Samples are resolved with the mappings of their time: a parent's after a fork, none from before an exec, and the
// later of two at one address.
func TestReplay(t *testing.T) {
	const user = ^uint64(511) // PERF_CONTEXT_USER
	at := func(pid int, time uint64, chain ...uint64) []byte {
		words := []any{[2]int{pid, pid}, time, uint64(len(chain))}
		for _, one := range chain {
			words = append(words, one)
		}
		return written(recordSample, 0, words...)
	}
	mapped := func(pid int, time, start uint64, name string) []byte {
		return written(recordMmap, 0, [2]int{pid, pid}, start, uint64(0x1000), uint64(0x400), name, [2]int{pid, pid}, time)
	}
	ring := slices.Concat(
		at(7, 90, user, 0x10010), // before any mapping; late in the ring it would resolve to another one
		mapped(7, 50, 0x20000, "/bin/late"), mapped(7, 10, 0x10000, "/bin/first"),
		at(7, 20, user, 0x10010, 0x10021),
		written(recordFork, 0, [2]int{8, 7}, [2]int{8, 7}, uint64(30), [2]int{7, 7}, uint64(30)),
		at(8, 40, user, 0x10020),
		written(recordComm, commExec, [2]int{8, 8}, "sh", [2]int{8, 8}, uint64(41)),
		at(8, 42, user, 0x10020),
		mapped(7, 60, 0x10000, "/bin/second"),
		written(recordLost, 0, uint64(1), uint64(5), [2]int{7, 7}, uint64(70)),
		at(9, 80, user, 0x10010),
		at(7, 99), // without a call chain it is useless
	)
	var records []record
	whole := len(ring)
	if done := decode(append(ring, 1, 2, 3), func(r record) { records = append(records, r) }); done != whole {
		t.Fatalf("%d bytes are whole records, want %d", done, whole)
	}
	stacks, lost := replay(records, 9)
	want := []stack{
		{20, []place{{"/bin/first", 0x410}, {"/bin/first", 0x420}}},
		{40, []place{{"/bin/first", 0x420}}},
		{42, []place{{}}},
		{90, []place{{"/bin/second", 0x410}}},
	}
	if lost != 5 || !slices.EqualFunc(stacks, want, func(a, b stack) bool {
		return a.time == b.time && slices.Equal(a.frames, b.frames)
	}) {
		t.Errorf("lost %d, stacks %+v\nwant %+v", lost, stacks, want)
	}
	// Of these, the samples within a window count.
	folded := fold(stacks, []window{{15, 20}, {20, 41}}, NewSymbols())
	if len(folded) != 2 || !slices.Equal(folded[0].Frames, []string{"[first]", "[first]"}) {
		t.Errorf("folded to %+v", folded)
	}
}

// A truncated record is rejected and changes nothing.
func TestDecodeTakesAnything(t *testing.T) {
	good := written(recordSample, 0, [2]int{1, 1}, uint64(1), uint64(1), uint64(0x1000))
	for cut := range len(good) {
		if decode(good[:cut], func(record) {}) != 0 {
			t.Errorf("%d bytes are a record", cut)
		}
	}
	lying := written(recordSample, 0, [2]int{1, 1}, uint64(1), ^uint64(0), uint64(0x1000))
	decode(lying, func(r record) { t.Errorf("a chain longer than its record: %+v", r) })
	decode(make([]byte, 64), func(r record) { t.Errorf("a record of no bytes: %+v", r) })
	for kind := range uint32(12) {
		decode(written(kind, 0), func(r record) { t.Errorf("an empty record of kind %d: %+v", kind, r) })
	}
}

func TestNamesOfFunctions(t *testing.T) {
	for mangled, want := range map[string]string{
		"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE": "core::fmt::Formatter::pad",
		"_ZN7plonky35fieldILi3EE3addERKS1_":              "plonky3::field<3>::add",
		"_RNvNtCs1234_7mycrate3foo3bar":                  "mycrate::foo::bar",
		"main.(*prover).commit":                          "main.(*prover).commit",
		"memcpy@@GLIBC_2.14":                             "memcpy",
		"runtime.mallocgc":                               "runtime.mallocgc",
	} {
		if got := readable(mangled); got != want {
			t.Errorf("%s is %q, want %q", mangled, got, want)
		}
	}
	s := NewSymbols()
	for file, want := range map[string]string{"": "[unknown]", "[vdso]": "[vdso]", "/no/such/prover": "[prover]"} {
		if got := s.Name(file, 0x1000); got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
	if list := s.Nameless(); len(list) != 1 || !strings.Contains(list["[prover]"], "/no/such/prover") {
		t.Errorf("without names: %q", list)
	}
}

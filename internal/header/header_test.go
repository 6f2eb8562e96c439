package header

import (
	"reflect"
	"strings"
	"testing"
)

type pair struct{ Low, High uint32 }

func TestText(t *testing.T) {
	h := New("goldilocks.cuh").Constant("LIMIT", 7).Constant("MASK", 1<<40).
		Scoped("own", 3).Scoped("wide", 1<<40).Table("primes", []uint64{2, 3}).
		Struct("Job", struct {
			In         uint64    `cuda:"const u64 *"`
			Point      [3]uint64 `cuda:"Fp3"`
			Pairs      [2]pair   `cuda:"Pair[]"`
			LogSize, n uint32
			Scale      [2]uint64
		}{})
	const want = `// Generated from Go. Do not edit.
#pragma once
#include "goldilocks.cuh"
#define LIMIT 7u
#define MASK 1099511627776ull
constexpr u32 own = 3u;
constexpr u64 wide = 1099511627776ull;
CONSTANT u64 primes[2] = {2ull, 3ull};
struct Job {
    const u64 *in;
    Fp3 point;
    Pair pairs[2];
    u32 log_size;
    u32 n;
    u64 scale[2];
};
`
	text, asserts, _ := strings.Cut(h.String(), "static_assert")
	if text != want {
		t.Errorf("the header is\n%s\nwant\n%s", text, want)
	}
	for _, place := range []string{"in) == 0 &&", "point) == 8 &&", "pairs) == 32 &&", "log_size) == 48 &&",
		"n) == 52 &&", "scale) == 56 &&",
		"sizeof(Job::pairs) == 16,", "sizeof(Job) == 72,"} {
		if !strings.Contains(asserts, place) {
			t.Errorf("no assertion of %s in\n%s", place, asserts)
		}
	}
}

// A struct whose layout may differ from the kernel's is refused.
func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		of   any
		want string
	}{
		{struct {
			A uint32
			B uint64
		}{}, "4 bytes of padding before field B"},
		{struct {
			A uint64
			B uint32
		}{}, "4 bytes of padding at its end"},
		{struct {
			A struct {
				X uint64
				Y uint32
			} `cuda:"Inner"`
			B uint32
		}{}, "field A: 4 bytes of padding at its end"},
		{struct {
			A [2]struct {
				X uint32
				Y uint64
			} `cuda:"Inner[]"`
		}{}, "field A: 4 bytes of padding before field Y"},
		{struct{ A *uint64 }{}, "no fixed layout"},
		{struct{ A []uint64 }{}, "no fixed layout"},
		{struct{ A int }{}, "no fixed layout"},
		{struct{ A uintptr }{}, "no fixed layout"},
		{struct{ A bool }{}, "no fixed layout"},
		{struct{ A map[string]uint64 }{}, "no fixed layout"},
		{struct{ A pair }{}, "want a tag that names"},
		{struct {
			A uint64 `cuda:"Inner[]"`
		}{}, "is not an array"},
		{struct {
			A uint64 `cuda:""`
		}{}, "empty tag"},
		{struct{}{}, "no fields"},
		{uint64(1), "want a struct"},
		{nil, "want a struct"},
	} {
		text, err := structText("Job", reflect.TypeOf(tc.of))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%T gives %q and %v, want an error with %q", tc.of, text, err, tc.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a struct with a pointer is declared")
		}
	}()
	New().Struct("Job", struct{ A *uint64 }{})
}

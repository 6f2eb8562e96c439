package cpufeature

import (
	"cmp"
	"strings"
	"testing"
)

func TestSelect(t *testing.T) {
	before := Active()
	defer Set(before)
	if want := cmp.Or(strings.TrimPrefix(initial, "auto"), Best().String()); before.String() != want {
		t.Errorf("the level at start is %v, want %v", before, want)
	}
	for _, level := range Supported() {
		if err := Select(level.String()); err != nil {
			t.Errorf("Select(%q): %v", level, err)
		}
		if Active() != level {
			t.Errorf("after Select(%q) the level is %v", level, Active())
		}
	}
	if err := Select("generic"); err != nil {
		t.Error(err)
	}
	if err := Select("auto"); err != nil || Active() != Best() {
		t.Errorf("Select(auto): %v, level %v", err, Active())
	}
}

func TestSelectRefuses(t *testing.T) {
	before := Active()
	for name, part := range map[string]string{"": `unknown processor level ""`,
		"AVX2": "want auto, generic, avx2, avx512", "sse": `"sse"`} {
		if err := Select(name); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Select(%q): %v, want an error with %q", name, err, part)
		}
	}
	if err := Set(Best() + 1); err == nil {
		t.Error("set a level that the processor does not have")
	}
	if Active() != before {
		t.Errorf("a refused level changed the level to %v", Active())
	}
}

func TestByteDots(t *testing.T) {
	before := Active()
	defer Set(before)
	defer SetByteDots(true)
	for _, level := range Supported() {
		if err := Set(level); err != nil {
			t.Fatal(err)
		}
		if want := hasByteDots && level == AVX512; ByteDots() != want {
			t.Errorf("level %v: dot products of bytes: %v, want %v", level, ByteDots(), want)
		}
	}
	SetByteDots(false)
	if ByteDots() {
		t.Error("dot products of bytes that are not to be used")
	}
}

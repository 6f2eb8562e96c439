package memory_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
)

// touchedPage is the expected list entry of a page with touched words.
type touchedPage struct {
	first, last uint32
	count       int
}

func touchedPages(m *memory.Memory) (list []touchedPage) {
	m.EachTouched(func(first, last uint32, count int) { list = append(list, touchedPage{first, last, count}) })
	return list
}

// Flat memory and paged memory agree on every word, before and after all operations.
func TestFlatMemory(t *testing.T) {
	flat, paged := memory.New(), new(memory.Memory)
	if flat.Flat() == nil {
		t.Skip("there is no flat memory on this system")
	}
	places := []uint32{
		0, memorymap.FirstWord, memory.PageWords - 1, memory.PageWords, uint32(memorymap.Stack/8) - 1,
		uint32(memorymap.Stack / 8),
		memory.Plain - 1, memory.Plain, memorymap.EndWord - 1, 1<<29 - 1,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		at, value := places[random.IntN(len(places))], random.Uint64()
		if at < memorymap.EndWord-1 {
			at += random.Uint32N(2)
		}
		if a, b := flat.Load(at), paged.Load(at); a != b {
			t.Fatalf("word %#x is %#x, in pages %#x", at, a, b)
		}
		switch random.IntN(5) {
		case 4:
			compareReads(t, flat, paged, at, make([]uint64, random.IntN(4)))
		case 0:
			flat.Store(at, value)
			paged.Store(at, value)
		case 1:
			flat.Touch(at)
			paged.Touch(at)
		case 2:
			a, plain := flat.Read(at)
			if b, too := paged.Read(at); a != b || plain != too || plain != (at < memory.Plain) {
				t.Fatalf("word %#x is read as %#x, %v; in pages %#x, %v", at, a, plain, b, too)
			}
		default:
			a, b := flat.Write(at), paged.Write(at)
			if (a == nil) != (b == nil) {
				t.Fatalf("word %#x can be written in one of the memories alone", at)
			}
			if a != nil {
				*a, *b = value, value
			}
		}
	}
	total := 0
	for _, page := range touchedPages(flat) {
		total += page.count
	}
	if a, b := touchedPages(flat), touchedPages(paged); len(a) != 7 || !reflect.DeepEqual(a, b) {
		t.Fatalf("touched pages %v, in pages %v", a, b)
	}
	marked, again := taken(flat), taken(paged)
	for _, page := range touchedPages(paged) {
		t.Errorf("page %v is marked after its marks were taken", page)
	}
	for i, w := range marked {
		if w.Value != flat.Load(w.Index) || i > 0 && w.Index <= marked[i-1].Index {
			t.Errorf("word %#x is taken as %#x, after %#x", w.Index, w.Value, marked[max(i, 1)-1].Index)
		}
	}
	if len(marked) != total || !reflect.DeepEqual(marked, again) || touchedPages(flat) != nil || len(taken(flat)) > 0 {
		t.Errorf("%d marks of %d are taken, %d in pages, and then %v", len(marked), total, len(again), touchedPages(flat))
	}
	paged.Free()
	if paged.Load(marked[0].Index) != 0 || touchedPages(paged) != nil {
		t.Error("memory in pages has words after it was freed")
	}
	flat.Touch(memorymap.FirstWord)
	if list := touchedPages(flat); len(list) != 1 || list[0].count != 1 {
		t.Errorf("a word is marked again: %v", list)
	}
	if flat.Free(); flat.Flat() != nil {
		t.Error("flat memory stays after it was freed")
	}
}

// compareReads reads consecutive words from both memories, from one of them at once if all are plain.
func compareReads(t *testing.T, flat, paged *memory.Memory, at uint32, words []uint64) {
	t.Helper()
	if paged.ReadWords(at, words) {
		t.Error("paged memory reads words at once")
	}
	end := at + uint32(len(words))
	if read := flat.ReadWords(at, words); read != (end <= memory.Plain && len(words) > 0) {
		t.Errorf("words %#x to %#x are read at once: %v", at, end, read)
	} else if !read {
		return
	}
	for i, word := range words {
		if want, ok := paged.Read(at + uint32(i)); word != want || !ok {
			t.Errorf("word %#x is read as %#x, in pages %#x", at+uint32(i), word, want)
		}
	}
}

// taken are the marked words, whose marks are removed.
func taken(m *memory.Memory) (list []memorymap.Word) {
	m.TakeTouched(func(w memorymap.Word) { list = append(list, w) })
	return list
}

// A region has its listed words.
func TestSetRegion(t *testing.T) {
	for _, length := range []int{0, 1, 8, 13, 16} {
		data := bytes.Repeat([]byte{0xa5, 7}, 10)[:length]
		region, listed := memory.New(), memory.New()
		region.SetRegion(memorymap.PrivateInput, data)
		listed.SetWords(memorymap.Words(memorymap.PrivateInput, data))
		for index := uint32(memorymap.PrivateInput / 8); index < uint32(memorymap.PrivateInput/8)+5; index++ {
			if a, b := region.Load(index), listed.Load(index); a != b {
				t.Errorf("%d bytes: word %#x is %#x, listed %#x", length, index, a, b)
			}
		}
	}
}

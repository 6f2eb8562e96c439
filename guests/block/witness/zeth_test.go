package witness

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// zethWriter writes values as bincode 1 does.
type zethWriter struct{ out []byte }

func (w *zethWriter) length(n int) { w.out = binary.LittleEndian.AppendUint64(w.out, uint64(n)) }

func (w *zethWriter) bytes(data []byte) {
	w.length(len(data))
	w.out = append(w.out, data...)
}

// padded returns a number in size bytes, highest byte first.
func padded(number []byte, size int) []byte { return append(make([]byte, size-len(number)), number...) }

func (w *zethWriter) number(number []byte, width int) { w.bytes(padded(number, width)) }

func (w *zethWriter) integer(number []byte, width int) {
	digits := padded(number, width)
	slices.Reverse(digits)
	w.out = append(w.out, digits...)
}

func (w *zethWriter) option(present bool) bool {
	if w.out = append(w.out, 0); present {
		w.out[len(w.out)-1] = 1
	}
	return present
}

func (w *zethWriter) list(all [][]byte) {
	w.length(len(all))
	for _, data := range all {
		w.bytes(data)
	}
}

func parts(t testing.TB, list []byte) []rlpItem {
	t.Helper()
	item, _, err := cut(list)
	if err != nil {
		t.Fatal(err)
	}
	all, err := items(item.payload)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (w *zethWriter) header(t testing.TB, header []byte) {
	f := parts(t, header)
	for _, field := range f[:6] {
		w.bytes(field.payload)
	}
	if w.option(len(f) > 16) {
		w.bytes(f[16].payload)
	}
	w.bytes(f[6].payload)
	w.number(f[7].payload, 32)
	for _, field := range f[8:12] {
		w.integer(field.payload, 8)
	}
	w.bytes(f[13].payload)
	w.bytes(f[14].payload)
	for _, i := range []int{15, 17, 18} {
		if w.option(i < len(f)) {
			w.integer(f[i].payload, 8)
		}
	}
	for _, i := range []int{19, 20} {
		if w.option(i < len(f)) {
			w.bytes(f[i].payload)
		}
	}
	w.bytes(f[12].payload)
}

func (w *zethWriter) transaction(t testing.TB, raw []byte) {
	kind, list := raw[0], raw[1:]
	if kind >= 0xc0 {
		kind, list = 0, raw
	}
	f := parts(t, list)
	signature := f[len(f)-3:]
	w.number(signature[1].payload, 32)
	w.number(signature[2].payload, 32)
	parity := signature[0].payload
	var chain []byte
	if kind == 0 {
		v := binary.BigEndian.Uint64(padded(parity, 8))
		if parity = nil; v%2 == 0 {
			parity = []byte{1}
		}
		if v > 28 {
			chain = []byte{byte((v - 35) / 2)}
		}
	}
	w.number(parity, 8)
	w.out = binary.LittleEndian.AppendUint32(w.out, uint32(kind))
	to := func(payload []byte) {
		if w.option(len(payload) > 0) {
			w.bytes(payload)
		}
	}
	access := func(list rlpItem) {
		entries := parts(t, list.whole)
		w.length(len(entries))
		for _, e := range entries {
			entry := parts(t, e.whole)
			w.bytes(entry[0].payload)
			w.words(t, entry[1])
		}
	}
	switch kind {
	case 0:
		if w.option(chain != nil) {
			w.number(chain, 8)
		}
		w.integer(f[0].payload, 8)
		w.integer(f[1].payload, 16)
		w.integer(f[2].payload, 8)
		to(f[3].payload)
		w.number(f[4].payload, 32)
		w.bytes(f[5].payload)
	case 1:
		w.integer(f[0].payload, 8)
		w.integer(f[1].payload, 8)
		w.integer(f[2].payload, 16)
		w.integer(f[3].payload, 8)
		to(f[4].payload)
		w.number(f[5].payload, 32)
		access(f[7])
		w.bytes(f[6].payload)
	default:
		integer := w.integer
		if kind == 3 {
			integer = w.number
		}
		integer(f[0].payload, 8)
		integer(f[1].payload, 8)
		integer(f[4].payload, 8)
		integer(f[3].payload, 16)
		integer(f[2].payload, 16)
		if kind == 2 {
			to(f[5].payload)
		} else {
			w.bytes(f[5].payload)
		}
		w.number(f[6].payload, 32)
		access(f[8])
		switch kind {
		case 3:
			w.words(t, f[10])
			integer(f[9].payload, 16)
		case 4:
			list := parts(t, f[9].whole)
			w.length(len(list))
			for _, entry := range list {
				a := parts(t, entry.whole)
				w.number(a[0].payload, 32)
				w.bytes(a[1].payload)
				w.number(a[2].payload, 8)
				w.number(a[3].payload, 1)
				w.number(a[4].payload, 32)
				w.number(a[5].payload, 32)
			}
		}
		w.bytes(f[7].payload)
	}
}

func (w *zethWriter) words(t testing.TB, list rlpItem) {
	all := parts(t, list.whole)
	w.length(len(all))
	for _, word := range all {
		w.bytes(word.payload)
	}
}

// zethInput is a block as an input of zeth's guest.
func zethInput(t testing.TB, b *Block) []byte {
	t.Helper()
	w := &zethWriter{}
	w.header(t, b.Headers[0])
	w.length(len(b.Transactions))
	for _, raw := range b.Transactions {
		w.transaction(t, raw)
	}
	w.length(0) // ommers
	w.option(true)
	w.length(len(b.Withdrawals))
	for _, raw := range b.Withdrawals {
		f := parts(t, raw)
		w.number(f[0].payload, 8)
		w.number(f[1].payload, 8)
		w.bytes(f[2].payload)
		w.number(f[3].payload, 8)
	}
	w.length(len(b.Transactions))
	for range b.Transactions {
		w.bytes(make([]byte, 65))
	}
	w.list(b.Nodes)
	w.list(b.Codes)
	w.list([][]byte{{5, 6}})
	w.list(b.Headers[1:])
	return w.out
}

// small has one transaction of each type and one that creates a contract, and few nodes.
func small(t testing.TB) *Block {
	t.Helper()
	b := mainnet(t)
	withAncestors(t, b)
	b.Nodes, b.Codes, b.Transactions, b.Withdrawals = b.Nodes[:1], b.Codes[:0], b.Transactions[40:], b.Withdrawals[:1]
	return b
}

func TestFromZeth(t *testing.T) {
	b := mainnet(t)
	withAncestors(t, b)
	old := parts(t, b.Transactions[40])
	old[6].whole = []byte{28} // v without a chain's id
	unprotected := make([][]byte, len(old))
	for i, field := range old {
		unprotected[i] = field.whole
	}
	b.Transactions = append(b.Transactions, rlpList(unprotected...))
	got, err := FromZeth(1, zethInput(t, b))
	equal(t, "all", got, b, err)

	// Headers of older forks lack the last fields.
	fields := parts(t, b.Headers[0])
	for _, n := range []int{20, 17} {
		header := make([][]byte, n)
		for i := range header {
			header[i] = fields[i].whole
		}
		b.Headers[0] = rlpList(header...)
		got, err := FromZeth(1, zethInput(t, b))
		equal(t, fmt.Sprintf("header of %d fields", n), got, b, err)
	}
}

func TestFromZethRefuses(t *testing.T) {
	whole := zethInput(t, small(t))
	for n := range whole {
		if _, err := FromZeth(1, whole[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are taken", n, len(whole))
		}
	}
	// The offsets of values in the header, and of the first transaction after it. Bytes have a length of eight bytes.
	const (
		miner       = 2 * 40
		withdrawals = miner + 28 + 3*40
		tail        = withdrawals + 1 + 40 + 264 + 40 + 4*8 + 40 + 16 // options follow the nonce
		requests    = tail + 3*9 + 41
	)
	header := &zethWriter{}
	header.header(t, small(t).Headers[0])
	count := len(header.out)
	transaction := count + 8
	kind := transaction + 40 + 40 + 16
	to := kind + 4 + 1 + 16 + 8 + 16 + 8
	one := &zethWriter{}
	for _, raw := range small(t).Transactions {
		one.transaction(t, raw)
	}
	ommers := transaction + len(one.out)
	signers := ommers + 8 + 1 + 8 + 16 + 16 + 28 + 16
	// absent removes the optional value of size bytes.
	absent := func(at, size int) func([]byte) []byte {
		return func(b []byte) []byte { b[at] = 0; return slices.Delete(b, at+1, at+1+size) }
	}
	set := func(at int, value byte) func([]byte) []byte {
		return func(b []byte) []byte { b[at] = value; return b }
	}
	for name, c := range map[string]struct {
		change func([]byte) []byte
		at     int // the offset that the error names, or 0
		want   string
	}{
		"an address's size":   {set(miner, 21), miner, "header.miner: 21 bytes, want 20"},
		"an option":           {set(withdrawals, 2), withdrawals, "header.withdrawalsRoot: an optional value begins with 2"},
		"a gap in the header": {absent(tail+9, 8), 0, "header.excessBlobGas: present, but blobGasUsed is absent"},
		"a later gap":         {absent(requests-41, 40), 0, "header.requestsHash: present, but parentBeaconBlockRoot is"},
		"too many items":      {set(count+7, 1), 0, "transactions[5].r: "},
		"parity":              {set(kind-1, 2), kind - 8, "transactions[0].yParity: 0x0000000000000002, want 0 or 1"},
		"a high parity":       {set(kind-8, 1), kind - 8, "transactions[0].yParity"},
		"a type":              {set(kind, 5), kind, "transactions[0].type: 5: types 0 to 4"},
		"a high type":         {set(kind+3, 1), kind, "transactions[0].type"},
		"a recipient":         {set(to, 3), to, "transactions[0].to: an optional value begins with 3"},
		"another chain":       {set(kind+4+1+8+7, 5), kind + 13, "transactions[0].chainId: 0x05 as RLP, want chain 1"},
		"ommers":              {set(ommers, 1), ommers, "ommers: 1 headers"},
		"no withdrawals":      {set(ommers+8, 0), ommers + 8, "withdrawals: absent"},
		"a key's size":        {set(signers+8, 64), signers + 8, "signers[0].key: 64 bytes, want 65"},
		"a byte beyond":       {func(b []byte) []byte { return append(b, 0) }, 0, "headers: 1 trailing bytes"},
		"a key too few": {func(b []byte) []byte {
			b[signers]--
			return slices.Delete(b, signers+8, signers+8+8+65)
		}, 0, "signers: 4 keys for 5 transactions"},
	} {
		want := c.want
		if c.at > 0 {
			want = fmt.Sprintf("byte %d: %s", c.at, c.want)
		}
		if _, err := FromZeth(1, c.change(bytes.Clone(whole))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %q, want one with %q", name, fmt.Sprint(err), want)
		}
	}
	for i, kind := range []string{"0", "2", "4", "1", "3"} {
		b := small(t)
		b.Transactions = b.Transactions[i : i+1]
		if _, err := FromZeth(5, zethInput(t, b)); err == nil || !strings.Contains(err.Error(), "[0].chainId") {
			t.Errorf("a transaction of type %s and chain 1 in a block of chain 5: %v", kind, err)
		}
	}
	b := small(t)
	b.Headers = b.Headers[:1]
	if _, err := FromZeth(1, zethInput(t, b)); err == nil || !strings.Contains(err.Error(), "parent is missing") {
		t.Errorf("an input without the parent's header: %v", err)
	}
}

package witness

import (
	"bytes"
	"encoding/hex"
	"os"
	"testing"
)

// transactions of mainnet's blocks 24628607 and later, one of each type that occurs there.
var transactions = []string{
	"f86902843b9aca00826270948cf4dbfb9f34eb529bacba3651c8578ebf54a51c86f3eb50e440008025a0514c291ec0c8" +
		"3d650b59a913b25704b96a125e495ed6a6af0c9a6327642261e3a073951325d404fe30ffbdea617e68a1ded4ea8f0752" +
		"ee10d07de4feacbe945b5b",
	"02f894018302bf9c843b9aca008458ac38db8262709493f0bff75e171259e49cb3464eaed5ed49ec131687026185eeb5" +
		"c632a01479f1e765ea41d313b20b55862d9f45750a1acfa325eec64684925dcd830b5cc080a05b6518ff4bc11dad43ca" +
		"fd97c031582c54528eeeda6ea0144da04bc1350c024aa02f9409f43c36b3caf34fc674027594f8be9ac01d89e268b3f5" +
		"249bed93cb17c8",
	"04f8cd0182037f8405f5e1008438e1581c830186a09400000000000000000000000000000000000000008080c0f85ef8" +
		"5c019400000000000000000000000000000000000000008209b980a020014b639969f1ce744a00cbf6a5059ea1301a69" +
		"90eca426887b5705cf8f6f46a01e1eb873cfe4214ebacc8beee02fe44e03a91c402f07842ab9b406b61e1edd0901a07b" +
		"585c3f22c7c104273f12a5137399bbf8276149fa4ff4c35769c7765161ec60a07bf5b2cf53aeb2763d20966e4b16b1f7" +
		"89ab8820842b96f8a487a3d35438b9d5",
}

// made are unsigned transactions of the types missing there, with an access list.
func made() (all [][]byte) {
	twenty, word := rlpString(bytes.Repeat([]byte{7}, 20)), rlpString(bytes.Repeat([]byte{9}, 32))
	list := rlpList(rlpList(twenty, rlpList(word, word)), rlpList(twenty, rlpList()))
	one, none := rlpString([]byte{1}), rlpString(nil)
	data := rlpString([]byte("data of some bytes"))
	return [][]byte{
		append([]byte{1}, rlpList(one, none, one, one, none, one, data, list, one, word, word)...), // creates a contract
		append([]byte{3}, rlpList(
			one, one, one, one, one, twenty, none, data, list, one, rlpList(word, word), none, word, word)...),
	}
}

// mainnet is block 23587691, without its parent's header, and with transactions of all types.
func mainnet(t testing.TB) *Block {
	t.Helper()
	data, err := os.ReadFile("../testdata/mainnet-23587691.bin")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Encode(), data) {
		t.Fatal("encoding what was decoded gives other bytes")
	}
	if len(b.Transactions) != 40 || len(b.Withdrawals) != 16 || len(b.Nodes) != 864 || len(b.Codes) != 20 {
		t.Fatalf("%d transactions, %d withdrawals, %d nodes, %d codes",
			len(b.Transactions), len(b.Withdrawals), len(b.Nodes), len(b.Codes))
	}
	for _, digits := range transactions {
		raw, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		b.Transactions = append(b.Transactions, raw)
	}
	b.Transactions = append(b.Transactions, made()...)
	return b
}

// withAncestors is a block after a parent and a grandparent, whose headers are derived from its own.
func withAncestors(t testing.TB, b *Block) {
	t.Helper()
	after := func(header []byte, parent, state Hash) []byte {
		fields, err := headerFields(header)
		if err != nil {
			t.Fatal(err)
		}
		encoded := make([][]byte, len(fields))
		for i, f := range fields {
			encoded[i] = rlpString(f)
		}
		encoded[fieldParent], encoded[fieldState] = rlpString(parent[:]), rlpString(state[:])
		return rlpList(encoded...)
	}
	oldest := after(b.Headers[0], Hash{1}, Hash{2})
	parent := after(b.Headers[0], keccak(oldest), b.PreState)
	fields, _ := headerFields(b.Headers[0])
	own := after(b.Headers[0], keccak(parent), Hash(fields[fieldState]))
	b.Headers = [][]byte{own, parent, oldest}
}

func TestDecodeRefuses(t *testing.T) {
	small := (&Block{Headers: [][]byte{{1, 2, 3}}, Codes: [][]byte{{4}}}).Encode()
	if _, err := Decode(small); err != nil {
		t.Fatal(err)
	}
	for n := range small {
		if _, err := Decode(small[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are taken for an input", n, len(small))
		}
	}
	for name, change := range map[string]func([]byte) []byte{
		"other version":     func(b []byte) []byte { b[6] = '2'; return b },
		"a byte beyond":     func(b []byte) []byte { return append(b, 0) },
		"padding":           func(b []byte) []byte { b[48+8+8+3] = 1; return b },
		"a length too long": func(b []byte) []byte { b[48+8] = 255; return b },
		"a huge length":     func(b []byte) []byte { copy(b[48+8:], bytes.Repeat([]byte{255}, 8)); return b },
		"a huge list":       func(b []byte) []byte { copy(b[48:], bytes.Repeat([]byte{255}, 8)); return b },
	} {
		if b, err := Decode(change(bytes.Clone(small))); err == nil {
			t.Errorf("%s: taken for %+v", name, b)
		}
	}
}

func TestCanonicalRLP(t *testing.T) {
	for _, digits := range []string{
		"", "81", "8101", "b801ff", "b80101", "f801c0", "b9000100", "bfffffffffffffffff00", "c1", "f90001c0",
	} {
		data, _ := hex.DecodeString(digits)
		if item, _, err := cut(data); err == nil {
			t.Errorf("%s: taken for %+v", digits, item)
		}
	}
	long := bytes.Repeat([]byte{5}, 300)
	for _, s := range [][]byte{nil, {0}, {0x7f}, {0x80}, long[:55], long[:56], long} {
		for _, encoded := range [][]byte{rlpString(s), rlpList(s)} {
			item, rest, err := cut(append(bytes.Clone(encoded), 1, 2))
			if err != nil || !bytes.Equal(item.payload, s) || !bytes.Equal(item.whole, encoded) || len(rest) != 2 {
				t.Errorf("%d bytes: %+v, %d bytes rest, %v", len(s), item, len(rest), err)
			}
		}
	}
}

func TestAncestors(t *testing.T) {
	for name, change := range map[string]func(*Block) [][]byte{
		"a gap":         func(b *Block) [][]byte { return [][]byte{b.Headers[2]} },
		"one of others": func(b *Block) [][]byte { return [][]byte{b.Headers[1], b.Headers[2], rlpList(rlpString(nil))} },
		"itself":        func(b *Block) [][]byte { return b.Headers },
	} {
		b := mainnet(t)
		withAncestors(t, b)
		headers := change(b)
		b.Headers = b.Headers[:1]
		if err := b.addAncestors(headers); err == nil {
			t.Errorf("%s: the headers are taken", name)
		}
	}
}

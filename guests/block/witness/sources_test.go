package witness

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type object = map[string]any

func hexOf(data []byte) string { return "0x" + hex.EncodeToString(data) }

// quantity is a number in the format of nodes.
func quantity(number []byte) string {
	digits := strings.TrimLeft(hex.EncodeToString(number), "0")
	return "0x" + digits[:max(len(digits), 0)] + strings.Repeat("0", 1-min(len(digits), 1))
}

// named returns the items of a list by name. A name that begins with # belongs to a number.
func named(t testing.TB, list []byte, names string) object {
	t.Helper()
	item, _, err := cut(list)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := items(item.payload)
	if err != nil {
		t.Fatal(err)
	}
	o := object{}
	for i, name := range strings.Fields(names) {
		if number, ok := strings.CutPrefix(name, "#"); ok {
			o[number] = quantity(parts[i].payload)
		} else if parts[i].list {
			o[name] = parts[i].whole
		} else {
			o[name] = hexOf(parts[i].payload)
		}
	}
	return o
}

func each(t testing.TB, list any, one func(rlpItem) any) []any {
	t.Helper()
	item, _, err := cut(list.([]byte))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := items(item.payload)
	if err != nil {
		t.Fatal(err)
	}
	all := []any{}
	for _, part := range parts {
		all = append(all, one(part))
	}
	return all
}

func hexOfItem(i rlpItem) any { return hexOf(i.payload) }

// rpcTransaction is a transaction as eth_getBlockByNumber returns it.
func rpcTransaction(t testing.TB, raw []byte) object {
	const end = " #gas to #value input accessList "
	const blobs = "#maxFeePerBlobGas blobVersionedHashes "
	names := map[byte]string{
		1: "#chainId #nonce #gasPrice" + end + "#yParity #r #s",
		2: "#chainId #nonce #maxPriorityFeePerGas #maxFeePerGas" + end + "#yParity #r #s",
		3: "#chainId #nonce #maxPriorityFeePerGas #maxFeePerGas" + end + blobs + "#yParity #r #s",
		4: "#chainId #nonce #maxPriorityFeePerGas #maxFeePerGas" + end + "authorizationList #yParity #r #s",
	}
	var o object
	if kind, list := raw[0], raw[1:]; kind < 0xc0 {
		o = named(t, list, names[kind])
		o["type"] = fmt.Sprintf("0x%x", kind)
		o["accessList"] = each(t, o["accessList"], func(i rlpItem) any {
			entry := named(t, i.whole, "address storageKeys")
			entry["storageKeys"] = each(t, entry["storageKeys"], hexOfItem)
			return entry
		})
		if hashes, ok := o["blobVersionedHashes"]; ok {
			o["blobVersionedHashes"] = each(t, hashes, hexOfItem)
		}
		if list, ok := o["authorizationList"]; ok {
			o["authorizationList"] = each(t, list, func(i rlpItem) any {
				return named(t, i.whole, "#chainId address #nonce #yParity #r #s")
			})
		}
	} else {
		o = named(t, raw, "#nonce #gasPrice #gas to #value input #v #r #s")
		o["type"] = "0x0"
	}
	if o["to"] == "0x" {
		o["to"] = nil
	}
	o["hash"] = keccak(raw).String()
	return o
}

const headerNames = "parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom " +
	"#difficulty #number #gasLimit #gasUsed #timestamp extraData mixHash nonce " +
	"#baseFeePerGas withdrawalsRoot #blobGasUsed #excessBlobGas " +
	"parentBeaconBlockRoot requestsHash"

// rpcBlock is a block as eth_getBlockByNumber returns it.
func rpcBlock(t testing.TB, b *Block) object {
	t.Helper()
	o := named(t, b.Headers[0], headerNames)
	o["hash"] = keccak(b.Headers[0]).String()
	transactions, withdrawals := []any{}, []any{}
	for _, raw := range b.Transactions {
		transactions = append(transactions, rpcTransaction(t, raw))
	}
	for _, w := range b.Withdrawals {
		withdrawals = append(withdrawals, named(t, w, "#index #validatorIndex address #amount"))
	}
	o["transactions"], o["withdrawals"] = transactions, withdrawals
	return o
}

func hexes(list [][]byte) []any {
	all := []any{}
	for _, data := range list {
		all = append(all, hexOf(data))
	}
	return all
}

func rpcWitness(b *Block) object {
	headers := slices.Clone(b.Headers[1:])
	slices.Reverse(headers) // nodes begin with the oldest
	return object{"state": hexes(b.Nodes), "codes": hexes(b.Codes), "keys": []any{}, "headers": hexes(headers)}
}

func encode(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func rawBlock(b *Block) []byte {
	transactions := make([][]byte, len(b.Transactions))
	for i, raw := range b.Transactions {
		if transactions[i] = raw; raw[0] < 0xc0 {
			transactions[i] = rlpString(raw)
		}
	}
	return rlpList(b.Headers[0], rlpList(transactions...), rlpList(), rlpList(b.Withdrawals...))
}

func equal(t *testing.T, name string, got, want *Block, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: another block", name)
	}
}

// A node's answers give the same block in all formats that nodes return.
func TestFromNode(t *testing.T) {
	b := mainnet(t)
	withAncestors(t, b)
	witness := rpcWitness(b)
	reply := func(result any) []byte { return encode(t, object{"jsonrpc": "2.0", "id": 1, "result": result}) }
	for name, block := range map[string][]byte{
		"JSON":           encode(t, rpcBlock(t, b)),
		"a reply":        reply(rpcBlock(t, b)),
		"RLP":            rawBlock(b),
		"RLP in digits":  []byte(hexOf(rawBlock(b)) + "\n"),
		"RLP in a reply": reply(hexOf(rawBlock(b))),
	} {
		got, err := FromNode(1, block, encode(t, witness))
		equal(t, name, got, b, err)
	}
	got, err := FromNode(1, rawBlock(b), reply(witness))
	equal(t, "the witness in a reply", got, b, err)
}

// Every field of a block and of its transactions is checked. A missing, null or changed field is named.
func TestFromNodeRefuses(t *testing.T) {
	b := mainnet(t)
	withAncestors(t, b)
	b.Transactions = b.Transactions[39:]
	witness := encode(t, rpcWitness(b))
	refused := func(name string, block object) {
		if _, err := FromNode(1, encode(t, block), witness); err == nil {
			t.Errorf("%s: the block is taken", name)
		}
	}
	for name := range rpcBlock(t, b) {
		for what, value := range map[string]any{"none": nil, "a boolean": true, "no digits": "0x0g"} {
			o := rpcBlock(t, b)
			o[name] = value
			refused("block."+name+" is "+what, o)
		}
	}
	for i := range b.Transactions {
		for name, value := range rpcBlock(t, b)["transactions"].([]any)[i].(object) {
			for _, other := range []any{false, "0x1234567890123456789012345678901234567890"} {
				if value == nil && other == false {
					continue // creating a contract: to is null
				}
				o := rpcBlock(t, b)
				o["transactions"].([]any)[i].(object)[name] = other
				refused(fmt.Sprintf("block.transactions[%d].%s is %v", i, name, other), o)
			}
		}
	}
	for name, text := range map[string]string{
		"an error": `{"error": {"code": -32601, "message": "the method does not exist"}}`, "nothing": "", "null": "null",
		"two values": "{} {}", "digits": "0xc0", "a string": "0x80", "hashes alone": `{"result": ["0x00"]}`,
	} {
		if _, err := FromNode(1, []byte(text), witness); err == nil {
			t.Errorf("%s is taken for a block", name)
		}
	}
	for _, name := range []string{"state", "codes", "headers"} {
		o := maps.Clone(rpcWitness(b))
		delete(o, name)
		if _, err := FromNode(1, rawBlock(b), encode(t, o)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a witness without %s: %v", name, err)
		}
	}
	o := rpcWitness(b)
	o["headers"] = []any{}
	if _, err := FromNode(1, rawBlock(b), encode(t, o)); err == nil {
		t.Error("a witness without the parent's header is taken")
	}
}

// snake renames fields to Rust's style.
func snake(value any, renamed map[string]string) any {
	switch value := value.(type) {
	case object:
		o := object{}
		for name, field := range value {
			if other, ok := renamed[name]; ok {
				name = other
			}
			var text strings.Builder
			for _, c := range name {
				if c >= 'A' && c <= 'Z' {
					text.WriteByte('_')
				}
				text.WriteString(strings.ToLower(string(c)))
			}
			o[text.String()] = snake(field, renamed)
		}
		return o
	case []any:
		all := []any{}
		for _, v := range value {
			all = append(all, snake(v, renamed))
		}
		return all
	}
	return value
}

func scrollWitness(t testing.TB, b *Block) object {
	t.Helper()
	renamed := map[string]string{"sha3Uncles": "ommersHash", "miner": "beneficiary", "gas": "gasLimit"}
	block := rpcBlock(t, b)
	transactions := []any{}
	for _, value := range block["transactions"].([]any) {
		inner := snake(value, renamed).(object)
		name := [...]string{"Legacy", "Eip2930", "Eip1559", "Eip4844", "Eip7702"}[inner["type"].(string)[2]-'0']
		signature := object{"r": inner["r"], "s": inner["s"], "yParity": inner["y_parity"]}
		if name == "Legacy" {
			var v uint64
			fmt.Sscanf(inner["v"].(string), "0x%x", &v)
			signature["yParity"] = fmt.Sprintf("0x%x", (v+1)%2)
			if inner["chain_id"] = nil; v > 28 {
				inner["chain_id"] = fmt.Sprintf("0x%x", (v-35)/2)
			}
		}
		if inner["to"] == nil {
			inner["to"] = "Create"
		}
		for _, field := range []string{"r", "s", "v", "y_parity", "hash", "type"} {
			delete(inner, field)
		}
		transactions = append(transactions, object{"signature": signature, "transaction": object{name: inner}})
	}
	delete(block, "transactions")
	withdrawals := block["withdrawals"]
	delete(block, "withdrawals")
	return object{
		"chain_id": 1, "prev_state_root": b.PreState.String(), "header": snake(block, renamed), "transactions": transactions,
		"withdrawals": withdrawals, "block_hashes": []any{}, "states": hexes(b.Nodes), "codes": hexes(b.Codes),
	}
}

func TestFromScroll(t *testing.T) {
	b := mainnet(t)
	got, err := FromScroll(encode(t, scrollWitness(t, b)))
	equal(t, "all", got, b, err)
	for _, name := range []string{
		"chain_id", "prev_state_root", "header", "transactions", "withdrawals", "states", "codes",
	} {
		o := scrollWitness(t, b)
		delete(o, name)
		if _, err := FromScroll(encode(t, o)); err == nil {
			t.Errorf("a witness without %s is taken", name)
		}
	}
	o := scrollWitness(t, b)
	o["transactions"].([]any)[3].(object)["transaction"] = object{"Eip9999": object{}}
	if _, err := FromScroll(encode(t, o)); err == nil {
		t.Error("a transaction of no known type is taken")
	}
}

// rethInput is a block in bincode's format.
func rethInput(b *Block) []byte {
	number := func(to []byte, n int) []byte {
		switch {
		case n < 251:
			return append(to, byte(n))
		case n < 1<<16:
			return binary.LittleEndian.AppendUint16(append(to, 251), uint16(n))
		}
		return binary.LittleEndian.AppendUint32(append(to, 252), uint32(n))
	}
	public := rawBlock(b)
	public = append(number(nil, len(public)), public...)
	public = append(public, byte(b.ChainID), 1, 2, 3) // and an unused configuration
	var private []byte
	for _, list := range [][][]byte{b.Nodes, b.Codes, {{5, 6}}, b.Headers[1:]} {
		private = number(private, len(list))
		for _, data := range list {
			private = append(number(private, len(data)), data...)
		}
	}
	var out []byte
	for _, part := range [][]byte{public, private} {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(part)))
		out = append(append(out, part...), make([]byte, -len(part)&7)...)
	}
	return out
}

func TestFromReth(t *testing.T) {
	b := mainnet(t)
	withAncestors(t, b)
	got, err := FromReth(rethInput(b))
	equal(t, "all", got, b, err)
	b.Nodes, b.Codes, b.Transactions = b.Nodes[:2], b.Codes[:0], b.Transactions[40:]
	whole := rethInput(b)
	for n := range whole {
		if _, err := FromReth(whole[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are taken", n, len(whole))
		}
	}
	if _, err := FromReth(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a byte beyond is taken")
	}
	b.Headers = b.Headers[:1]
	if _, err := FromReth(rethInput(b)); err == nil {
		t.Error("an input without the parent's header is taken")
	}
}

// No input makes a reader panic, and every accepted input can be written and read again.
func FuzzReaders(f *testing.F) {
	b := small(f)
	witness := encode(f, rpcWitness(b))
	f.Add(b.Encode())
	f.Add(rethInput(b))
	f.Add(zethInput(f, b))
	f.Add(rawBlock(b))
	f.Add(encode(f, rpcBlock(f, b)))
	f.Add(encode(f, scrollWitness(f, b)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, read := range map[string]func([]byte) (*Block, error){
			"Decode": Decode, "FromReth": FromReth, "FromScroll": FromScroll,
			"FromZeth": func(data []byte) (*Block, error) { return FromZeth(1, data) },
			"FromNode": func(data []byte) (*Block, error) { return FromNode(1, data, witness) },
			"witness":  func(data []byte) (*Block, error) { return FromNode(1, rawBlock(b), data) },
		} {
			read, err := read(data)
			if err != nil {
				continue
			}
			if again, err := Decode(read.Encode()); err != nil || !bytes.Equal(again.Encode(), read.Encode()) {
				t.Errorf("%s: what was read is written and read as another block: %v", name, err)
			}
		}
	})
}

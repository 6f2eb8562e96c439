package witness

import (
	"fmt"
	"strings"
)

// FromScroll reads a witness in the form of the tests of scroll-tech/stateless-block-verifier (testdata/ethereum):
// block and witness in one object. It has the state's root before the block, but not the parent's header.
func FromScroll(data []byte) (*Block, error) {
	value, err := result(data)
	if err != nil {
		return nil, err
	}
	n, err := asNode("witness", camelCase(value))
	if err != nil {
		return nil, err
	}
	chainID, err := n.number("chainId")
	if err != nil {
		return nil, err
	}
	if len(chainID) > 8 {
		return nil, fmt.Errorf("witness.chainId is %#x", chainID)
	}
	b := &Block{}
	for _, digit := range chainID {
		b.ChainID = b.ChainID<<8 | uint64(digit)
	}
	state, err := n.bytes("prevStateRoot", 32)
	if err != nil {
		return nil, err
	}
	b.PreState = Hash(state)
	h, err := n.child("header")
	if err != nil {
		return nil, err
	}
	rename(h.object, map[string]string{"ommersHash": "sha3Uncles", "beneficiary": "miner"})
	header, err := jsonHeader(h)
	if err != nil {
		return nil, err
	}
	b.Headers = [][]byte{header}
	if err := b.scrollTransactions(n); err != nil {
		return nil, err
	}
	if b.Withdrawals, err = jsonWithdrawals(n); err != nil {
		return nil, err
	}
	if b.Nodes, err = n.byteStrings("states"); err != nil {
		return nil, err
	}
	b.Codes, err = n.byteStrings("codes")
	return b, err
}

func (b *Block) scrollTransactions(n node) error {
	list, err := n.list("transactions")
	if err != nil {
		return err
	}
	for i, value := range list {
		outer, err := asNode(fmt.Sprintf("witness.transactions[%d]", i), value)
		if err != nil {
			return err
		}
		t, err := flatten(outer)
		if err != nil {
			return err
		}
		encoded, err := jsonTransaction(t)
		if err != nil {
			return err
		}
		b.Transactions = append(b.Transactions, encoded)
	}
	return nil
}

// kinds are the types of transactions by name.
var kinds = map[string]string{"Legacy": "0x0", "Eip2930": "0x1", "Eip1559": "0x2", "Eip4844": "0x3", "Eip7702": "0x4"}

// flatten turns {"signature": {...}, "transaction": {"Eip1559": {...}}} into an object in the form that nodes return.
func flatten(outer node) (node, error) {
	signature, err := outer.child("signature")
	if err != nil {
		return node{}, err
	}
	inner, err := outer.child("transaction")
	if err != nil {
		return node{}, err
	}
	for name, kind := range kinds {
		if !inner.has(name) {
			continue
		}
		t, err := inner.child(name)
		if err != nil {
			return node{}, err
		}
		rename(t.object, map[string]string{"gasLimit": "gas"})
		if to, ok := t.object["to"].(string); ok && !strings.HasPrefix(to, "0x") {
			delete(t.object, "to") // "Create"
		}
		t.object["type"] = kind
		for _, field := range []string{"r", "s", "yParity"} {
			t.object[field] = signature.object[field]
		}
		if name == "Legacy" {
			return t, legacySignature(t)
		}
		return t, nil
	}
	return node{}, fmt.Errorf("%s has an unknown type", inner.at)
}

func legacySignature(t node) error {
	parity, err := t.number("yParity")
	if err != nil {
		return err
	}
	var chainID []byte
	if t.has("chainId") {
		if chainID, err = t.number("chainId"); err != nil {
			return err
		}
	}
	t.object["v"] = fmt.Sprintf("0x%x", legacyV(parity, chainID))
	return nil
}

func rename(object map[string]any, names map[string]string) {
	for from, to := range names {
		if value, ok := object[from]; ok {
			object[to] = value
		}
	}
}

// camelCase renames the fields of all objects in a value: state_root becomes stateRoot.
func camelCase(value any) any {
	switch value := value.(type) {
	case map[string]any:
		renamed := make(map[string]any, len(value))
		for name, field := range value {
			parts := strings.Split(name, "_")
			for i := 1; i < len(parts); i++ {
				if parts[i] != "" {
					parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
				}
			}
			renamed[strings.Join(parts, "")] = camelCase(field)
		}
		return renamed
	case []any:
		for i, item := range value {
			value[i] = camelCase(item)
		}
	}
	return value
}

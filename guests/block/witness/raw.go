package witness

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// fromRLP reads a block in the encoding of debug_getRawBlock.
func fromRLP(data []byte) (*Block, error) {
	item, rest, err := cut(data)
	switch {
	case err != nil:
		return nil, err
	case !item.list || len(rest) > 0:
		return nil, fmt.Errorf("not a block: a string in RLP, or %d bytes after it", len(rest))
	}
	parts, err := items(item.payload)
	if err != nil {
		return nil, err
	}
	if len(parts) != 4 {
		return nil, fmt.Errorf("not a block since Shanghai: %d parts, want header, transactions, ommers and withdrawals",
			len(parts))
	}
	for i, part := range parts {
		if !part.list {
			return nil, fmt.Errorf("part %d of the block is not a list", i)
		}
	}
	if len(parts[2].payload) > 0 {
		return nil, errors.New("the block has ommers: it is older than the Merge")
	}
	if _, err := headerFields(parts[0].whole); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	b := &Block{Headers: [][]byte{parts[0].whole}}
	transactions, err := items(parts[1].payload)
	if err != nil {
		return nil, fmt.Errorf("transactions: %w", err)
	}
	for _, t := range transactions {
		if t.list {
			b.Transactions = append(b.Transactions, t.whole)
		} else {
			b.Transactions = append(b.Transactions, t.payload)
		}
	}
	withdrawals, err := items(parts[3].payload)
	if err != nil {
		return nil, fmt.Errorf("withdrawals: %w", err)
	}
	for _, w := range withdrawals {
		b.Withdrawals = append(b.Withdrawals, w.whole)
	}
	return b, nil
}

// FromNode reads replies of a node: a block from eth_getBlockByNumber with whole transactions (JSON) or from
// debug_getRawBlock (hexadecimal digits or bytes), and its witness from debug_executionWitness. Both may be a whole
// reply or its result.
func FromNode(chainID uint64, block, executionWitness []byte) (*Block, error) {
	b, err := nodeBlock(block)
	if err != nil {
		return nil, fmt.Errorf("block: %w", err)
	}
	b.ChainID = chainID
	if err := b.readWitness(executionWitness); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	return b, nil
}

func nodeBlock(data []byte) (*Block, error) {
	if len(data) > 0 && data[0] >= 0xc0 {
		return fromRLP(data)
	}
	if text := strings.TrimSpace(string(data)); strings.HasPrefix(text, "0x") {
		raw, err := unhex(text)
		if err != nil {
			return nil, err
		}
		return fromRLP(raw)
	}
	value, err := result(data)
	if err != nil {
		return nil, err
	}
	if text, ok := value.(string); ok {
		raw, err := unhex(text)
		if err != nil {
			return nil, err
		}
		return fromRLP(raw)
	}
	return fromJSON(value)
}

// result returns a reply's result, or the value itself if it is not a reply.
func result(data []byte) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("a second value at byte %d", decoder.InputOffset())
	}
	if reply, ok := value.(map[string]any); ok {
		if failed, ok := reply["error"]; ok && failed != nil {
			return nil, fmt.Errorf("the node's reply is an error: %v", failed)
		}
		if inner, ok := reply["result"]; ok {
			return inner, nil
		}
	}
	return value, nil
}

// readWitness reads the result of debug_executionWitness.
func (b *Block) readWitness(data []byte) error {
	value, err := result(data)
	if err != nil {
		return err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return errors.New("not an object with state, codes and headers")
	}
	o := node{"witness", object}
	if b.Nodes, err = o.byteStrings("state"); err != nil {
		return err
	}
	if b.Codes, err = o.byteStrings("codes"); err != nil {
		return err
	}
	headers, err := o.byteStrings("headers")
	if err != nil {
		return err
	}
	return b.addParents(headers)
}

func unhex(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok {
		return nil, fmt.Errorf("%.20q has no 0x", text)
	}
	return hex.DecodeString(digits)
}

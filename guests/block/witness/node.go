package witness

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// node is a JSON object, with its place in the document for errors.
type node struct {
	at     string
	object map[string]any
}

func asNode(at string, value any) (node, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return node{}, fmt.Errorf("%s is not an object", at)
	}
	return node{at, object}, nil
}

// get returns a required field.
func (n node) get(name string) (any, error) {
	value, ok := n.object[name]
	if !ok || value == nil {
		return nil, fmt.Errorf("%s has no field %q", n.at, name)
	}
	return value, nil
}

func (n node) has(name string) bool { return n.object[name] != nil }

func (n node) child(name string) (node, error) {
	value, err := n.get(name)
	if err != nil {
		return node{}, err
	}
	return asNode(n.at+"."+name, value)
}

func (n node) list(name string) ([]any, error) {
	value, err := n.get(name)
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s.%s is not a list", n.at, name)
	}
	return list, nil
}

// bytes returns a field of hexadecimal digits. It must have size bytes, unless size is negative.
func (n node) bytes(name string, size int) ([]byte, error) {
	value, err := n.get(name)
	if err != nil {
		return nil, err
	}
	return toBytes(n.at+"."+name, value, size)
}

func toBytes(at string, value any, size int) ([]byte, error) {
	text, ok := value.(string)
	if !ok {
		return nil, fmt.Errorf("%s is not a string", at)
	}
	data, err := unhex(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	if size >= 0 && len(data) != size {
		return nil, fmt.Errorf("%s has %d bytes, want %d", at, len(data), size)
	}
	return data, nil
}

func (n node) byteStrings(name string) ([][]byte, error) {
	list, err := n.list(name)
	if err != nil {
		return nil, err
	}
	all := make([][]byte, len(list))
	for i, value := range list {
		if all[i], err = toBytes(fmt.Sprintf("%s.%s[%d]", n.at, name, i), value, -1); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// number returns a field that is a number, or a number in hexadecimal digits: most significant byte first, without
// leading zeros.
func (n node) number(name string) ([]byte, error) {
	value, err := n.get(name)
	if err != nil {
		return nil, err
	}
	text, base := "", 10
	switch value := value.(type) {
	case json.Number:
		text = value.String()
	case string:
		if digits, ok := strings.CutPrefix(value, "0x"); ok {
			text, base = digits, 16
		}
	}
	if number, ok := new(big.Int).SetString(text, base); ok && number.Sign() >= 0 && number.BitLen() <= 256 {
		return number.Bytes(), nil
	}
	return nil, fmt.Errorf("%s.%s is not a number below 2^256: %v", n.at, name, value)
}

// encoder encodes fields of an object, one after the other, up to the first error.
type encoder struct {
	node
	items [][]byte
	err   error
}

func (e *encoder) add(item []byte, err error) {
	if e.err == nil {
		e.items, e.err = append(e.items, item), err
	}
}

func (e *encoder) numbers(names ...string) {
	for _, name := range names {
		number, err := e.number(name)
		e.add(rlpString(number), err)
	}
}

func (e *encoder) strings(size int, names ...string) {
	for _, name := range names {
		data, err := e.bytes(name, size)
		e.add(rlpString(data), err)
	}
}

// list returns the list of the encoded fields.
func (e *encoder) list() ([]byte, error) { return rlpList(e.items...), e.err }

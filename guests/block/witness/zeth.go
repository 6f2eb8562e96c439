package witness

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// FromZeth reads an input of zeth's guest, as 0xPolygonHermez/zisk-eth-client published it until February 2026
// (bin/client/zeth/inputs). It is encoded with bincode 1:
//
//	header, transactions, ommers, withdrawals    field by field, not in RLP
//	signers' keys                                not needed
//	nodes, codes, keys, ancestors' headers       nodes and headers in RLP; keys are not needed
//
// The file lacks the chain's id. Each transaction that names a chain must name chainID.
func FromZeth(chainID uint64, data []byte) (*Block, error) {
	d := &bincode1{input: data}
	b := &Block{ChainID: chainID, Headers: [][]byte{d.header()}}
	transactions := d.each("transactions", func() {
		b.Transactions = append(b.Transactions, d.transaction(chainID))
	})
	if n := d.length("ommers"); n > 0 {
		d.fail("ommers", "%d headers: the block is older than the Merge", n)
	}
	if !d.option("withdrawals") {
		d.fail("withdrawals", "absent: the block is older than Shanghai")
	}
	d.each("withdrawals", func() {
		b.Withdrawals = append(b.Withdrawals, rlpList(d.rlpNumber("index", 8), d.rlpNumber("validatorIndex", 8),
			d.rlpBytes("address", 20), d.rlpNumber("amount", 8)))
	})
	if n := d.each("signers", func() { d.bytes("key", 65) }); n != transactions {
		d.fail("signers", "%d keys for %d transactions", n, transactions)
	}
	var headers [][]byte
	b.Nodes, b.Codes, _, headers = d.list("state"), d.list("codes"), d.list("keys"), d.list("headers")
	if left := len(data) - d.at; left > 0 {
		d.fail("headers", "%d trailing bytes after the list", left)
	}
	if d.err != nil {
		return nil, d.err
	}
	if err := b.addParents(headers); err != nil {
		return nil, err
	}
	return b, nil
}

// bincode1 reads values of bincode 1's default configuration up to the first error. Integers have a fixed width, lowest
// byte first. Bytes and lists begin with a length of eight bytes.
type bincode1 struct {
	input []byte
	at    int    // the offset of the next value
	last  int    // the offset of the last value, for errors
	path  string // what contains the next value, for errors
	err   error
}

func (d *bincode1) fail(field, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("byte %d: %s%s: %s", d.last, d.path, field, fmt.Sprintf(format, args...))
	}
}

// take returns the next n bytes, or nil after an error.
func (d *bincode1) take(field string, n uint64) []byte {
	if d.err != nil {
		return nil
	}
	d.last = d.at
	if left := uint64(len(d.input) - d.at); n > left {
		d.fail(field, "%d bytes, and %d are left", n, left)
		return nil
	}
	d.at += int(n)
	return d.input[d.last:d.at:d.at]
}

func (d *bincode1) length(field string) uint64 {
	var wide [8]byte
	copy(wide[:], d.take(field, 8))
	return binary.LittleEndian.Uint64(wide[:])
}

// bytes reads bytes. There must be size, unless size is negative.
func (d *bincode1) bytes(field string, size int) []byte {
	n := d.length(field)
	if size >= 0 && n != uint64(size) {
		d.fail(field, "%d bytes, want %d", n, size)
	}
	return d.take(field, n)
}

// option reports whether an optional value is present. Then the value follows.
func (d *bincode1) option(field string) bool {
	tag := d.take(field, 1)
	if d.err == nil && tag[0] > 1 {
		d.fail(field, "an optional value begins with %d, want 0 or 1", tag[0])
	}
	return d.err == nil && tag[0] == 1
}

// each calls read for each item of a list, and returns the number of items.
func (d *bincode1) each(field string, read func()) uint64 {
	n, outer := d.length(field), d.path
	for i := uint64(0); i < n && d.err == nil; i++ {
		d.path = fmt.Sprintf("%s%s[%d].", outer, field, i)
		read()
	}
	d.path = outer
	return n
}

func (d *bincode1) list(field string) (all [][]byte) {
	d.each(field, func() { all = append(all, d.bytes("bytes", -1)) })
	return all
}

// rlpBytes reads bytes and returns them as RLP.
func (d *bincode1) rlpBytes(field string, size int) []byte { return rlpString(d.bytes(field, size)) }

// rlpInteger reads an integer of width bytes and returns it as RLP.
func (d *bincode1) rlpInteger(field string, width int) []byte {
	digits := bytes.Clone(d.take(field, uint64(width)))
	slices.Reverse(digits)
	return rlpString(bytes.TrimLeft(digits, "\x00"))
}

// rlpNumber reads a number that is encoded as width bytes, highest byte first, and returns it as RLP.
func (d *bincode1) rlpNumber(field string, width int) []byte {
	return rlpString(bytes.TrimLeft(d.bytes(field, width), "\x00"))
}

// laterFields are the header's optional fields in the order of RLP.
var laterFields = []string{
	"baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot", "requestsHash",
}

func (d *bincode1) header() []byte {
	d.path = "header."
	defer func() { d.path = "" }()
	fields := [][]byte{
		d.rlpBytes("parentHash", 32), d.rlpBytes("sha3Uncles", 32), d.rlpBytes("miner", 20),
		d.rlpBytes("stateRoot", 32), d.rlpBytes("transactionsRoot", 32), d.rlpBytes("receiptsRoot", 32),
	}
	later := map[string][]byte{}
	optional := func(field string, read func(string, int) []byte, size int) {
		if d.option(field) {
			later[field] = read(field, size)
		}
	}
	optional("withdrawalsRoot", d.rlpBytes, 32)
	fields = append(fields,
		d.rlpBytes("logsBloom", 256), d.rlpNumber("difficulty", 32), d.rlpInteger("number", 8),
		d.rlpInteger("gasLimit", 8), d.rlpInteger("gasUsed", 8), d.rlpInteger("timestamp", 8))
	mix, nonce := d.rlpBytes("mixHash", 32), d.rlpBytes("nonce", 8)
	optional("baseFeePerGas", d.rlpInteger, 8)
	optional("blobGasUsed", d.rlpInteger, 8)
	optional("excessBlobGas", d.rlpInteger, 8)
	optional("parentBeaconBlockRoot", d.rlpBytes, 32)
	optional("requestsHash", d.rlpBytes, 32)
	fields = append(fields, d.rlpBytes("extraData", -1), mix, nonce)
	for i, name := range laterFields {
		field, ok := later[name]
		if !ok {
			continue
		}
		if i > 0 && later[laterFields[i-1]] == nil {
			d.fail(name, "present, but %s is absent", laterFields[i-1])
		}
		fields = append(fields, field)
	}
	return rlpList(fields...)
}

// transaction reads a signed transaction of any type up to EIP-7702's, and returns it as in the trie of transactions.
func (d *bincode1) transaction(chainID uint64) []byte {
	r, s, parity := d.rlpNumber("r", 32), d.rlpNumber("s", 32), d.bytes("yParity", 8)
	if d.err == nil && binary.BigEndian.Uint64(parity) > 1 {
		d.fail("yParity", "%#x, want 0 or 1", parity)
	}
	parity = bytes.TrimLeft(parity, "\x00")
	var wide [4]byte
	copy(wide[:], d.take("type", 4))
	kind := binary.LittleEndian.Uint32(wide[:])
	if kind > 4 {
		d.fail("type", "%d: types 0 to 4 are known", kind)
	}
	if kind == 0 {
		var chain []byte
		if d.option("chainId") {
			chain = bytes.TrimLeft(d.bytes("chainId", 8), "\x00")
			d.sameChain(rlpString(chain), chainID)
		}
		return rlpList(d.rlpInteger("nonce", 8), d.rlpInteger("gasPrice", 16), d.rlpInteger("gas", 8), d.recipient(),
			d.rlpNumber("value", 32), d.rlpBytes("input", -1), rlpString(legacyV(parity, chain)), r, s)
	}
	integer := d.rlpInteger
	if kind == 3 {
		integer = d.rlpNumber // the only type without an encoding of its own for bincode
	}
	chain := integer("chainId", 8)
	d.sameChain(chain, chainID)
	fields := [][]byte{chain, integer("nonce", 8)}
	if kind == 1 {
		fields = append(fields, integer("gasPrice", 16), integer("gas", 8))
	} else {
		gas, fee, tip := integer("gas", 8), integer("maxFeePerGas", 16), integer("maxPriorityFeePerGas", 16)
		fields = append(fields, tip, fee, gas)
	}
	if kind < 3 {
		fields = append(fields, d.recipient())
	} else {
		fields = append(fields, d.rlpBytes("to", 20))
	}
	value, access := d.rlpNumber("value", 32), d.accessList()
	var own [][]byte
	switch kind {
	case 3:
		hashes := d.words("blobVersionedHashes")
		own = [][]byte{integer("maxFeePerBlobGas", 16), hashes}
	case 4:
		own = [][]byte{d.authorizations()}
	}
	fields = append(fields, value, d.rlpBytes("input", -1), access)
	return append([]byte{byte(kind)}, rlpList(slices.Concat(fields, own, [][]byte{rlpString(parity), r, s})...)...)
}

func (d *bincode1) sameChain(encoded []byte, chainID uint64) {
	want := binary.BigEndian.AppendUint64(nil, chainID)
	if d.err == nil && !bytes.Equal(encoded, rlpString(bytes.TrimLeft(want, "\x00"))) {
		d.fail("chainId", "%#x as RLP, want chain %d: is it a block of another chain?", encoded, chainID)
	}
}

// recipient reads the recipient, which is absent if the transaction creates a contract.
func (d *bincode1) recipient() []byte {
	if !d.option("to") {
		return rlpString(nil)
	}
	return d.rlpBytes("to", 20)
}

func (d *bincode1) accessList() []byte {
	var all [][]byte
	d.each("accessList", func() { all = append(all, rlpList(d.rlpBytes("address", 20), d.words("storageKeys"))) })
	return rlpList(all...)
}

// words reads a list of 32-byte strings.
func (d *bincode1) words(field string) []byte {
	var all [][]byte
	d.each(field, func() { all = append(all, d.rlpBytes("bytes", 32)) })
	return rlpList(all...)
}

func (d *bincode1) authorizations() []byte {
	var all [][]byte
	d.each("authorizationList", func() {
		all = append(all, rlpList(d.rlpNumber("chainId", 32), d.rlpBytes("address", 20), d.rlpNumber("nonce", 8),
			d.rlpNumber("yParity", 1), d.rlpNumber("r", 32), d.rlpNumber("s", 32)))
	})
	return rlpList(all...)
}

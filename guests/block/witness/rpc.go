package witness

import (
	"fmt"
	"math/big"
)

// fromJSON reads a block in the form of eth_getBlockByNumber, with whole transactions. It compares the block's hashes
// with the hashes of its own encodings, so a wrong or unknown field is an error.
func fromJSON(value any) (*Block, error) {
	n, err := asNode("block", value)
	if err != nil {
		return nil, err
	}
	header, err := jsonHeader(n)
	if err != nil {
		return nil, err
	}
	if err := sameHash(n, header); err != nil {
		return nil, err
	}
	b := &Block{Headers: [][]byte{header}}
	transactions, err := n.list("transactions")
	if err != nil {
		return nil, err
	}
	for i, value := range transactions {
		t, err := asNode(fmt.Sprintf("block.transactions[%d]", i), value)
		if err != nil {
			return nil, err
		}
		encoded, err := jsonTransaction(t)
		if err == nil {
			err = sameHash(t, encoded)
		}
		if err != nil {
			return nil, err
		}
		b.Transactions = append(b.Transactions, encoded)
	}
	b.Withdrawals, err = jsonWithdrawals(n)
	return b, err
}

func sameHash(n node, encoded []byte) error {
	said, err := n.bytes("hash", 32)
	if err != nil {
		return err
	}
	if computed := keccak(encoded); Hash(said) != computed {
		return fmt.Errorf("%s.hash is %#x, its fields have %s", n.at, said, computed)
	}
	return nil
}

// jsonHeader encodes a block's header.
func jsonHeader(n node) ([]byte, error) {
	e := &encoder{node: n}
	e.strings(32, "parentHash", "sha3Uncles")
	e.strings(20, "miner")
	e.strings(32, "stateRoot", "transactionsRoot", "receiptsRoot")
	e.strings(256, "logsBloom")
	e.numbers("difficulty", "number", "gasLimit", "gasUsed", "timestamp")
	e.strings(-1, "extraData")
	e.strings(32, "mixHash")
	e.strings(8, "nonce")
	e.numbers("baseFeePerGas")
	e.strings(32, "withdrawalsRoot")
	if n.has("blobGasUsed") {
		e.numbers("blobGasUsed", "excessBlobGas")
		e.strings(32, "parentBeaconBlockRoot")
	}
	if n.has("requestsHash") {
		e.strings(32, "requestsHash")
	}
	return e.list()
}

func jsonWithdrawals(n node) (all [][]byte, err error) {
	list, err := n.list("withdrawals")
	for i, value := range list {
		w, err := asNode(fmt.Sprintf("block.withdrawals[%d]", i), value)
		if err != nil {
			return nil, err
		}
		e := &encoder{node: w}
		e.numbers("index", "validatorIndex")
		e.strings(20, "address")
		e.numbers("amount")
		encoded, err := e.list()
		if err != nil {
			return nil, err
		}
		all = append(all, encoded)
	}
	return all, err
}

// jsonTransaction encodes a transaction of any type up to EIP-7702's.
func jsonTransaction(n node) ([]byte, error) {
	kind, err := n.number("type")
	if err != nil {
		return nil, err
	}
	e := &encoder{node: n}
	if len(kind) == 0 {
		e.numbers("nonce", "gasPrice", "gas")
		e.recipient()
		e.numbers("value")
		e.strings(-1, "input")
		e.numbers("v", "r", "s")
		return e.list()
	}
	e.numbers("chainId", "nonce")
	switch kind[0] {
	case 1:
		e.numbers("gasPrice")
	case 2, 3, 4:
		e.numbers("maxPriorityFeePerGas", "maxFeePerGas")
	}
	if len(kind) > 1 || kind[0] > 4 {
		return nil, fmt.Errorf("%s is of type %#x: types 0 to 4 are known", n.at, kind)
	}
	e.numbers("gas")
	e.recipient()
	e.numbers("value")
	e.strings(-1, "input")
	e.add(jsonAccessList(n))
	switch kind[0] {
	case 3:
		e.numbers("maxFeePerBlobGas")
		hashes, err := n.byteStrings("blobVersionedHashes")
		for i, h := range hashes {
			hashes[i] = rlpString(h)
		}
		e.add(rlpList(hashes...), err)
	case 4:
		e.add(jsonAuthorizations(n))
	}
	e.numbers("yParity", "r", "s")
	list, err := e.list()
	return append([]byte{kind[0]}, list...), err
}

// recipient encodes the recipient, which is empty if the transaction creates a contract.
func (e *encoder) recipient() {
	if e.has("to") {
		e.strings(20, "to")
	} else {
		e.add(rlpString(nil), nil)
	}
}

func jsonAccessList(n node) ([]byte, error) {
	list, err := n.list("accessList")
	if err != nil {
		return nil, err
	}
	all := make([][]byte, len(list))
	for i, value := range list {
		entry, err := asNode(fmt.Sprintf("%s.accessList[%d]", n.at, i), value)
		if err != nil {
			return nil, err
		}
		keys, err := entry.list("storageKeys")
		if err != nil {
			return nil, err
		}
		encoded := make([][]byte, len(keys))
		for j, key := range keys {
			key, err := toBytes(fmt.Sprintf("%s.storageKeys[%d]", entry.at, j), key, 32)
			if err != nil {
				return nil, err
			}
			encoded[j] = rlpString(key)
		}
		e := &encoder{node: entry}
		e.strings(20, "address")
		e.add(rlpList(encoded...), nil)
		if all[i], err = e.list(); err != nil {
			return nil, err
		}
	}
	return rlpList(all...), nil
}

func jsonAuthorizations(n node) ([]byte, error) {
	list, err := n.list("authorizationList")
	if err != nil {
		return nil, err
	}
	all := make([][]byte, len(list))
	for i, value := range list {
		a, err := asNode(fmt.Sprintf("%s.authorizationList[%d]", n.at, i), value)
		if err != nil {
			return nil, err
		}
		e := &encoder{node: a}
		e.numbers("chainId")
		e.strings(20, "address")
		e.numbers("nonce", "yParity", "r", "s")
		if all[i], err = e.list(); err != nil {
			return nil, err
		}
	}
	return rlpList(all...), nil
}

// legacyV returns v for the signature of a transaction without a type: 27 or 28, or with the chain's id (EIP-155).
func legacyV(parity []byte, chainID []byte) []byte {
	v := new(big.Int).SetBytes(parity)
	if len(chainID) == 0 {
		return v.Add(v, big.NewInt(27)).Bytes()
	}
	twice := new(big.Int).Lsh(new(big.Int).SetBytes(chainID), 1)
	return v.Add(v, twice).Add(v, big.NewInt(35)).Bytes()
}

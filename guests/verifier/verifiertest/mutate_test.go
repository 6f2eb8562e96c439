package verifiertest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// mutate makes a changed file: half of the time it changes values, so that the file still decodes, else bytes.
func mutate(file []byte, random *rand.Rand) []byte {
	if random.IntN(2) == 0 {
		if changed := changeParts(file, random); changed != nil {
			return changed
		}
	}
	changed := bytes.Clone(file)
	for range 1 + random.IntN(2) {
		changed = changeBytes(changed, random)
	}
	return changed
}

// changeParts decodes a file, changes one or two of its parts at random and encodes it again. It returns nil if no file
// can represent the change.
func changeParts(file []byte, random *rand.Rand) []byte {
	if protocol.InShards(file) {
		var set protocol.Set
		if set.UnmarshalBinary(file) != nil {
			return nil
		}
		change(reflect.ValueOf(&set).Elem(), random)
		changed, err := set.MarshalBinary()
		if err != nil {
			return nil
		}
		return changed
	}
	var proof protocol.Proof
	if proof.UnmarshalBinary(file) != nil {
		return nil
	}
	for range 1 + random.IntN(2) {
		change(reflect.ValueOf(&proof).Elem(), random)
	}
	changed, err := proof.MarshalBinary()
	if err != nil {
		return nil
	}
	return changed
}

// change descends to a part at random: a field of a struct, an item of a list. For a list it may also change the order
// or the length.
func change(v reflect.Value, random *rand.Rand) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			change(v.Elem(), random)
		}
	case reflect.Struct:
		if field := v.Field(random.IntN(v.NumField())); field.CanSet() {
			change(field, random)
		}
	case reflect.Array:
		change(v.Index(random.IntN(v.Len())), random)
	case reflect.Slice:
		changeList(v, random)
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + int64([]int{-1, 1, 2, -v.Interface().(int)}[random.IntN(4)]))
	case reflect.Uint8:
		v.SetUint(v.Uint() ^ 1<<random.IntN(8))
	case reflect.Uint64, reflect.Uint32, reflect.Uint16:
		v.SetUint([]uint64{0, 1, v.Uint() + 1, goldilocks.Modulus - 1, random.Uint64N(goldilocks.Modulus)}[random.IntN(5)])
	case reflect.String:
		v.SetString([]string{"fib", "tour", "rv64im", "keccak", ""}[random.IntN(5)])
	}
}

func changeList(v reflect.Value, random *rand.Rand) {
	if v.Len() == 0 {
		if random.IntN(2) == 0 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		return
	}
	at, other := random.IntN(v.Len()), random.IntN(v.Len())
	switch random.IntN(12) {
	case 0:
		v.Set(reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v.Slice(0, at)),
			v.Slice(at+1, v.Len())))
	case 1:
		v.Set(reflect.Append(v, v.Index(at)))
	case 2:
		a, b := reflect.New(v.Type().Elem()).Elem(), v.Index(other)
		a.Set(v.Index(at))
		v.Index(at).Set(b)
		b.Set(a)
	default:
		change(v.Index(at), random)
	}
}

// changeBytes changes bytes of a file without knowledge of its format.
func changeBytes(file []byte, random *rand.Rand) []byte {
	if len(file) < 16 {
		return append(file, byte(random.Uint32()))
	}
	at := random.IntN(len(file))
	if random.IntN(3) == 0 {
		at = random.IntN(min(len(file), 400)) // where the counts are
	}
	length := min(1+random.IntN(1<<random.IntN(9)), len(file)-at)
	switch random.IntN(8) {
	case 0, 1:
		file[at] ^= 1 << random.IntN(8)
	case 2:
		file[at] = byte(random.Uint32())
	case 3:
		if at+8 <= len(file) {
			words := []uint64{0, goldilocks.Modulus - 1, goldilocks.Modulus, 1<<64 - 1, random.Uint64()}
			binary.LittleEndian.PutUint64(file[at:], words[random.IntN(len(words))])
		}
	case 4:
		if at+4 <= len(file) { // a count, perhaps
			count := binary.LittleEndian.Uint32(file[at:])
			binary.LittleEndian.PutUint32(file[at:], []uint32{count + 1, count - 1, 0, 1<<32 - 1, 2 * count}[random.IntN(5)])
		}
	case 5:
		return slices.Delete(file, at, at+length)
	case 6:
		return slices.Insert(file, at, bytes.Clone(file[at:at+length])...)
	default:
		to := random.IntN(len(file) - length + 1)
		copy(file[to:to+length], bytes.Clone(file[at:at+length]))
	}
	return file
}

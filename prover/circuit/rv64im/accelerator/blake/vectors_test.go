package blake_test

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/blake2b"

	own "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake2b"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake3"
)

// blake3Hash is BLAKE3 of data by the accelerator's function, built from compressions as specified: chunks of 1,024
// bytes, and a tree of them.
func blake3Hash(t *testing.T, data []byte) [32]byte {
	t.Helper()
	const chunkStart, chunkEnd, parent, root = 1, 2, 4, 8
	iv := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	compress := func(cv [8]uint32, block []byte, counter uint64, flags uint32) [8]uint32 {
		var padded [64]byte
		copy(padded[:], block)
		read := []uint64{counter, uint64(len(block)) | uint64(flags)<<32}
		for i := 0; i < 64; i += 8 {
			read = append(read, binary.LittleEndian.Uint64(padded[i:]))
		}
		for i := 0; i < 8; i += 2 {
			read = append(read, uint64(cv[i])|uint64(cv[i+1])<<32)
		}
		written, err := blake3.Kind.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range written {
			cv[2*i], cv[2*i+1] = uint32(w), uint32(w>>32)
		}
		return cv
	}
	chunk := func(data []byte, counter uint64, flags uint32) [8]uint32 {
		cv, start := iv, uint32(chunkStart)
		for len(data) > 64 {
			cv = compress(cv, data[:64], counter, start)
			data, start = data[64:], 0
		}
		return compress(cv, data, counter, start|chunkEnd|flags)
	}
	var tree func(data []byte, counter uint64, flags uint32) [8]uint32
	tree = func(data []byte, counter uint64, flags uint32) [8]uint32 {
		if len(data) <= 1024 {
			return chunk(data, counter, flags)
		}
		left := 1024
		for 2*left < len(data) {
			left *= 2
		}
		var block []byte
		for _, cv := range [][8]uint32{
			tree(data[:left], counter, 0), tree(data[left:], counter+uint64(left/1024), 0),
		} {
			for _, w := range cv {
				block = binary.LittleEndian.AppendUint32(block, w)
			}
		}
		return compress(iv, block, 0, parent|flags)
	}
	var digest [32]byte
	for i, w := range tree(data, 0, root) {
		binary.LittleEndian.PutUint32(digest[4*i:], w)
	}
	return digest
}

// The hashes of BLAKE3's official test vectors (test_vectors.json of its repository): bytes 0 to 250, again and again.
func TestBLAKE3Vectors(t *testing.T) {
	for length, want := range map[int]string{
		0:    "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
		1:    "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
		64:   "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98",
		65:   "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee",
		1023: "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
		1024: "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
		1025: "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
		2048: "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
		2049: "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030",
		8192: "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63",
	} {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(i % 251)
		}
		if got := blake3Hash(t, data); hex.EncodeToString(got[:]) != want {
			t.Errorf("%d bytes: %x, want %s", length, got, want)
		}
	}
}

// blake2bHash is BLAKE2b-512 of data by the accelerator's function, built as in RFC 7693.
func blake2bHash(t *testing.T, data []byte) [64]byte {
	t.Helper()
	iv := [8]uint64{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}
	h := iv
	h[0] ^= 0x01010040
	for at := 0; ; at += 128 {
		block, last := data[at:], true
		if len(block) > 128 {
			block, last = block[:128], false
		}
		var padded [128]byte
		copy(padded[:], block)
		read := []uint64{iv[4] ^ uint64(at+len(block)), iv[5], iv[6], iv[7]}
		if last {
			read[2] = ^read[2]
		}
		for i := 0; i < 128; i += 8 {
			read = append(read, binary.LittleEndian.Uint64(padded[i:]))
		}
		written, err := own.Kind.Result(append(read, h[:]...))
		if err != nil {
			t.Fatal(err)
		}
		if copy(h[:], written); last {
			break
		}
	}
	var digest [64]byte
	for i, w := range h {
		binary.LittleEndian.PutUint64(digest[8*i:], w)
	}
	return digest
}

// RFC 7693's example, which is also EIP-152's test vector 5, and messages of all lengths by golang.org/x/crypto.
func TestBLAKE2bVectors(t *testing.T) {
	const abc = "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1" +
		"7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
	if got := blake2bHash(t, []byte("abc")); hex.EncodeToString(got[:]) != abc {
		t.Errorf("abc: %x, want %s", got, abc)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 400 {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if got, want := blake2bHash(t, data), blake2b.Sum512(data); got != want {
			t.Fatalf("%d bytes: %x, want %x", length, got, want)
		}
	}
}

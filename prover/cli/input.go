package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// maxProofBytes is far more than the size of any proof; a longer file is rejected before it fills the memory.
const maxProofBytes = 1 << 30

// readFile reads a whole file of at most limit bytes.
func readFile(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size := int64(0)
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return readAtMost(path, file, size, limit)
}

// readAtMost reads a stream to its end, which is expected after size bytes. Without an error the result is not nil.
func readAtMost(name string, stream io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, tooLong(name, limit)
	}
	data := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(stream, limit+1)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, tooLong(name, limit)
	}
	return data.Bytes(), nil
}

func tooLong(name string, limit int64) error {
	return fmt.Errorf("%s is longer than %s, the limit", name, bytesText(uint64(limit)))
}

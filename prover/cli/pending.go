package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"
)

// pending is the temporary file of a proof, next to its path. The file and its pages are allocated and mapped while a
// device proves, so that writing the proof afterwards takes little time.
type pending struct {
	path   string
	file   *os.File
	size   int // the number of bytes allocated
	mapped mapped
	err    error
}

// beginPending starts to create the file with the expected size. The function that it returns waits for the file.
func beginPending(path string, size int) func() *pending {
	made := make(chan *pending, 1)
	go func() {
		p := &pending{path: path, size: size}
		if p.file, p.err = temporaryBeside(path); p.err == nil {
			p.err = p.file.Chmod(0o644)
		}
		if p.err == nil && size > 0 {
			_, p.err = p.file.Write(make([]byte, size))
		}
		if p.err == nil {
			p.mapped = mapFile(p.file, size)
		}
		made <- p
	}()
	return func() *pending { return <-made }
}

// drop removes the file.
func (p *pending) drop() {
	p.mapped.unmap()
	p.mapped = nil
	if p.file != nil {
		_ = p.file.Close() // the file is removed, so its content does not matter
		_ = os.Remove(p.file.Name())
		p.file = nil
	}
}

// put writes the data and moves the file to its path. It removes an existing file first: ext4 would start writing the
// new one to the disk if it replaced another.
func (p *pending) put(data []byte) (err error) {
	if err = p.err; err == nil {
		err = p.write(data)
	}
	if err == nil && len(data) < p.size {
		err = p.file.Truncate(int64(len(data)))
	}
	if err != nil {
		p.drop()
		return fmt.Errorf("%s: %w", p.path, reason(err))
	}
	name := p.file.Name()
	if err = p.file.Close(); err == nil {
		_ = os.Remove(p.path) // if this fails, so does the rename
		err = os.Rename(name, p.path)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.path, errors.Join(reason(err), os.Remove(name)))
	}
	p.file = nil
	return err
}

// write writes the data to the beginning of the file.
func (p *pending) write(data []byte) error {
	n := min(len(data), len(p.mapped))
	if p.mapped.fill(data[:n]) != nil {
		n = 0 // writing returns the reason
	}
	if n == len(data) {
		return nil
	}
	_, err := p.file.WriteAt(data[n:], int64(n))
	return err
}

// delivery is the result of writing and hashing a proof before a session replies.
type delivery struct {
	sum         string // SHA-256 in hexadecimal, empty if it was not requested
	begun       time.Time
	write, hash time.Duration
	err         error // of writing
}

// deliver writes a proof with write and, if hashed, computes its SHA-256 concurrently. Hashing takes longer and cannot
// be divided, so it stays on the calling goroutine, whose processor is awake.
func deliver(encoded []byte, hashed bool, write func([]byte) error) delivery {
	d := delivery{begun: time.Now()}
	if !hashed {
		d.err = write(encoded)
		d.write = time.Since(d.begun)
		return d
	}
	written := make(chan struct{})
	go func() {
		d.err = write(encoded)
		d.write = time.Since(d.begun)
		close(written)
	}()
	sum := sha256.Sum256(encoded)
	d.sum = hex.EncodeToString(sum[:])
	d.hash = time.Since(d.begun)
	<-written
	return d
}

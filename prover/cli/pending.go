package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"
)

// pending is a file in the making beside its path. Whoever waits for a proof waits for as little of it as possible: the
// file is made, and its pages are, while a device proves.
type pending struct {
	path string
	file *os.File
	size int // of what it was filled with
	err  error
}

// beginPending makes the file, as long as what it is expected to get. The function that it returns waits until it is
// there.
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
		made <- p
	}()
	return func() *pending { return <-made }
}

// drop removes the file.
func (p *pending) drop() {
	if p.file != nil {
		_ = p.file.Close() // what is removed needs no whole contents
		_ = os.Remove(p.file.Name())
		p.file = nil
	}
}

// put writes the data and moves the file to its path. A file that is there goes first: ext4 would begin to write the
// new one to the disk if it replaced another.
func (p *pending) put(data []byte) (err error) {
	if err = p.err; err == nil {
		_, err = p.file.WriteAt(data, 0)
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
		_ = os.Remove(p.path) // what cannot be removed stops the renaming
		err = os.Rename(name, p.path)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p.path, errors.Join(reason(err), os.Remove(name)))
	}
	p.file = nil
	return err
}

// replyTimes are what a session does between a proof and its reply.
type replyTimes struct{ write, hash time.Duration }

// writeHashed hands data to what writes it, and hashes it meanwhile: who asked for a proof waits for both.
func writeHashed(data []byte, write func([]byte) error) (sum [sha256.Size]byte, times replyTimes, err error) {
	hashed, begun := make(chan struct{}), time.Now()
	go func() {
		sum = sha256.Sum256(data)
		times.hash = time.Since(begun)
		close(hashed)
	}()
	err = write(data)
	wrote := time.Since(begun)
	<-hashed
	times.write = wrote
	return sum, times, err
}

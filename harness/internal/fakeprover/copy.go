package fakeprover

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// copies holds another prover's proofs that were seen in a folder, by seed.
type copies struct {
	once   sync.Once
	mu     sync.Mutex
	proofs map[string][]byte
}

// watch starts polling the folder.
func (c *copies) watch(folder string) {
	c.once.Do(func() {
		c.proofs = map[string][]byte{}
		go func() {
			for ; ; time.Sleep(100 * time.Microsecond) {
				c.look(filepath.Join(folder, "*"))
				c.look(filepath.Join(folder+"-handed", "*"))
			}
		}()
	})
}

func (c *copies) look(pattern string) {
	found, _ := filepath.Glob(pattern)
	for _, path := range found {
		// A complete proof has two lines.
		if text, err := os.ReadFile(path); err == nil && strings.Count(string(text), "\n") == 2 {
			c.mu.Lock()
			c.proofs[seedOf(string(text))] = text
			c.mu.Unlock()
		}
	}
}

// seedOf returns N of the field seed=N of a proof.
func seedOf(text string) string {
	_, after, _ := strings.Cut(text, "seed=")
	seed, _, _ := strings.Cut(after, " ")
	return seed
}

// of returns the proof of a seed, or nil.
func (c *copies) of(seed string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proofs[seed]
}

// stopOthers repeatedly stops the other children of the harness for 20 ms while there is no request.
func (m *model) stopOthers() {
	m.stopping.Do(func() {
		go func() {
			for ; ; time.Sleep(5 * time.Millisecond) {
				for _, pid := range group.Children(os.Getppid()) {
					if pid == os.Getpid() || m.busy.Load() {
						continue
					}
					_ = syscall.Kill(pid, syscall.SIGSTOP) // it may have ended
					time.Sleep(20 * time.Millisecond)
					_ = syscall.Kill(pid, syscall.SIGCONT)
				}
			}
		}()
	})
}

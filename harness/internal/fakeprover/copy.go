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

// copies are proofs of somebody else that were seen in a folder, by what they begin with.
type copies struct {
	once   sync.Once
	mu     sync.Mutex
	proofs map[string][]byte
}

// watch looks into the folder from now on.
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
		// Whole, it has two lines.
		if text, err := os.ReadFile(path); err == nil && strings.Count(string(text), "\n") == 2 {
			c.mu.Lock()
			c.proofs[seedOf(string(text))] = text
			c.mu.Unlock()
		}
	}
}

// seedOf is the word seed=N of a proof.
func seedOf(text string) string {
	_, after, _ := strings.Cut(text, "seed=")
	seed, _, _ := strings.Cut(after, " ")
	return seed
}

// of returns the proof of a seed, nil where none was seen.
func (c *copies) of(seed string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proofs[seed]
}

// stopOthers stops the other children of the harness, for 20 ms again and again, while nothing is asked.
func (m *model) stopOthers() {
	m.stopping.Do(func() {
		go func() {
			for ; ; time.Sleep(5 * time.Millisecond) {
				for _, pid := range group.Children(os.Getppid()) {
					if pid == os.Getpid() || m.busy.Load() {
						continue
					}
					_ = syscall.Kill(pid, syscall.SIGSTOP) // it may be gone
					time.Sleep(20 * time.Millisecond)
					_ = syscall.Kill(pid, syscall.SIGCONT)
				}
			}
		}()
	})
}

package aggregate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// mostShards is the largest number of shards of a lift, and the largest arity of a join.
const mostShards = 4

// Lifts makes parts from a run's shards, and one proof from the parts. It begins a lift as soon as the lift's shards
// are added, while other shards may still be being proven. The first lift determines the number of shards per lift.
type Lifts struct {
	builder *Builder
	child   *Child // its set has only the commitments at first
	common  protocol.Common
	span    int // leaves of the tree over all shards: a power of two

	ctx     context.Context
	cancel  context.CancelCauseFunc
	working sync.WaitGroup

	mu    sync.Mutex
	width int // shards per lift, a power of two; 0 until the first lift is known to fit
	there []bool
	begun map[int]bool // by first shard: planned if there is no width yet, else made
	queue []func() error
	lanes int // goroutines that serve the queue
	parts map[int][]byte
}

// Lift begins to lift a run in shards. The set has the commitments of all shards (see [protocol.Key.Outline]). Their
// proofs, which must be valid under the common challenges, are passed to [Lifts.Add] later.
func (b *Builder) Lift(ctx context.Context, name string, key *protocol.Key, set *protocol.Set,
	common protocol.Common) (*Lifts, error) {
	run, err := statementOf(key.ProgramID(), set.Shards[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.newLifts(ctx, &Child{Name: name, Tree: &Tree{Run: run}, set: set, key: key}, common), nil
}

func (b *Builder) newLifts(ctx context.Context, c *Child, common protocol.Common) *Lifts {
	set := *c.set
	set.Shards = slices.Clone(set.Shards)
	child := *c
	child.set = &set
	l := &Lifts{
		builder: b, child: &child, common: common, span: 1, there: make([]bool, len(set.Shards)),
		begun: map[int]bool{}, parts: map[int][]byte{},
	}
	for l.span < len(set.Shards) {
		l.span *= 2
	}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	return l
}

// lifted makes one proof of a child in shards.
func (b *Builder) lifted(ctx context.Context, c *Child) (*Child, error) {
	common, err := verify.Together(c.set, c.key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	lifts := b.newLifts(ctx, c, common)
	defer lifts.Close()
	for i, shard := range c.set.Shards {
		lifts.Add(i, shard)
	}
	return lifts.Root()
}

// Add adds the proof of a shard, and starts lifts whose shards are then complete.
func (l *Lifts) Add(number int, proof *protocol.Proof) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.child.set.Shards[number], l.there[number] = proof, true
	l.start()
}

// start starts all lifts whose shards are complete. l.mu must be locked. As long as the width is unknown, it plans
// lifts of the largest width instead, and the first lift determines the width.
func (l *Lifts) start() {
	width := l.width
	if width == 0 {
		width = min(l.span, mostShards)
	}
	for first := 0; first < len(l.there); first += width {
		if end := l.end(first, width); l.begun[first] || slices.Contains(l.there[first:end], false) {
			continue
		}
		l.begun[first] = true
		switch {
		case l.width > 0:
			l.add(func() error { return l.make(first, width) })
		case first > 0:
			l.add(func() error { return l.plan(first, width) })
		default:
			l.working.Go(func() { l.ended(l.decide()) })
		}
	}
}

// add queues work. l.mu must be locked.
func (l *Lifts) add(work func() error) {
	l.queue = append(l.queue, work)
	if l.lanes < l.builder.Prover.Lanes() {
		l.lanes++
		l.working.Go(l.work)
	}
}

// work runs queued work in order, until the queue is empty or something has failed.
func (l *Lifts) work() {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 || l.ctx.Err() != nil {
			l.lanes--
			l.mu.Unlock()
			return
		}
		next := l.queue[0]
		l.queue = l.queue[1:]
		l.mu.Unlock()
		l.ended(next())
	}
}

// ended stops everything if err is not nil.
func (l *Lifts) ended(err error) {
	if err != nil {
		l.cancel(err)
	}
}

func (l *Lifts) end(first, width int) int { return min(first+width, len(l.there)) }

// input returns the private input of a lift.
func (l *Lifts) input(first, width int) ([]byte, error) {
	l.mu.Lock()
	set := *l.child.set
	set.Shards = slices.Clone(set.Shards)
	l.mu.Unlock()
	file, err := set.Part(first, l.end(first, width))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.child.Name, err)
	}
	return liftInput(l.builder.ID, &place{len(set.Shards), first, width, l.common}, file), nil
}

// decide finds the width: the largest, a power of two, whose first lift fits.
func (l *Lifts) decide() error {
	width := min(l.span, mostShards)
	for ; ; width /= 2 {
		input, err := l.input(0, width)
		if err == nil {
			err = l.builder.Prover.Plan(l.ctx, l.builder.inner(), input)
		}
		if err == nil {
			err = l.builder.Prover.Fits(l.ctx, l.builder.inner(), input)
		}
		if err == nil {
			break
		}
		if width == 1 || !isTooLarge(err) {
			return fmt.Errorf("%s: %w", l.what(0, width), err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.width, l.queue = width, nil // lifts plan themselves
	clear(l.begun)
	l.start()
	return nil
}

// plan runs the verification of a lift while the width is unknown. A lift that is too large is not an error: it may get
// fewer shards.
func (l *Lifts) plan(first, width int) error {
	input, err := l.input(first, width)
	if err == nil {
		err = l.builder.Prover.Plan(l.ctx, l.builder.inner(), input)
	}
	if err == nil || isTooLarge(err) {
		return nil
	}
	return fmt.Errorf("%s: %w", l.what(first, width), err)
}

// make makes a lift.
func (l *Lifts) make(first, width int) error {
	input, err := l.input(first, width)
	if err != nil {
		return err
	}
	part, err := l.builder.part(l.ctx, l.what(first, width), input)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parts[first] = part
	return nil
}

func (l *Lifts) what(first, width int) string {
	name, end := l.child.Name, l.end(first, width)
	if end == first+1 {
		return fmt.Sprintf("%s, shard %d", name, first)
	}
	return fmt.Sprintf("%s, shards %d to %d", name, first, end-1)
}

// errClosed ends lifts whose result is not wanted any more.
var errClosed = errors.New("the lifts are closed")

// Close ends the lifts, and waits for lifts that are running. Afterwards, Root fails.
func (l *Lifts) Close() {
	l.cancel(errClosed)
	l.working.Wait()
}

// Root waits for the lifts of all shards, and proves the run's statement. All shards must have been added.
func (l *Lifts) Root() (*Child, error) {
	l.working.Wait()
	if l.ctx.Err() != nil {
		return nil, context.Cause(l.ctx)
	}
	var parts [][]byte
	for first := 0; first < len(l.there); first += max(l.width, 1) {
		part := l.parts[first]
		if part == nil {
			return nil, fmt.Errorf("%s: no lift has shard %d: not all shards were added", l.child.Name, first)
		}
		parts = append(parts, part)
	}
	return l.builder.root(l.ctx, l.child, parts, l.span/l.width)
}

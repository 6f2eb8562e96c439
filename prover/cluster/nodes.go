package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// nodesVersion is the version of the request of [Nodes]: workers of releases that know only shards reject it.
const nodesVersion = 2

// NodesOrder describes the job of an aggregation.
type NodesOrder struct {
	Machine string // from which Build makes the program
	File    []byte // of the program
	Of      string // identifies the aggregated proofs: equal orders are one job
	Title   string // for lists
}

// Nodes has whole runs of one program proven by the workers of a cluster: the nodes of an aggregation. Tasks, leases
// and exclusions work as for shards. A job's results stay in the cluster, so that the same order finds them again.
type Nodes struct {
	c       *Coordinator // its work is nil
	order   NodesOrder
	program bus.Digest
	asked   chan *nodeRequest
	ended   chan struct{}
	cause   error // why it ended
}

// NodeRun is a run that a worker is to prove.
type NodeRun struct {
	Key   *protocol.Key
	Input []byte // private
	Limit uint64
	Aim   circuit.Aim

	// Check verifies a proof, and compares what it states with the run. It may be called concurrently.
	Check func(proof []byte) error
}

// nodeRequest is a run with its task, until it is answered.
type nodeRequest struct {
	NodeRun
	ctx      context.Context
	task     *wholeRun
	tag      string
	examined map[bus.Digest]*nodeExamination
	answer   chan nodeAnswer // has room for one
}

type nodeAnswer struct {
	proof []byte
	err   error
}

// nodeExamination is the result of verifying a proof.
type nodeExamination struct {
	done  bool
	proof []byte
	err   error
}

// StartNodes requests the job of an aggregation, or continues it, and serves its runs until the context ends.
func StartNodes(ctx context.Context, space *Space, order NodesOrder, o CoordinatorOptions) (*Nodes, error) {
	file, err := space.objects.Put(ctx, order.File)
	if err != nil {
		return nil, err
	}
	request := &Request{Version: nodesVersion, Machine: order.Machine, Program: &file, Of: order.Of}
	id, encoded, err := request.id()
	if err != nil {
		return nil, err
	}
	digest, err := space.objects.Put(ctx, encoded)
	if err != nil {
		return nil, err
	}
	c := newCoordinator(space, id, nil, newStopwatch(), o)
	first := &State{Request: digest, Title: order.Title, Begun: time.Now().UTC(), Status: statusRunning}
	if err := c.enter(ctx, first); err != nil {
		return nil, err
	}
	if err := c.reopen(ctx); err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	n := &Nodes{c: c, order: order, program: file, asked: make(chan *nodeRequest), ended: make(chan struct{})}
	go func() {
		defer close(n.ended)
		n.cause = n.serve(ctx)
	}()
	return n, nil
}

// reopen sets a job that is done to running: its results may have expired.
func (c *Coordinator) reopen(ctx context.Context) error {
	for {
		state, revision, err := c.space.state(ctx, c.id)
		if err != nil || state.Status != statusDone {
			return err
		}
		next := state.clone()
		next.Status = statusRunning
		if done, err := c.space.change(ctx, c.id, next, revision); err != nil || done {
			return err
		}
	}
}

// ID returns the id of the job.
func (n *Nodes) ID() string { return n.c.id }

// End ends the job: no more runs are wanted. why is the error that the aggregation ends with, or nil.
func (n *Nodes) End(ctx context.Context, why error) error {
	if why == nil {
		return n.c.space.end(ctx, n.c.id, statusDone, "")
	}
	if n.running(ctx) != nil {
		return nil // another process has ended it
	}
	return n.c.space.end(ctx, n.c.id, statusFailed, why.Error())
}

// Try reports whether a proof of a run fits a worker's device: its error wraps a *backend.MemoryError or a
// *backend.HeightError if it does not.
func (n *Nodes) Try(ctx context.Context, r NodeRun) error {
	_, err := n.ask(ctx, r, true)
	return err
}

// Prove has a run proven, and returns a proof that Check accepted. It excludes workers whose proofs Check rejects.
func (n *Nodes) Prove(ctx context.Context, r NodeRun) ([]byte, error) { return n.ask(ctx, r, false) }

func (n *Nodes) ask(ctx context.Context, r NodeRun, try bool) ([]byte, error) {
	input, err := n.c.space.objects.Put(ctx, r.Input)
	if err != nil {
		return nil, err
	}
	request := &nodeRequest{NodeRun: r, ctx: ctx, examined: map[bus.Digest]*nodeExamination{},
		answer: make(chan nodeAnswer, 1),
		task: &wholeRun{Machine: n.order.Machine, Program: n.program, Key: keyText(r.Key), Input: input, Limit: r.Limit,
			Params: r.Key.Params, Aim: r.Aim, Try: try}}
	request.tag = request.task.tag()
	select {
	case n.asked <- request:
	case <-n.ended:
		return nil, n.cause
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case said := <-request.answer:
		return said.proof, said.err
	case <-n.ended:
		return nil, n.cause
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// examinedNode is a proof with the result of its verification.
type examinedNode struct {
	of    *nodeRequest
	which bus.Digest
	nodeExamination
}

// serve advances all requests until the context or the job ends.
func (n *Nodes) serve(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c, found := n.c, make(chan examinedNode)
	pending := map[*nodeRequest]bool{}
	poll := time.NewTicker(c.options.Poll)
	defer poll.Stop()
	for {
		if err := n.advance(ctx, pending, found); err != nil {
			return err
		}
		select {
		case request := <-n.asked:
			pending[request] = true
		case entry := <-c.updates:
			if entry != nil {
				c.note(entry)
			}
		case e := <-found:
			e.of.examined[e.which] = &e.nodeExamination
		case <-poll.C:
			if err := n.running(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// running returns an error if the job was cancelled or has failed.
func (n *Nodes) running(ctx context.Context) error {
	state, _, err := n.c.space.state(ctx, n.c.id)
	switch {
	case err != nil:
		return err
	case state.Status == statusCancelled:
		return fmt.Errorf("job %s was cancelled", n.c.id)
	case state.Status == statusFailed:
		return fmt.Errorf("job %s failed: %s", n.c.id, state.Why)
	}
	return nil
}

// advance answers the requests that can be answered, and sends the tasks of the others.
func (n *Nodes) advance(ctx context.Context, pending map[*nodeRequest]bool, found chan examinedNode) error {
	var queued map[string][]string
	for request := range pending {
		said, err := n.answer(ctx, request, found)
		switch {
		case err != nil:
			return err
		case said != nil:
			request.answer <- *said
			delete(pending, request)
			continue
		case request.ctx.Err() != nil:
			delete(pending, request)
			continue
		case request.examining():
			continue
		}
		if queued == nil {
			if queued, err = n.c.queued(ctx); err != nil {
				return err
			}
		}
		if err := n.c.sendOne(ctx, &shardTask{Job: n.c.id, Node: request.task}, nil, queued); err != nil {
			return err
		}
	}
	return nil
}

// examining reports whether a proof is being verified, so that no other proof is needed for now.
func (r *nodeRequest) examining() bool {
	for _, e := range r.examined {
		if !e.done {
			return true
		}
	}
	return false
}

// answer judges the results of a request. It returns nil as long as no result is decisive.
func (n *Nodes) answer(ctx context.Context, r *nodeRequest, found chan examinedNode) (*nodeAnswer, error) {
	c := n.c
	for _, report := range c.reports(r.tag, 0) {
		switch {
		case report.Unable != "":
			continue
		case r.task.Try:
			return &nodeAnswer{}, nil
		case report.Proof == nil:
			if err := c.accuse(ctx, report.seat, -1, "it returned no proof of a node"); err != nil {
				return nil, err
			}
			continue
		}
		e := r.examined[*report.Proof]
		switch {
		case e == nil:
			r.examined[*report.Proof] = new(nodeExamination)
			go n.examine(ctx, r, *report.Proof, found)
		case !e.done:
		case isLie(e.err):
			if err := c.accuse(ctx, report.seat, -1, e.err.Error()); err != nil {
				return nil, err
			}
		case e.err != nil:
			return &nodeAnswer{err: e.err}, nil
		default:
			c.options.Progress(Event{Shard: -1, What: "node proven", Worker: report.seat.shown(), Seconds: report.Seconds})
			return &nodeAnswer{proof: e.proof}, nil
		}
	}
	if r.examining() {
		return nil, nil
	}
	return n.giveUp(r), nil
}

// examine verifies a proof once a core is free.
func (n *Nodes) examine(ctx context.Context, r *nodeRequest, which bus.Digest, found chan examinedNode) {
	e := examinedNode{of: r, which: which}
	e.done = true
	select {
	case n.c.examiners <- struct{}{}:
		defer func() { <-n.c.examiners }()
	case <-ctx.Done():
		return
	}
	if e.proof, e.err = n.c.space.objects.Get(ctx, which); e.err == nil {
		if err := r.Check(e.proof); err != nil {
			e.err = &lieError{fmt.Errorf("its proof of a node is not valid: %w", err)}
		}
	}
	select {
	case found <- e:
	case <-ctx.Done():
	}
}

// giveUp answers a request that workers report they cannot do.
func (n *Nodes) giveUp(r *nodeRequest) *nodeAnswer {
	c := n.c
	unable, silent := c.unable(r.tag, 0), c.silent(r.tag, 0)
	maps.DeleteFunc(unable, func(seat seatName, _ string) bool { return !c.alive(seat) }) // of an earlier command, perhaps
	if silent < c.options.Silent && (len(unable) == 0 || len(unable) < unableSeats && c.able(unable)) {
		return nil
	}
	errs := []error{errors.New("no worker can do it")}
	if silent > 0 {
		errs = append(errs, fmt.Errorf("%d seats that had the task fell silent", silent))
	}
	for _, seat := range slices.Sorted(maps.Keys(unable)) {
		errs = append(errs, &unableError{seat.shown(), c.results[resultKey(c.id, r.tag, 0, seat)]})
	}
	return &nodeAnswer{err: fmt.Errorf("job %s: %w", c.id, errors.Join(errs...))}
}

// unableError is the reason of a seat that cannot do a task.
type unableError struct {
	seat string
	*shardResult
}

func (e *unableError) Error() string { return e.seat + ": " + strings.TrimSpace(e.Unable) }

func (e *unableError) Unwrap() (reasons []error) {
	if e.Memory != nil {
		reasons = append(reasons, e.Memory)
	}
	if e.Height != nil {
		reasons = append(reasons, e.Height)
	}
	return reasons
}

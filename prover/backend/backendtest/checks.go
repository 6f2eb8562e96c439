package backendtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/setup"
)

func stagesAreEqual(c *Case) error { return c.compare(c.Params.Layout(), c.Sizes[0]) }

// otherLayouts compares proofs with blowups, arities, final polynomial lengths, cap heights and a hash that no preset
// has.
func otherLayouts(c *Case) error {
	for _, layout := range []protocol.Layout{
		{LogBlowup: 1, LogArity: 4, LogFinalLength: 0, CapHeight: 0},
		{LogBlowup: 2, LogArity: 3, LogFinalLength: 1, CapHeight: 1},
		{LogBlowup: 3, LogArity: 1, LogFinalLength: 2, CapHeight: 6, Hash: merkle.Blake3},
	} {
		if err := c.compare(layout, c.Sizes[0]); err != nil {
			return err
		}
	}
	return nil
}

// proofs makes one proof of each size with one prover.
func (c *Case) proofs(b backend.Backend, options prove.Options, sizes ...int) (encoded [][]byte, err error) {
	key, err := setup.NewKey(c.Fillers.Machine, c.Params)
	if err != nil {
		return nil, err
	}
	p, err := prove.NewProver(key, c.Fillers, b, backend.Budget{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	for _, size := range sizes {
		execution, err := c.Execute(size)
		if err != nil {
			return nil, err
		}
		proof, _, err := p.Prove(context.Background(), execution, options)
		if err != nil {
			return nil, fmt.Errorf("size %d: %w", size, err)
		}
		data, err := proof.MarshalBinary()
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, bytes.Clone(data))
	}
	return encoded, nil
}

func (c *Case) sameProofs(options prove.Options, sizes ...int) error {
	want, err := c.proofs(c.Reference, prove.Options{}, sizes...)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	got, err := c.proofs(c.Backend, options, sizes...)
	if err != nil {
		return err
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			at := 0
			for at < min(len(got[i]), len(want[i])) && got[i][at] == want[i][at] {
				at++
			}
			return fmt.Errorf("proof %d (size %d) has %d bytes, the reference's %d, and they differ from byte %d", i, sizes[i],
				len(got[i]), len(want[i]), at)
		}
	}
	return nil
}

func proofsAreEqual(c *Case) error { return c.sameProofs(prove.Options{}, c.Sizes[1]) }

func filesAreEqual(c *Case) error {
	return c.sameProofs(prove.Options{Encode: true}, c.Sizes[0], c.Sizes[0])
}

// proofsFollow abandons a proof after each of its stages, and makes proofs of different heights one after the other.
func proofsFollow(c *Case) error {
	layout, size := c.Params.Layout(), c.Sizes[0]
	want, err := c.walked(c.Reference, layout, size)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	stages := len(want) - 1 // without the caps
	err = c.opened(c.Backend, layout, func(p backend.Prover) error {
		for last := 1; last < stages; last++ {
			execution, err := c.Execute(size)
			if err != nil {
				return err
			}
			w := newWalk(c.Fillers, execution, layout)
			w.last = last
			if err := w.take(p, execution); !errors.Is(err, errAbandoned) {
				return fmt.Errorf("a proof after one that ended with %s: %w", want[last].stage, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := c.sameProofs(prove.Options{}, c.Sizes[1], c.Sizes[0], c.Sizes[1]); err != nil {
		return fmt.Errorf("on one prover: %w", err)
	}
	return c.compare(layout, c.Sizes[0], c.Sizes[1], c.Sizes[0])
}

func oneProofIsOpen(c *Case) error {
	execution, err := c.Execute(c.Sizes[0])
	if err != nil {
		return err
	}
	p, err := c.Backend.Open(c.Fillers, c.Params.Layout(), backend.Budget{})
	if err != nil {
		return err
	}
	first, err := p.Begin(execution.Instances())
	if err != nil {
		return errors.Join(err, p.Close())
	}
	second, err := p.Begin(execution.Instances())
	if err == nil {
		second.Close()
	}
	if !errors.Is(err, backend.ErrOrder) {
		first.Close()
		return errors.Join(fmt.Errorf("it begins a second proof: %v", err), p.Close())
	}
	if err := p.Close(); err != nil {
		first.Close()
		return errors.Join(fmt.Errorf("a prover with an open proof cannot be closed: %w", err), p.Close())
	}
	first.Close() // does nothing
	if err := p.Close(); err != nil {
		return fmt.Errorf("a second close: %w", err)
	}
	if after, err := p.Begin(execution.Instances()); !errors.Is(err, backend.ErrOrder) {
		if err == nil {
			after.Close()
		}
		return fmt.Errorf("a closed prover begins a proof: %v", err)
	}
	return nil
}

// memoryIsLimited opens the backend with the predicted memory, which must suffice, and with too little, which must
// fail.
func memoryIsLimited(c *Case) error {
	execution, err := c.Execute(c.Sizes[1])
	if err != nil {
		return err
	}
	layout, instances := c.Params.Layout(), execution.Instances()
	var need uint64
	err = c.opened(c.Backend, layout, func(p backend.Prover) (err error) {
		need, err = p.Peak(instances)
		return err
	})
	if err != nil {
		return err
	}
	if shape := protocol.NewShape(c.Fillers.Machine, layout, instances); need < columnBytes(shape) {
		return fmt.Errorf("Peak: it predicts %d bytes, and the main columns alone have %d", need, columnBytes(shape))
	}
	enough, err := c.Backend.Open(c.Fillers, layout, backend.Budget{Limit: need, Reserve: instances})
	if err != nil {
		return fmt.Errorf("with the predicted %d bytes: %w", need, err)
	}
	w := newWalk(c.Fillers, execution, layout)
	if err := errors.Join(w.take(enough, execution), enough.Close()); err != nil {
		return fmt.Errorf("with the predicted %d bytes: %w", need, err)
	}
	const little = 1 << 10
	var refused *backend.MemoryError
	p, err := c.Backend.Open(c.Fillers, layout, backend.Budget{Limit: little, Reserve: instances})
	if err == nil {
		err = errors.Join(errors.New("no error"), p.Close())
	}
	if !errors.As(err, &refused) || refused.HaveBytes != little || refused.NeedBytes <= little {
		return fmt.Errorf("open with %d bytes: %w; want a *backend.MemoryError with both figures", little, err)
	}
	return nil
}

// columnBytes returns the size of the main columns.
func columnBytes(shape *protocol.Shape) (total uint64) {
	const elementBytes = 8
	for _, matrix := range shape.Matrices(protocol.Main) {
		total += uint64(matrix.Width) * elementBytes << matrix.LogHeight
	}
	return total
}

func otherInstances(c *Case) error {
	small, errSmall := c.Execute(c.Sizes[0])
	large, errLarge := c.Execute(c.Sizes[1])
	if err := errors.Join(errSmall, errLarge); err != nil {
		return err
	}
	return c.opened(c.Backend, c.Params.Layout(), func(p backend.Prover) error {
		begun, err := p.Begin(large.Instances())
		if err != nil {
			return err
		}
		defer begun.Close()
		if _, err := begun.Trace(small); err == nil {
			return errors.New("Trace: a proof takes an execution of other instances")
		}
		return nil
	})
}

// missesAreFound sends a public message that no row answers, on every lookup bus.
func missesAreFound(c *Case) error {
	execution, err := c.Execute(c.Sizes[0])
	if err != nil {
		return err
	}
	m := c.Fillers.Machine
	return c.opened(c.Backend, c.Params.Layout(), func(p backend.Prover) error {
		for _, bus := range m.Buses {
			if bus.Kind != air.Lookup {
				continue
			}
			values := make([]goldilocks.Element, bus.Arity())
			for i := range values {
				values[i] = goldilocks.Element(goldilocks.Modulus - 1)
			}
			messages := append(m.Messages(execution.Public()),
				circuit.Message{Bus: bus, Kind: air.Send, Multiplicity: 1, Values: values})
			if err := counted(p, execution, messages); !errors.Is(err, backend.ErrLookupMiss) {
				return fmt.Errorf("Count: a message on bus %s that no row has: %w, want ErrLookupMiss", bus.Name, err)
			}
		}
		return nil
	})
}

// counted takes a proof through Count and returns its error.
func counted(p backend.Prover, execution machine.Execution, messages []circuit.Message) error {
	begun, err := p.Begin(execution.Instances())
	if err != nil {
		return err
	}
	defer begun.Close()
	traced, err := begun.Trace(execution)
	if err != nil {
		return err
	}
	_, err = traced.Count(messages)
	return err
}

// zerosAreFound chooses challenges for which the fingerprint of a message of the trace is zero.
func zerosAreFound(c *Case) error {
	execution, err := c.Execute(c.Sizes[0])
	if err != nil {
		return err
	}
	traces, err := c.Fillers.Traces(parallel.New(0), execution)
	if err != nil {
		return err
	}
	w := newWalk(c.Fillers, execution, c.Params.Layout())
	beta := w.extension()
	for _, instance := range w.shape.Claiming() {
		table, trace := traces[instance].Table, traces[instance].Trace
		nodes := make([]goldilocks.Element, len(table.Graph))
		table.EvaluateRow(trace, trace.Rows()-2, execution.Public().Values, nodes)
		interaction := table.Interactions[len(table.Interactions)-1]
		alpha, power := goldilocks.FromBase(goldilocks.Element(interaction.Bus.Index)), goldilocks.Extension{1}
		for _, node := range interaction.Values {
			power = power.Mul(beta)
			alpha = alpha.Add(power.MulBase(nodes[node]))
		}
		challenges := protocol.LogUpChallenges{Alpha: alpha.Neg(), Beta: beta}
		err := c.opened(c.Backend, c.Params.Layout(), func(p backend.Prover) error {
			begun, err := p.Begin(w.shape.Instances)
			if err != nil {
				return err
			}
			defer begun.Close()
			main, err := w.toMain(begun, execution)
			if err != nil {
				return err
			}
			_, _, err = main.LogUp(challenges)
			return err
		})
		if !errors.Is(err, backend.ErrZeroDenominator) {
			return fmt.Errorf("LogUp: a message of table %s has the fingerprint 0: %w, want ErrZeroDenominator", table.Name, err)
		}
	}
	return nil
}

func layersArePlanned(c *Case) error {
	execution, err := c.Execute(c.Sizes[0])
	if err != nil {
		return err
	}
	w := newWalk(c.Fillers, execution, c.Params.Layout())
	w.fewer = true
	err = c.opened(c.Backend, c.Params.Layout(), func(p backend.Prover) error { return w.take(p, execution) })
	if err == nil || len(w.noted) == 0 || w.noted[len(w.noted)-1].stage == "Gather" {
		return errors.New("Gather: no error for a plan of one layer too few")
	}
	if last := w.noted[len(w.noted)-1].stage; last != "Grind" {
		return fmt.Errorf("%s: %w", last, err)
	}
	return nil
}

package aggregate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Open returns a file that shows the runs with these numbers and hides the others by replacing them in the tree with
// digests. It has the same proof, and [Verify] accepts it.
func (f *File) Open(numbers ...int) (*File, error) {
	if err := f.Tree.whole(); err != nil {
		return nil, err
	}
	all := len(f.Tree.Runs())
	for _, number := range numbers {
		if number < 0 || number >= all {
			return nil, fmt.Errorf("no run %d: want 0 to %d", number, all-1)
		}
	}
	if len(numbers) == 0 {
		return nil, errors.New("no run to open")
	}
	next := 0
	opened := &File{Tree: f.Tree.open(numbers, &next), Runs: all, Proof: f.Proof}
	if !opened.Tree.hides() {
		return nil, errors.New("every run is to be opened, which is the file itself")
	}
	return opened, nil
}

// open shows runs by their numbers and hides other trees. next is the number of the tree's first run, and then of the
// run after the tree.
func (t *Tree) open(numbers []int, next *int) *Tree {
	opened, shows := new(Tree), false
	if t.Run != nil {
		opened, shows = t, slices.Contains(numbers, *next)
		*next++
	}
	for _, child := range t.Children {
		made := child.open(numbers, next)
		shows = shows || made.Hidden == nil
		opened.Children = append(opened.Children, made)
	}
	if !shows {
		digest := t.Digest()
		return &Tree{Hidden: &digest}
	}
	return opened
}

// hides reports whether something in the tree is hidden.
func (t *Tree) hides() bool {
	return t.Hidden != nil || slices.ContainsFunc(t.Children, (*Tree).hides)
}

// whole rejects openings.
func (t *Tree) whole() error {
	if t.hides() {
		return errors.New("it is an opening, which hides runs: give the whole file")
	}
	return nil
}

// Positions returns the position of each shown run in the tree, in the order of [Tree.Runs]: the indices of children
// from the root down, separated by dots. The digest binds them. The number of runs in a hidden tree is unknown.
func (t *Tree) Positions() (list []string) {
	t.positions(nil, &list)
	return list
}

func (t *Tree) positions(path []string, list *[]string) {
	if t.Run != nil {
		*list = append(*list, strings.Join(path, "."))
	}
	for i, child := range t.Children {
		child.positions(append(slices.Clone(path), strconv.Itoa(i)), list)
	}
}

// checkOpening rejects an opening that shows no run, hides nothing, or has an impossible number of runs.
func (r *reader) checkOpening(tree *Tree, shown, all int) {
	switch {
	case r.err != nil || !r.opening:
	case shown == 0:
		r.fail("an opening that shows no run")
	case !tree.hides():
		r.fail("an opening that hides nothing: want version %d", fileVersion)
	case all <= shown || all > maxRuns:
		r.fail("an opening of %d runs that shows %d, want more than it shows and at most %d", all, shown, maxRuns)
	}
}

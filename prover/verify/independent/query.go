package independent

import (
	"errors"
	"fmt"
	"slices"
)

// shifted returns the positions in a smaller layer.
func (v *verification) shifted(logSize int) []uint64 {
	var positions []uint64
	for _, position := range v.positions {
		positions = append(positions, position>>(v.largest()-logSize))
	}
	return positions
}

func (v *verification) openings() error {
	hash := v.params.hasher()
	for phase := range phases {
		shapes, _ := v.matrices(phase)
		if len(shapes) == 0 {
			continue
		}
		positions := v.shifted(tallest(shapes))
		if err := v.trees[phase].check(hash, shapes, v.params.capHeight, v.caps[phase], positions); err != nil {
			return fmt.Errorf("phase %d: %w", phase, err)
		}
	}
	for i, o := range v.layers {
		shape, nodes := v.layer(i), v.layerCaps[i]
		o.layer = true
		positions := v.shifted(tallest(shape))
		if err := o.check(hash, shape, v.params.capHeight, v.file[nodes.from:nodes.to], positions); err != nil {
			return fmt.Errorf("FRI layer %d: %w", i, err)
		}
	}
	return nil
}

// row returns the opened row of matrix m, which has 2^logSize rows, for a position.
func (v *verification) row(tree openedTree, m, logSize int, position uint64) elements {
	shift := v.largest() - logSize
	return tree.row(m, slices.Index(distinct(v.positions, shift), position>>shift))
}

// deep returns the value at a position of the DEEP codeword of the class whose extension has 2^logSize points. some is
// false if there is no such class.
func (v *verification) deep(logSize int, position uint64) (sum ext, some bool) {
	index := position >> (v.largest() - logSize)
	x := ext{mul(shift, pow(root(logSize), reverse(logSize, index)))}
	gz := v.z.mul(ext{root(logSize - v.params.blowup)})
	atZ, atGZ := x.sub(v.z).inverse(), x.sub(gz).inverse()
	for phase := range phases {
		shapes, entries := v.matrices(phase)
		for m, i := range entries {
			if shapes[m].logHeight != logSize {
				continue
			}
			some = true
			row := v.row(v.trees[phase], m, logSize, position)
			o, c := v.opened[phase][i], v.coefficients[phase][i]
			values, nexts := v.extensions(o.z), v.extensions(o.gz)
			for column := range row.len() {
				sum = sum.add(c.z[column].mul(ext{row.at(column)}.sub(values.at(column))).mul(atZ))
			}
			if phase == quotient {
				continue
			}
			for k, column := range v.table(i).next(phase) {
				sum = sum.add(c.gz[k].mul(ext{row.at(int(column))}.sub(nexts.at(k))).mul(atGZ))
			}
		}
	}
	return sum, some
}

// queries checks that every query's chain of folds ends in the final polynomial.
func (v *verification) queries() error {
	for _, position := range v.positions {
		size := v.largest()
		value, _ := v.deep(size, position)
		for i, k := range v.schedule() {
			row := extensions(v.row(v.layers[i], 0, size-k, position))
			entries := make([]ext, row.len())
			for j := range entries {
				entries[j] = row.at(j)
			}
			index := position >> (v.largest() - size)
			if entries[index%uint64(len(entries))] != value {
				return fmt.Errorf("layer %d does not hold the value that follows from the previous layer", i)
			}
			value = fold(entries, size, index/uint64(len(entries)), v.betas[i])
			size -= k
			if joining, some := v.deep(size, position); some {
				value = value.add(joining.mul(v.betas[i].pow(1 << k)))
			}
		}
		y := pow(root(size), reverse(size, position>>(v.largest()-size)))
		if horner(v.final, ext{y}) != value {
			return errors.New("the final polynomial has another value")
		}
	}
	return nil
}

// fold returns the sum of beta^j f_j at y^a, computed from the a values f(y') with y'^a = y^a. The polynomial in y'
// through them has the coefficients f_j(y^a), because f(y') = sum of y'^j f_j(y'^a). It interpolates by Lagrange
// instead of folding by two.
func fold(entries []ext, logSize int, row uint64, beta ext) (value ext) {
	points := make([]ext, len(entries))
	for j := range points {
		points[j] = ext{pow(root(logSize), reverse(logSize, row*uint64(len(entries))+uint64(j)))}
	}
	for j, entry := range entries {
		for i := range points {
			if i != j {
				entry = entry.mul(beta.sub(points[i])).mul(points[j].sub(points[i]).inverse())
			}
		}
		value = value.add(entry)
	}
	return value
}

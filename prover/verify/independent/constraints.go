package independent

import (
	"fmt"
	"slices"
)

// constraints checks for each class that the folded constraints equal the quotient times z^n - 1.
func (v *verification) constraints() error {
	claimed := map[int]ext{}
	for k, i := range v.claiming() {
		claimed[i] = v.claimed.at(k)
	}
	for i, c := range v.classes {
		left, power := ext{}, ext{1}
		for _, member := range c.members {
			for _, value := range v.constraintsOf(member, claimed[member]) {
				left, power = left.add(power.mul(value)), power.mul(v.gamma)
			}
		}
		zn := v.z.pow(1 << c.logHeight)
		q := v.extensions(v.opened[quotient][i].z)
		right := join(q, 0).add(zn.mul(join(q, 3))).mul(zn.sub(ext{1}))
		if left != right {
			return fmt.Errorf("instances of 2^%d rows: the constraints do not match the quotient", c.logHeight)
		}
	}
	return nil
}

// constraintsOf returns the constraints of an instance at z, first its own, then LogUp's: section 5.
func (v *verification) constraintsOf(i int, claimed ext) (values []ext) {
	t := v.table(i)
	nodes := v.nodes(i)
	for _, constraint := range t.constraints {
		values = append(values, nodes[constraint])
	}
	if len(t.batches) == 0 {
		return values
	}
	columns := v.extensions(v.opened[auxiliary][i].z)
	last := len(t.batches) - 1
	rest := ext{}
	for b, batch := range t.batches[:last] {
		h := join(columns, 3*b)
		rest = rest.add(h)
		values = append(values, v.batch(t, batch, h, nodes))
	}
	sum, next := join(columns, 3*last), join(v.extensions(v.opened[auxiliary][i].gz), 0)
	share := claimed.mul(ext{inverse(1 << v.instances[i].logHeight)})
	return append(values, v.batch(t, t.batches[last], next.sub(sum).sub(rest).add(share), nodes))
}

// nodes returns the values of a table's nodes at z.
func (v *verification) nodes(i int) []ext {
	t := v.table(i)
	logHeight := v.instances[i].logHeight
	vanishing := v.z.pow(1 << logHeight).sub(ext{1})
	last := ext{inverse(root(logHeight))}
	selectors := []ext{
		vanishing.mul(v.z.sub(ext{1}).inverse()),
		vanishing.mul(v.z.sub(last).inverse()),
		v.z.sub(last),
	}
	at := func(phase int, n node) ext {
		if n.next == 0 {
			return v.extensions(v.opened[phase][i].z).at(int(n.column))
		}
		return v.extensions(v.opened[phase][i].gz).at(slices.Index(t.next(phase), n.column))
	}
	preprocessed := fixed
	if t.kind == programColumns {
		preprocessed = program
	}
	nodes := make([]ext, len(t.nodes))
	for k, n := range t.nodes {
		switch n.op {
		case 0:
			nodes[k] = ext{n.value}
		case 1:
			nodes[k] = at(main, n)
		case 2:
			nodes[k] = at(preprocessed, n)
		case 3:
			nodes[k] = ext{v.values[n.column]}
		case 4, 5, 6:
			nodes[k] = selectors[n.op-4]
		case 7:
			nodes[k] = nodes[n.a].add(nodes[n.b])
		case 8:
			nodes[k] = nodes[n.a].sub(nodes[n.b])
		case 9:
			nodes[k] = nodes[n.a].mul(nodes[n.b])
		case 10:
			nodes[k] = periodic(t.periodic[n.column], logHeight, v.z)
		}
	}
	return nodes
}

// periodic returns a periodic column at z, by Lagrange interpolation over the roots of its period: at x the polynomial
// is the sum of value_i (x^m - 1) r^i / (m (x - r^i)), where m is the number of values.
func periodic(values []uint64, logHeight int, z ext) (sum ext) {
	m := uint64(len(values))
	log := 0
	for 1<<log < m {
		log++
	}
	x := z.pow(1 << (logHeight - log))
	scale := x.pow(m).sub(ext{1}).mul(ext{inverse(m)})
	point := uint64(1)
	for _, value := range values {
		weight := scale.mul(ext{mul(value, point)})
		sum = sum.add(weight.mul(x.sub(ext{point}).inverse()))
		point = mul(point, root(log))
	}
	return sum
}

// batch returns first * prod d_i - sum of +-m_i prod over j != i of d_j.
func (v *verification) batch(t *table, batch []uint64, first ext, nodes []ext) ext {
	var d, m []ext
	for _, k := range batch {
		interaction := t.interactions[k]
		var message []ext
		for _, value := range interaction.values {
			message = append(message, nodes[value])
		}
		d = append(d, v.fingerprint(interaction.bus, message))
		multiplicity := nodes[interaction.multiplicity]
		if interaction.direction == receive {
			multiplicity = ext{}.sub(multiplicity)
		}
		m = append(m, multiplicity)
	}
	value := first
	for _, factor := range d {
		value = value.mul(factor)
	}
	for i := range m {
		term := m[i]
		for j := range d {
			if j != i {
				term = term.mul(d[j])
			}
		}
		value = value.sub(term)
	}
	return value
}

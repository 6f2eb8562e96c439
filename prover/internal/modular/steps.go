package modular

// Numbers of division steps.
const (
	stepsAtOnce = 8 // in a lookup
	lookups     = 7 // in a batch
	batchSteps  = lookups * stepsAtOnce
)

// Values of theta from least to most lead to different steps. Other values lead to the steps of the nearest of these.
const (
	least = -stepsAtOnce
	most  = stepsAtOnce - 1
)

// A matrix replaces the column (f, g) by (a f + b g, c f + d g), divided by 2 for each step.
type matrix struct{ a, b, c, d int64 }

// steps describes the steps of a lookup: their matrix, and theta after them, which is (theta ^ flip) + count.
type steps struct{ a, b, c, d, flip, count, _, _ int16 }

// table holds the steps for each theta from least to most, and each g/f.
var table = func() (list [most - least + 1][1 << stepsAtOnce]steps) {
	for i := range list {
		for h := range list[i] {
			list[i][h] = stepsOf(least+int64(i), int64(h))
		}
	}
	return list
}()

// inverses holds the inverses modulo 2^8 of odd numbers.
var inverses = func() (list [1 << 8]uint8) {
	for i := 1; i < len(list); i += 2 {
		for list[i] = 1; list[i]*uint8(i) != 1; {
			list[i] += 2
		}
	}
	return list
}()

// stepsOf takes the steps of a lookup from f = 1.
func stepsOf(theta, g int64) steps {
	f, m, flip, count := int64(1), matrix{a: 1, d: 1}, int64(0), int64(0)
	for range stepsAtOnce {
		switch {
		case g%2 == 0:
			m.a, m.b = 2*m.a, 2*m.b
			count++
		case (theta^flip)+count >= 0:
			f, g = g, g-f
			m = matrix{2 * m.c, 2 * m.d, m.c - m.a, m.d - m.b}
			flip, count = ^flip, 1-count // -(t + count) is (t ^ -1) + 1 - count
		default:
			g += f
			m = matrix{2 * m.a, 2 * m.b, m.c + m.a, m.d + m.b}
			count++
		}
		g /= 2
	}
	return steps{int16(m.a), int16(m.b), int16(m.c), int16(m.d), int16(flip), int16(count), 0, 0}
}

// batch takes the steps of a batch, and returns the theta after them and their matrix. It needs the lowest words of f
// and g only.
//
// Of the matrix, it multiplies only the right column. The left column follows from a f + b g = 2^56 f', where f' is the
// f after the batch, because the sum's lowest word is known: f' has 8 valid bits.
func batch(theta int64, f, g uint64) (int64, matrix) {
	theta, nextF, nextG, b, d := lookUp(theta, f, g)
	inverse := inverseOfWord(f)
	a, c := (nextF<<batchSteps-b*g)*inverse, (nextG<<batchSteps-d*g)*inverse
	return theta, matrix{int64(a), int64(b), int64(c), int64(d)}
}

// lookUp takes the steps of a batch. It returns theta, f and g after them, and the right column of their matrix. It is
// a function of its own, because the compiler would keep fewer variables in registers.
func lookUp(theta int64, f, g uint64) (nextTheta int64, nextF, nextG, b, d uint64) {
	d = 1
	for range lookups {
		above := theta - most
		class := above&(above>>63) + most - least // min(theta, most) - least
		class &= ^(class >> 63)                   // at least 0
		s := &table[class&(most-least)][uint8(uint64(inverses[uint8(f)])*g)]
		f, g, b, d = uint64(s.a)*f+uint64(s.b)*g, uint64(s.c)*f+uint64(s.d)*g,
			uint64(s.a)*b+uint64(s.b)*d, uint64(s.c)*b+uint64(s.d)*d
		f, g = f>>stepsAtOnce, g>>stepsAtOnce
		theta = (theta ^ int64(s.flip)) + int64(s.count)
	}
	return theta, f, g, b, d
}

package goldilocks

// The pure-Go form of every block function. The reslicing at the start of each lets the compiler eliminate bounds
// checks in the loop.

func addGeneric(dst, a, b []Element) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i].Add(b[i])
	}
}

func subGeneric(dst, a, b []Element) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i].Sub(b[i])
	}
}

func mulGeneric(dst, a, b []Element) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i].Mul(b[i])
	}
}

func mulAddGeneric(dst, a, b, c []Element) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = a[i].MulAdd(b[i], c[i])
	}
}

func addScalarGeneric(dst, a []Element, s Element) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i].Add(s)
	}
}

func subFromScalarGeneric(dst []Element, s Element, a []Element) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = s.Sub(a[i])
	}
}

func scaleGeneric(dst, a []Element, s Element) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i].Mul(s)
	}
}

func scaleAddGeneric(dst, a []Element, s Element) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = a[i].MulAdd(s, dst[i])
	}
}

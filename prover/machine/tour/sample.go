package tour

// Sample is a map of 40 places, a third of them forks.
func Sample() Map {
	const places = 40
	m := Map{Entry: 7}
	for i := range places {
		place := Place{[]Road{{(i + 1) % places, (5*i + 3) % (MaxToll + 1)}}}
		if i%3 == 0 {
			place.Roads = append(place.Roads, Road{(i + 11) % places, (7*i + 5) % (MaxToll + 1)})
		}
		m.Places = append(m.Places, place)
	}
	return m
}

package independent

import "fmt"

// RulesOf returns the rules for a machine by name (the list in section 2), without parameters and program.
func RulesOf(name string) (Rules, error) {
	switch name {
	case "fib":
		return Rules{}, nil
	case "keccak":
		return Rules{Check: checkKeccak, Fixed: func() [][][]uint64 { return [][][]uint64{xorColumns()} }}, nil
	case "tour":
		return Rules{
			Check:    checkTour,
			Messages: tourMessages,
			Fixed:    func() [][][]uint64 { return [][][]uint64{dialColumns()} },
			Data:     tourData,
		}, nil
	case "rv64im":
		return Rules{Check: checkRun, Messages: runMessages, Fixed: runColumns, Data: runData}, nil
	}
	return Rules{}, fmt.Errorf("docs/spec/protocol.md does not specify machine %q", name)
}

func checkKeccak(said Statement) error {
	for i, value := range said.Values {
		if i < 16 && value >= 1<<16 || value >= 1<<40 {
			return fmt.Errorf("public value %d is %d", i, value)
		}
	}
	return nil
}

func xorColumns() [][]uint64 {
	columns := make([][]uint64, 3)
	for row := range uint64(256) {
		a, b := row%16, row/16
		columns[0], columns[1], columns[2] = append(columns[0], a), append(columns[1], b), append(columns[2], a^b)
	}
	return columns
}

func checkTour(said Statement) error {
	if len(said.Data) > 4096 {
		return fmt.Errorf("%d choices", len(said.Data))
	}
	for i, choice := range said.Data {
		if choice > 2 {
			return fmt.Errorf("choice %d is %d", i, choice)
		}
	}
	return nil
}

func tourMessages(said Statement) []Message {
	steps := uint64(len(said.Data))
	list := []Message{
		{Bus: 1, Multiplicity: 1, Values: []uint64{said.Entry, 0, 0}},
		{Bus: 1, Receive: true, Multiplicity: 1, Values: []uint64{said.Values[0], steps, said.Values[1]}},
		{Bus: 5, Multiplicity: steps + 1, Values: []uint64{1, 2, 3}},
	}
	for time, choice := range said.Data {
		list = append(list, Message{Bus: 2, Multiplicity: 1, Values: []uint64{uint64(time), uint64(choice)}})
	}
	return list
}

// tourData returns the number of choices and the choices.
func tourData(said Statement) (numbers []uint64, lists [][]uint64) {
	choices := make([]uint64, len(said.Data))
	for i, choice := range said.Data {
		choices[i] = uint64(choice)
	}
	return []uint64{uint64(len(choices))}, [][]uint64{choices}
}

func dialColumns() [][]uint64 {
	columns := make([][]uint64, 6)
	for c := range columns {
		columns[c] = make([]uint64, 256)
	}
	for row := range uint64(28) {
		if row < 12 {
			columns[0][row], columns[4][row] = row, 1
			continue
		}
		x, y := (row-12)%4, (row-12)/4
		columns[1][row], columns[2][row], columns[3][row], columns[5][row] = x, y, x^y, 1
	}
	return columns
}

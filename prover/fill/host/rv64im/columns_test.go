package rv64im

import (
	"reflect"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// The struct that a table's filler writes declares the table: no column is without a field, and no field without a
// column.
func TestFillersWriteTheDeclaredColumns(t *testing.T) {
	declared, err := rv64im.Declare(nil, rv64im.Heights{Image: 8, Program: 8})
	if err != nil {
		t.Fatal(err)
	}
	filled := 0
	for i, number := range declared.Number {
		own, ok := fillers[number.Family().Row]
		if !ok {
			own, ok = others[number]
		}
		if !ok {
			continue
		}
		filled++
		list, err := own.columns()
		if err != nil {
			t.Error(err)
		}
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		if main := declared.Tables[i].Main; !reflect.DeepEqual(names, main) {
			t.Errorf("table %s: its filler writes %q, and it has columns %q", number, names, main)
		}
	}
	if want := len(fillers) + len(others); filled != want {
		t.Errorf("%d tables are filled, want %d", filled, want)
	}
}

// probe calls the function of a filler on a row with one poison in every cell, and on a row with another.
type probe func(f *Filler, k *rv64im.Row, poison cell) any

func probed[C, R any](row func(*C, *R, *rv64im.Row)) probe {
	return probedIn(func(_ *Filler, c *C, r *R, k *rv64im.Row) { row(c, r, k) })
}

func probedIn[C, R any](row func(*Filler, *C, *R, *rv64im.Row)) probe {
	return func(f *Filler, k *rv64im.Row, poison cell) any {
		var c C
		set(reflect.ValueOf(&c).Elem(), poison)
		row(f, &c, new(R), k)
		return c
	}
}

// without is probed for records that name no program row.
func without[C, R any](row func(*C, *R)) probe {
	return probed(func(c *C, r *R, _ *rv64im.Row) { row(c, r) })
}

// set sets every cell of a row.
func set(v reflect.Value, poison cell) {
	switch v.Kind() {
	case reflect.Uint64:
		v.SetUint(uint64(poison))
	case reflect.Array:
		for i := range v.Len() {
			set(v.Index(i), poison)
		}
	default:
		for i := range v.NumField() {
			set(v.Field(i), poison)
		}
	}
}

// differing lists the fields of two rows whose cells differ.
func differing(a, b reflect.Value, name string) (list []string) {
	switch a.Kind() {
	case reflect.Uint64:
		if a.Uint() != b.Uint() {
			return []string{name}
		}
	case reflect.Array:
		for i := range a.Len() {
			list = append(list, differing(a.Index(i), b.Index(i), name)...)
		}
	default:
		for i := range a.NumField() {
			list = append(list, differing(a.Field(i), b.Field(i), name+"."+a.Type().Field(i).Name)...)
		}
	}
	return list
}

// A filler writes all cells of a row, whatever it held before: rows reuse memory.
func TestFillersWriteEveryCell(t *testing.T) {
	probes := map[string]probe{
		"jump": probed(fillJump), "constant": probed(fillConstant), "move": probed(fillMove),
		"addConstant": probed(fillAddConstant), "addInPlace": probed(fillAddInPlace),
		"addConstant32": probed(fillAddConstant32), "logicConstant": probed(fillLogicConstant),
		"shiftConstant": probed(fillShiftConstant), "shiftConstant32": probed(fillShiftConstant32),
		"jumpRegisterLink": probed(fillJumpRegisterLink), "add": probed(fillAdd), "subtract": probed(fillSubtract),
		"logic": probed(fillLogic), "shiftRegister": probed(fillShiftRegister),
		"shiftRegister32": probed(fillShiftRegister32), "setLess": probed(fillSetLess),
		"setLessSigned": probed(fillSetLessSigned), "multiply": probed(fillMultiply),
		"multiplyHigh": probed(fillMultiplyHigh), "multiplyHighSigned": probed(fillMultiplyHighSigned),
		"divide": probed(fillDivide), "ifZero": probed(fillIfZero), "ifEqual": probed(fillIfEqual),
		"ifLess": probed(fillIfLess), "ifLessSigned": probed(fillIfLessSigned),
		"jumpRegister": probed(fillJumpRegister), "loadDouble": probedIn((*Filler).loadDouble),
		"loadWord": probedIn((*Filler).loadWord), "loadSmall": probedIn((*Filler).loadSmall),
		"unaligned": probedIn((*Filler).unalignedAccess), "storeDouble": probedIn((*Filler).storeDouble),
		"storeWord": probedIn((*Filler).storeWord), "storeSmall": probedIn((*Filler).storeSmall),
		"halt": probed(fillHalt), "call": probed(fillCall),
	}
	for name := range fillers {
		if probes[name] == nil {
			t.Errorf("%q is not tried", name)
		}
	}
	probes["refresh"], probes["final"] = without(fillRefresh), without(fillFinal)
	probes["boundary"] = without(fillBoundary)
	f := &Filler{program: new(program.Program), set: new(record.Set)}
	f.accesses = &record.Accesses{Time: make([]uint64, 2), Previous: make([]uint64, 2), Old: make([]uint64, 2),
		Value: make([]uint64, 2), Mask: make([]uint8, 2)}
	k := &rv64im.Row{Table: table.LD, K: [6]cell{1}}
	for name, run := range probes {
		a, b := reflect.ValueOf(run(f, k, 1<<40)), reflect.ValueOf(run(f, k, 1<<41))
		for _, field := range differing(a, b, a.Type().Name()) {
			t.Errorf("%s: the filler leaves a cell of %s as it was", name, field)
		}
	}
}

package tour

import "github.com/chiasmus/chiasmus/prover/air"

// The messages of the buses.
type (
	walker struct{ Place, Time, Total air.Expr }
	choice struct{ Time, Choice air.Expr }
	road   struct{ Place, Choice, Next, Toll air.Expr }
	ranged struct{ Value air.Expr }
	mixed  struct{ X, Y, Z air.Expr }
	pay    struct{ Time, Toll, Paid air.Expr }
)

// buses are the machine's buses, in order.
type buses struct {
	air.Buses
	walker air.TokenBus[walker]
	choice air.TokenBus[choice]
	road   air.LookupBus[road]
	ranged air.LookupBus[ranged]
	mixed  air.LookupBus[mixed]
	pay    air.CallBus[pay]
}

func newBuses() *buses {
	b := &buses{}
	b.walker = air.NewToken[walker](&b.Buses, "walker")
	b.choice = air.NewToken[choice](&b.Buses, "choice")
	b.road = air.NewLookup[road](&b.Buses, "road")
	b.ranged = air.NewLookup[ranged](&b.Buses, "range")
	b.mixed = air.NewLookup[mixed](&b.Buses, "mix")
	b.pay = air.NewCall[pay](&b.Buses, "pay")
	return b
}

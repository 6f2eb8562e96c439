package nvml

// Reasons is a bit set: the reasons why the clocks of a device are below their maximum.
type Reasons uint64

// The reasons of nvml.h.
const (
	Idle              Reasons = 0x001
	ApplicationClocks Reasons = 0x002
	PowerCap          Reasons = 0x004 // the device has reached its own power limit
	HardwareSlowdown  Reasons = 0x008 // heat or the power supply, by hardware
	SyncBoost         Reasons = 0x010 // another device of the group is slower
	ThermalSlowdown   Reasons = 0x020 // heat, by the driver
	ThermalHardware   Reasons = 0x040 // heat, by hardware
	PowerBrake        Reasons = 0x080 // requested by the power supply
	DisplayClocks     Reasons = 0x100
)

// Outside are the reasons that do not come from the running work: heat, the power supply, another device. The device's
// own power limit is not among them, because it depends on the work.
const Outside = HardwareSlowdown | SyncBoost | ThermalSlowdown | ThermalHardware | PowerBrake

var reasonNames = []struct {
	bit  Reasons
	name string
}{
	{Idle, "idle"}, {ApplicationClocks, "application clocks"}, {PowerCap, "power cap"},
	{HardwareSlowdown, "hardware slowdown"},
	{SyncBoost, "sync boost"}, {ThermalSlowdown, "thermal slowdown"}, {ThermalHardware, "hardware thermal slowdown"},
	{PowerBrake, "power brake"}, {DisplayClocks, "display clocks"},
}

// Names returns the names of the reasons.
func (r Reasons) Names() []string {
	var out []string
	for _, n := range reasonNames {
		if r&n.bit != 0 {
			out = append(out, n.name)
		}
	}
	return out
}

// Throttle returns why the clocks are below their maximum at this moment.
func (d Device) Throttle() (Reasons, error) {
	var bits uint64
	call := d.library.table.throttle
	err := d.get("nvmlDeviceGetCurrentClocksEventReasons", call != nil, func() int32 { return call(d.handle, &bits) })
	return Reasons(bits), err
}

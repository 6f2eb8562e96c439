package egress

import (
	"fmt"
	"net"
	"net/netip"
)

// special are the ranges that are not the public internet although they may look like it, with what they are.
var special = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private range"},
	{netip.MustParsePrefix("100.64.0.0/10"), "a shared range"},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private range"},
	{netip.MustParsePrefix("192.0.0.0/24"), "set aside for protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "set aside for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a relay"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private range"},
	{netip.MustParsePrefix("198.18.0.0/15"), "set aside for tests"},
	{netip.MustParsePrefix("198.51.100.0/24"), "set aside for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "set aside for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "set aside"},
	// Public by its number, and on every machine of that cloud the agent of the host.
	{netip.MustParsePrefix("168.63.129.16/32"), "a service of the cloud's host"},
	// Of the sixth version 2000::/3 is in use; within it these lead elsewhere.
	{netip.MustParsePrefix("2001::/23"), "set aside for protocols"},
	{netip.MustParsePrefix("2001:db8::/32"), "set aside for documentation"},
	{netip.MustParsePrefix("2002::/16"), "a relay"},
	{netip.MustParsePrefix("3fff::/20"), "set aside for documentation"},
}

var (
	inUse      = netip.MustParsePrefix("2000::/3")
	translated = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an address of the fourth version
)

// Public says why an address is not of the public internet; nil means that it is.
func Public(address netip.Addr) error {
	original := address
	if address.Zone() != "" {
		return fmt.Errorf("%s: a zone is link-local", original)
	}
	address = address.Unmap()
	if translated.Contains(address) {
		bytes := address.As16()
		address = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	for _, one := range special {
		if one.prefix.Contains(address) {
			return fmt.Errorf("%s is %s", original, one.what)
		}
	}
	switch {
	case !address.IsValid():
		return fmt.Errorf("%s is no address", original)
	case address.Is6() && !inUse.Contains(address):
		return fmt.Errorf("%s is not of the public internet", original)
	}
	return nil
}

// Guard is Public and refuses besides what this host is and what it is attached to.
func Guard(address netip.Addr) error {
	if err := Public(address); err != nil {
		return err
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("the addresses of this host cannot be listed: %w", err)
	}
	return attached(address.Unmap(), own)
}

// attached refuses what lies in the network of one of the interfaces.
func attached(address netip.Addr, own []net.Addr) error {
	for _, one := range own {
		prefix, err := netip.ParsePrefix(one.String())
		if err != nil {
			continue // no address of the internet's protocol
		}
		if prefix.Contains(address) {
			return fmt.Errorf("%s is of the network that this host is attached to", address)
		}
	}
	return nil
}

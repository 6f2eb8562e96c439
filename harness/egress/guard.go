package egress

import (
	"fmt"
	"net"
	"net/netip"
)

// special lists address ranges that do not belong to the public internet.
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
	// A public address, but on every machine of that cloud (Azure) it reaches the host's agent.
	{netip.MustParsePrefix("168.63.129.16/32"), "a service of the cloud's host"},
	// IPv6 allocates 2000::/3 to the public internet, except for these ranges.
	{netip.MustParsePrefix("2001::/23"), "set aside for protocols"},
	{netip.MustParsePrefix("2001:db8::/32"), "set aside for documentation"},
	{netip.MustParsePrefix("2002::/16"), "a relay"},
	{netip.MustParsePrefix("3fff::/20"), "set aside for documentation"},
}

var (
	inUse      = netip.MustParsePrefix("2000::/3")
	translated = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an IPv4 address
)

// public returns an error if an address does not belong to the public internet.
func public(address netip.Addr) error {
	original := address
	if address.Zone() != "" {
		return fmt.Errorf("%s is link-local: it has a zone", original)
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
		return fmt.Errorf("%s is not a valid address", original)
	case address.Is6() && !inUse.Contains(address):
		return fmt.Errorf("%s does not belong to the public internet", original)
	}
	return nil
}

// Guard returns an error for an address outside the public internet, and for the addresses of this host and of the
// networks that it is attached to.
func Guard(address netip.Addr) error {
	if err := public(address); err != nil {
		return err
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return fmt.Errorf("the addresses of this host cannot be listed: %w", err)
	}
	return attached(address.Unmap(), own)
}

// attached returns an error if the address lies in the network of one of the interfaces.
func attached(address netip.Addr, own []net.Addr) error {
	for _, one := range own {
		prefix, err := netip.ParsePrefix(one.String())
		if err != nil {
			continue // not an IP address
		}
		if prefix.Contains(address) {
			return fmt.Errorf("%s belongs to a network that this host is attached to", address)
		}
	}
	return nil
}

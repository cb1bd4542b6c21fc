import Testing
import Wire

@Suite struct PeerHostTests {
  @Test("2.10 the addresses of one line are one host, and those of two are two")
  func lines() {
    let (line, other) = (UInt64(0x2001_0db8_0000_0001), UInt64(0x2001_0db8_0000_0002))
    #expect(PeerHost(ipv6: line, low: 1) == PeerHost(ipv6: line, low: .max))
    #expect(PeerHost(ipv6: line, low: 1) != PeerHost(ipv6: other, low: 1))
    #expect(PeerHost(ipv4: 0x0a00_0001) != PeerHost(ipv4: 0x0a00_0002))
    #expect(PeerHost(ipv4: 7) != PeerHost(ipv6: 7, low: 0))
  }

  @Test("2.10 an IPv4 address is the same host in an IPv6 address")
  func mapped() {
    #expect(PeerHost(ipv6: 0, low: 0xffff_c000_0201) == PeerHost(ipv4: 0xc000_0201))
    #expect(PeerHost(ipv6: 0, low: 0x1_ffff_c000_0201) == PeerHost(ipv6: 0, low: 1))
    #expect(PeerHost(ipv6: 1, low: 0xffff_c000_0201) != PeerHost(ipv4: 0xc000_0201))
  }

  @Test func text() {
    #expect("\(PeerHost(ipv4: 0xc000_0201))" == "192.0.2.1")
    #expect("\(PeerHost(ipv6: 0x2001_0db8_0000_00f1, low: 5))" == "2001:db8:0:f1::/64")
  }
}

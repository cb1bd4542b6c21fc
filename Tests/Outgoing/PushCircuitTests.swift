import Domain
import Testing

@testable import Outgoing

@Suite("Push circuit")
struct PushCircuitTests {
  @Test("A pause that an older call is asked for is kept while another call probes")
  func pauseWhileProbing() {
    var settings = PushSettings()
    (settings.callsMax, settings.failuresMax) = (4, 1)
    var random = RandomSource.seeded(1)
    var circuit = PushCircuit(settings)
    let areProbes = (0..<2).map { _ in circuit.begin() }
    circuit.fail(0, isProbe: false, pause: nil, using: &random)
    #expect(circuit.room(1_000, sendingCount: 1) == 1)
    let isProbe = circuit.begin()
    #expect(areProbes == [false, false] && isProbe)
    circuit.fail(1_100, isProbe: false, pause: 60_000, using: &random)
    #expect(circuit.state == .probing(probesFailed: 0))
    circuit.succeed(isProbe: true)
    #expect(circuit.room(61_099, sendingCount: 0) == 0)
    #expect(circuit.opening(sendingCount: 0) == 61_100)
    #expect(circuit.room(61_100, sendingCount: 0) == 1)
  }
}

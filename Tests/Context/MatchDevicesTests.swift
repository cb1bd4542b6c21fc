import Operations
import TestKit
import Testing

@Suite struct MatchDevicesTests {
  /// Device 1 loses its connection, device 2 takes the seat and goes away, device 1 comes back.
  /// Ben began anew with device 2, so that the numbers of device 1 mean nothing to him: by them it
  /// would acknowledge what it drops as doubles.
  @Test(
    "3.9 a device that comes back to a taken seat is told, and the next one misses nothing",
    arguments: [false, true])
  func inTurn(restarts: Bool) throws {
    let world = try MatchClients(seed: 1)
    for byte in 1...2 as ClosedRange<UInt8> { try world.send([byte], from: ben) }
    #expect(try world.settle())
    #expect(world.clients[ann]?.received == [[1], [2]])
    let first = try world.begin(ann, seat: 21)
    try world.deliver()
    world.disconnect(ann)
    if restarts { try world.driver.restart() }
    world.clients[ann] = first
    try world.connect(ann)
    #expect(world.clients[ann]?.isOut == true)
    // One that was let in goes on, so that the messages below tell what it would cost.
    if world.clients[ann]?.isOut == true { _ = try world.begin(ann, seat: 31) }
    try world.deliver()
    let before = world.clients[ann]?.received ?? []
    for byte in 3...6 as ClosedRange<UInt8> {
      try world.send([byte], from: ben)
      try world.send([byte], from: ann)
      try world.deliver()
    }
    for _ in 0..<20 where !world.isSettled(ann) || !world.isSettled(ben) {
      try world.passSecond()
      try world.deliver()
    }
    #expect(world.clients[ann]?.received == before + [[3], [4], [5], [6]])
    #expect(world.clients[ben]?.received == [[3], [4], [5], [6]])
    #expect(world.isSettled(ann) && world.isSettled(ben))
  }
}

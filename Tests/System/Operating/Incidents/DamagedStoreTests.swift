import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating.Incidents {
  @Test("a part of a store is damaged")
  func damagedStore() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A damaged store")
      let (anna, credential) = try await stack.player("Anna")
      await anna.close()
      let (event, envelope) = (
        AppendEvent(FriendAccepted(), to: credential.player), envelope(about: credential.player)
      )
      var peer = try await stack.peer("gateway", to: "request/1")
      #expect(await peer.call(AppendEvent.opcode, envelope, event.encoded).code == nil)
      await peer.end()
      #expect(try await stack.stop("request/1") == 0)
      let file = stack.directory.appendingPathComponent("data/request/1/request.tables.sqlite")
      try damage("event", in: file)
      try await stack.start("request/1")
      let service = try await stack.process("request/1")
      let before = try await DeploymentMetrics(of: stack)
      peer = try await stack.peer("gateway", to: "request/1")
      var reader = envelope
      (reader.principal.kind, reader.principal.player) = (.player, credential.player)
      let read = await peer.call(ReadEvents.opcode, reader, ReadEvents().encoded)
      #expect(read.code == .unavailable)
      try await page.expectLog("service", of: service)
      try await page.expectMetrics("service", in: stack, since: before)
      try await page.expectDoctor("red", in: stack)
      await peer.end()
    }
  }

  private func envelope(about player: PlayerID) -> ServiceEnvelope {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .service, game: Stack.game, player: PlayerID(), device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: player)
    return envelope
  }

  /// Overwrites the first page of a table. SQLite's schema has a record for each, with its type,
  /// its name twice, the number of that page, and the statement that has made it.
  private func damage(_ table: String, in file: URL) throws {
    var bytes = try Data(contentsOf: file)
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    let head = try #require(bytes.range(of: Data("table\(table)\(table)".utf8)))
    let statement = try #require(
      bytes.range(of: Data("CREATE TABLE".utf8), in: head.upperBound..<bytes.endIndex))
    let number = bytes[head.upperBound..<statement.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    try #require(number > 1 && number * size <= bytes.count)
    let garbage = Data(repeating: 0x5a, count: size)
    bytes.replaceSubrange((number - 1) * size..<number * size, with: garbage)
    try bytes.write(to: file)
  }
}

import MusterKit

/// Events and hints with their own fields, where their kind is known here.
enum EventText {
  static func tree(_ event: PlayerEvent) -> Tree {
    var members: [Tree.Member] = [
      .init(name: "sequence", value: .unsigned(event.sequence)),
      .init(name: "id", value: .text(event.id.description)),
      .init(name: "game", value: .text(event.game)),
      .init(name: "time", value: .integer(event.time)),
      .init(name: "kind", value: .text(name(event.kind))),
      .init(name: "event", value: contents(event.kind, event.body)),
    ]
    if event.isAfterLoss { members.append(.init(name: "isAfterLoss", value: .bool(true))) }
    return .object(members)
  }

  static func tree(_ hint: PlayerHint) -> Tree {
    .object([
      .init(name: "kind", value: .text(name(hint.kind))),
      .init(name: "hint", value: contents(hint.kind, hint.body)),
    ])
  }

  /// What comes in the stream or as a hint.
  static let known: [any Event.Type] =
    StreamEvents.all + [
      ChallengeListChanged.self, YourTurn.self, TurnGameChanged.self, ContextLeft.self,
      PresenceChanged.self, ServiceRestored.self, MatchExpected.self, TicketChanged.self,
    ]

  /// Returns the event; nil when its kind is not known here, or it cannot be read.
  static func decode(_ kind: Opcode, _ body: [UInt8]) -> (any Event)? {
    guard let type = known.first(where: { $0.opcode == kind }) else { return nil }
    return try? type.init(decoding: body)
  }

  private static func name(_ kind: Opcode) -> String {
    known.first { $0.opcode == kind }.map { $0.name } ?? kind.description
  }

  private static func contents(_ kind: Opcode, _ body: [UInt8]) -> Tree {
    decode(kind, body)?.tree ?? .bytes(body)
  }
}

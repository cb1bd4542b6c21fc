import Catalog
import Domain
import Operations
import Testing
import Wire

/// What a player writes stands beside the player's id wherever it is kept: an erasure finds it by
/// that (rule 7.3).
struct ErasableTests {
  @Test("7.3 remembered replies say whose words are in them", arguments: ServiceCores.all.indices)
  func replies(ofCore index: Int) {
    for route in routes(of: ServiceCores.all[index]) where !route.isReadOnly {
      check(route.replyShape, "the reply to \(route.name)")
    }
  }

  @Test("7.3 effects say whose words are in them", arguments: ServiceCores.all.indices)
  func effects(ofCore index: Int) {
    for route in routes(of: ServiceCores.all[index]) where route.access.allows(.service) {
      check(route.shape, route.name)
    }
  }

  @Test("7.3 events say whose words are in them")
  func events() {
    for event in StreamEvents.all { check(event.shape, "\(event)") }
  }

  /// Messages in which such a name stands for something else, or that are not remembered.
  private static let exceptions: Set<String> = [
    // A board's title is the game's.
    "RecordLeaderboard",
    // A gateway opens sessions without a key for retries, so no answer is kept.
    "the reply to OpenSession",
  ]

  private func check(_ shape: Shape, _ what: String) {
    if Self.exceptions.contains(what) { return }
    let nameless = textsOfNobody(shape, inPlayers: false)
    #expect(nameless.isEmpty, "\(what) has \(nameless) and not whose they are")
  }

  /// The names of texts in messages that have no player, nor has one around them.
  private func textsOfNobody(_ shape: Shape, inPlayers: Bool) -> [String] {
    switch shape {
    case .message(_, let fields, let isFrozen):
      let isPlayers = inPlayers || fields.contains { $0.shape.isPlayer }
      let texts = fields.filter { isText($0.shape) && PersonalFields.names.contains($0.name) }
      return (isPlayers || isFrozen ? [] : texts.map(\.name))
        + fields.flatMap { textsOfNobody($0.shape, inPlayers: isPlayers) }
    case .optional(let inner), .list(let inner): return textsOfNobody(inner, inPlayers: inPlayers)
    case .scalar, .identifier, .enumeration: return []
    }
  }

  private func isText(_ shape: Shape) -> Bool {
    switch shape {
    case .scalar("String"), .scalar("Bytes"): true
    case .optional(let inner), .list(let inner): isText(inner)
    case .scalar, .identifier, .enumeration, .message: false
    }
  }

  private func routes(of core: any ServiceCore.Type) -> [Route] {
    Array(ServiceCores.engine(of: core).router.routes.values)
  }
}

import Operations
import Wire

/// The simplest model of a context: who is in it, and which events its players must have got.
struct ContextModel {
  var form = ContextForm.solo
  var generation: UInt32 = 0
  var states: [PlayerID: ContextPlayerState] = [:]

  var isClosed: Bool { states.values.allSatisfy { $0 == .left } }

  func holds(_ player: PlayerID) -> Bool { states[player].map { $0 != .left } ?? false }

  /// The others who are in it.
  private func present(besides player: PlayerID) -> [PlayerID] {
    states.filter { $0.key != player && $0.value != .left }.map(\.key)
  }

  mutating func createSolo(_ player: PlayerID) {
    generation = 1
    states = [player: .active]
  }

  mutating func createPair(
    _ id: ContextID, _ player: PlayerID, _ other: PlayerID, _ told: inout [String: Int]
  ) {
    form = .pair
    if isClosed {
      generation += 1
      states = [player: .left, other: .left]
    }
    if states[other] == .left {
      states[player] = .active
      states[other] = .invited
      told["\(other) invited to \(id) by \(player)", default: 0] += 1
    } else {
      enter(id, player, &told)
    }
  }

  mutating func enter(_ id: ContextID, _ player: PlayerID, _ told: inout [String: Int]) {
    guard states[player] != .active else { return }
    states[player] = .active
    tell(id, player, .active, &told)
  }

  mutating func leave(_ id: ContextID, _ player: PlayerID, _ told: inout [String: Int]) {
    states[player] = .left
    tell(id, player, .left, &told)
  }

  private func tell(
    _ id: ContextID, _ player: PlayerID, _ state: ContextPlayerState,
    _ told: inout [String: Int]
  ) {
    for other in present(besides: player) {
      told["\(other) saw \(player) as \(state) in \(id)", default: 0] += 1
    }
  }
}

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

/// All contexts, as the calls left them that took effect.
struct ContextModels {
  private struct Membership {
    /// In the simulation's milliseconds.
    var from: Int64
    var players: Set<PlayerID>
  }

  private(set) var all: [ContextID: ContextModel] = [:]
  /// The events that players must have got.
  private(set) var told: [String: Int] = [:]
  private var memberships: [ContextID: [Membership]] = [:]

  init() {}

  init(_ calls: [Ledger.Done]) throws(Violation) {
    for call in calls { try take(call) }
  }

  func holds(_ player: PlayerID, in context: ContextID) -> Bool {
    all[context]?.holds(player) ?? false
  }

  func players(of context: ContextID) -> Set<PlayerID> { memberships[context]?.last?.players ?? [] }

  /// Returns the sets of players that a context had during a span. A service tells only what is
  /// durable, so its answer is the newest durable state.
  func players(of context: ContextID, during span: ClosedRange<Int64>) -> [Set<PlayerID>] {
    let memberships = [Membership(from: .min, players: [])] + (memberships[context] ?? [])
    return memberships.indices.filter { index in
      let end = index + 1 < memberships.count ? memberships[index + 1].from : .max
      return memberships[index].from <= span.upperBound && end >= span.lowerBound
    }.map { memberships[$0].players }
  }

  private mutating func take(_ call: Ledger.Done) throws(Violation) {
    let player = call.player
    if let (_, info) = call.decoded(CreateSoloContext.self) {
      change(info.context, call) { model, _ in model.createSolo(player) }
      try compare(info)
    } else if let (create, info) = call.decoded(CreatePairContext.self) {
      change(info.context, call) { $0.createPair(info.context, player, create.player, &$1) }
      try compare(info)
    } else if let (enter, info) = call.decoded(SwitchContext.self), all[enter.context] != nil {
      change(enter.context, call) { $0.enter(enter.context, player, &$1) }
      try compare(info)
    } else if let (leave, _) = call.decoded(LeaveContext.self), all[leave.context] != nil {
      change(leave.context, call) { $0.leave(leave.context, player, &$1) }
    }
  }

  private mutating func change(
    _ context: ContextID, _ call: Ledger.Done,
    _ change: (inout ContextModel, inout [String: Int]) -> Void
  ) {
    var model = all[context] ?? ContextModel()
    change(&model, &told)
    all[context] = model
    let players = model.states.filter { $0.value != .left }.map(\.key)
    memberships[context, default: []].append(
      Membership(from: call.span.upperBound, players: Set(players)))
  }

  /// Compares a context as the service tells it with its model.
  func compare(_ info: ContextInfo) throws(Violation) {
    let model = all[info.context] ?? ContextModel()
    let states = Dictionary(
      info.players.map { ($0.player, $0.state) }, uniquingKeysWith: { first, _ in first })
    guard states == model.states, info.generation == model.generation, info.form == model.form
    else { throw Violation(description: "context \(info) should be \(model)") }
    guard info.players.count(where: { $0.role == .owner }) == 1 else {
      throw Violation(description: "context \(info) has not one owner")
    }
  }
}

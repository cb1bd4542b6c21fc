import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Random calls of a few players on two groups, whose effects arrive at any later time, beside the
/// plainest model.
@Suite struct GroupPropertyTests {
  @Test(
    "1.8 1.4 sizes, roles, lists and the current context are right in any order of calls",
    arguments: UInt64(1)...60)
  func random(seed: UInt64) throws {
    var play = try GroupPlay(seed: seed)
    for step in 1...250 {
      try play.step()
      try play.check("seed \(seed), step \(step)")
      if step % 50 == 0 {
        try play.settle()
        try play.checkLists("seed \(seed), step \(step)")
      }
    }
  }

  @Test("1.8 the play meets each way in and out, so that it would notice what is wrong with it")
  func coverage() throws {
    var counts: [String: Int] = [:]
    for seed in UInt64(1)...20 {
      var play = try GroupPlay(seed: seed)
      for _ in 1...250 { try play.step() }
      counts.merge(play.counts, uniquingKeysWith: +)
    }
    for wanted in [
      "join", "join 15", "join 18", "enter", "enter 15", "invite", "invite removed", "invite full",
      "invite notReachable", "answer", "answer 18", "remove", "remove 4", "change", "set", "set 14",
      "leave", "close", "reopen", "reopen 15", "reopen 17",
    ] { #expect(counts[wanted, default: 0] > 0, "\(wanted)") }
  }
}

/// One play: the service, the model of each group, and what happened.
struct GroupPlay {
  private let driver = ContextDriver()
  private var book = FactBook()
  private var random: RandomSource
  private let players: [PlayerID] = (1...6).map { .sample($0) }
  private var ids: [ContextID] = []
  private var models: [GroupModel] = []
  /// The group that each player has entered last and not left since.
  private var current: [PlayerID: Int] = [:]
  /// How often each call was made, with the code of its refusal.
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) throws {
    random = .seeded(seed)
    for number in 0..<2 {
      var operation = CreateGroupContext()
      (operation.sizeMax, operation.policy) = (4, .open)
      let key = RoutingKey(high: 71, low: UInt64(number))
      driver.clock += 1
      let info = try driver.ask(operation, as: players[number], key: key, book).info
      ids.append(info.context)
      var model = GroupModel()
      (model.sizeMax, model.owner) = (4, players[number])
      model.link = info.details?.link ?? ContextLink()
      model.put(players[number], .active)
      models.append(model)
      current[players[number]] = number
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
  private mutating func player() -> PlayerID { players[number(0...5)] }

  mutating func step() throws {
    driver.clock += 1
    if number(0...3) == 0 { try driver.deliverOwnEffects(atMost: number(0...20)) }
    if number(0...40) == 0 { try driver.restart() }
    if number(0...12) == 0 { changeBlock() }
    let (group, caller) = (number(0...1), player())
    switch number(0...13) {
    case 0...2: try join(group, caller)
    case 3, 4: try enter(group, caller)
    case 5, 6: try invite(group, caller)
    case 7: try answer(group, caller)
    case 8: try change(group, caller)
    case 9: try set(group, caller)
    case 10: try remove(group, caller)
    case 11: try leave(group, caller)
    case 12: if number(0...9) == 0 { try close(group, caller) }
    default: try reopen(group, caller)
    }
  }

  private mutating func changeBlock() {
    let (one, other) = (player(), player())
    if one == other { return }
    if book.blocks[one]?.contains(other) == true || number(0...2) == 0 {
      book.blocks[one] = nil
    } else {
      book.blocks[one, default: []].insert(other)
    }
  }

  /// Makes a call and compares its refusal with the model's.
  private mutating func make<O: Operation>(
    _ name: String, _ operation: O, _ caller: PlayerID, _ expected: FailureCode?
  ) throws -> O.Reply? {
    var reply: O.Reply?
    let refused = failure { reply = try driver.ask(operation, as: caller, book) }
    #expect(refused?.code == expected, "\(name) by \(caller): \(operation)")
    counts[expected.map { "\(name) \($0.rawValue)" } ?? name, default: 0] += 1
    return reply
  }

  private mutating func left(_ player: PlayerID, _ group: Int) {
    if current[player] == group { current[player] = nil }
  }

  private mutating func join(_ group: Int, _ caller: PlayerID) throws {
    var operation = JoinContext()
    operation.context = ids[group]
    if number(0...1) == 0 { operation.link = models[group].link }
    let expected = models[group].join(caller, operation.link, book)
    _ = try make("join", operation, caller, expected)
    if expected == nil && models[group].isActive(caller) { current[caller] = group }
  }

  private mutating func enter(_ group: Int, _ caller: PlayerID) throws {
    var operation = SwitchContext()
    operation.context = ids[group]
    let expected = models[group].enter(caller, book)
    _ = try make("enter", operation, caller, expected)
    if expected == nil { current[caller] = group }
  }

  private mutating func invite(_ group: Int, _ caller: PlayerID) throws {
    var operation = InviteToContext()
    operation.context = ids[group]
    operation.players = [player(), models[group].removed.min() ?? player()]
    let (expected, outcomes) = models[group].invite(operation.players, caller, book)
    let reply = try make("invite", operation, caller, expected)
    if expected == nil { #expect(reply?.outcomes.map(\.outcome) == outcomes) }
    for outcome in outcomes { counts["invite \(outcome)", default: 0] += 1 }
  }

  private mutating func answer(_ group: Int, _ caller: PlayerID) throws {
    var operation = AnswerContextRequest()
    let first = models[group].waiting.first
    (operation.context, operation.player) = (ids[group], first ?? player())
    operation.accept = number(0...3) > 0
    let expected = models[group].answer(operation.player, operation.accept, caller)
    _ = try make("answer", operation, caller, expected)
  }

  private mutating func change(_ group: Int, _ caller: PlayerID) throws {
    var operation = ChangeContextRole()
    (operation.context, operation.player) = (ids[group], player())
    operation.role = [.participant, .owner, .moderator][number(0...2)]
    let knewLink = models[group].mayModerate(operation.player)
    let expected = models[group].change(operation.player, operation.role, caller)
    let reply = try make("change", operation, caller, expected)
    if knewLink && operation.role == .participant { renewed(group, reply) }
  }

  /// Who moderated the group does so no more.
  private mutating func renewed(_ group: Int, _ reply: ContextInfo?) {
    guard let link = reply?.details?.link else { return }
    #expect(link != models[group].link)
    models[group].link = link
    counts["link renewed", default: 0] += 1
  }

  private mutating func set(_ group: Int, _ caller: PlayerID) throws {
    var operation = ChangeContextSettings()
    let (sizeMax, policy) = (number(2...4), JoinPolicy(rawValue: UInt8(number(0...3))))
    (operation.context, operation.sizeMax) = (ids[group], UInt32(sizeMax))
    (operation.policy, operation.renewsLink) = (policy, number(0...3) == 0)
    let expected = models[group].set(sizeMax, policy, caller)
    let reply = try make("set", operation, caller, expected)
    if let link = reply?.details?.link { models[group].link = link }
  }

  private mutating func remove(_ group: Int, _ caller: PlayerID) throws {
    var operation = RemoveFromContext()
    (operation.context, operation.player) = (ids[group], player())
    let knewLink = models[group].mayModerate(operation.player)
    let expected = models[group].remove(operation.player, caller)
    let reply = try make("remove", operation, caller, expected)
    if knewLink { renewed(group, reply) }
    if expected == nil { left(operation.player, group) }
  }

  private mutating func leave(_ group: Int, _ caller: PlayerID) throws {
    var operation = LeaveContext()
    operation.context = ids[group]
    let wasIn = models[group].states[caller] != nil
    let expected = models[group].leave(caller)
    _ = try make("leave", operation, caller, expected)
    if expected == nil && wasIn { left(caller, group) }
  }

  private mutating func close(_ group: Int, _ caller: PlayerID) throws {
    var operation = CloseContext()
    operation.context = ids[group]
    let expected = models[group].close(caller)
    _ = try make("close", operation, caller, expected)
    if expected == nil { for player in players { left(player, group) } }
  }

  private mutating func reopen(_ group: Int, _ caller: PlayerID) throws {
    var operation = ReopenContext()
    operation.context = ids[group]
    let expected = models[group].reopen(caller)
    let reply = try make("reopen", operation, caller, expected)
    if let link = reply?.details?.link { models[group].link = link }
    if expected == nil { current[caller] = group }
  }

  /// Compares the groups, as each player sees them, with the models.
  func check(_ place: Comment) throws {
    for (id, model) in zip(ids, models) {
      #expect(model.order.count <= model.sizeMax, place)
      for player in players {
        guard model.states[player] != nil else {
          #expect(failure { _ = try driver.get(id, as: player) }?.code == .notFound, place)
          continue
        }
        let info = try driver.get(id, as: player)
        #expect(info.players.map(\.player) == model.order, place)
        #expect(info.players.map(\.state) == model.order.map { model.states[$0] }, place)
        #expect(info.players.map(\.role) == model.order.map { model.role($0) }, place)
        #expect(info.players.count { $0.role == .owner && $0.state == .active } == 1, place)
        #expect(Int(info.size) == model.order.count && info.size <= info.sizeMax, place)
        #expect(info.generation == model.generation && info.policy == model.policy, place)
        let mayModerate = model.mayModerate(player)
        #expect(info.details?.requests == (mayModerate ? model.waiting : []), place)
        #expect(info.details?.link == (mayModerate ? model.link : ContextLink()), place)
      }
    }
  }

  /// Lets all effects arrive.
  func settle() throws { try driver.deliverOwnEffects() }

  /// Compares lists and current contexts with the models, when all effects have arrived.
  func checkLists(_ place: Comment) throws {
    for player in players {
      #expect(try driver.current(player) == current[player].map { ids[$0] }, place)
      let list = try driver.list(player).contexts
      let expected = zip(ids, models).filter { $0.1.states[player] != nil }.map(\.0)
      #expect(Set(list.map(\.context)) == Set(expected), place)
      for info in list {
        let model = models[ids.firstIndex(of: info.context) ?? 0]
        #expect(Int(info.size) == model.order.count && info.generation == model.generation, place)
        let own = info.players.first { $0.player == player }
        #expect(own?.state == model.states[player] && own?.role == model.role(player), place)
      }
    }
  }
}

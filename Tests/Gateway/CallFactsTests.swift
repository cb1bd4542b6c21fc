import GatewayCore
import Operations
import Testing
import Wire

/// What a gateway fetches for a call, from whom, and what it attaches.
@Suite struct CallFactsTests {
  private let caller = Principal(
    kind: .player, game: "demo", player: PlayerID(high: 1, low: 2), device: DeviceID())
  private let others = [PlayerID(high: 3, low: 4), PlayerID(high: 5, low: 6)]
  private let context = ContextID(high: 7, low: 8)

  private var friends: FactNeed { .fact(FetchFriends.self, at: .caller) }
  private var rules: FactNeed { .fact(FetchAchievementRules.self, at: .game) }

  private func facts(
    _ needs: [FactNeed], for call: Errand = Errand(), as principal: Principal? = nil
  )
    throws -> CallFacts
  {
    try facts(needs.map { FactKeySource($0, in: Errand.shape) }, call.encoded, principal)
  }

  private func facts(_ sources: [FactKeySource], _ body: [UInt8], _ principal: Principal? = nil)
    throws -> CallFacts
  {
    try unsafe CallFacts(sources, operation: body.span.bytes, of: principal ?? caller)
  }

  private var routes: RouteTable {
    func describe<O: Operation>(_ type: O.Type) -> RouteDescription {
      var route = RouteDescription()
      (route.opcode, route.access) = (O.opcode.rawValue, O.access.rawValue)
      (route.isReadOnly, route.routing) = (O.isReadOnly, O.routing.rawValue)
      return route
    }
    var table = RouteTable()
    for (service, known) in [
      (Service.context, [describe(FetchParticipants.self), describe(GetContext.self)]),
      (.request, [describe(AppendEvent.self)]),
    ] {
      var description = ServiceDescription()
      (description.service, description.routes) = (service.rawValue, known)
      table.learn(description)
    }
    return table
  }

  private func refusal<K>(_ opcode: Opcode, _ key: Identifier<K>) -> Failure {
    Failure(
      FactDemand(opcode, at: RoutingKey(reinterpreting: key), operation: Bytes([7, 7])))
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch { return error as? Failure }
  }

  private func key<K>(_ identifier: Identifier<K>) -> RoutingKey {
    RoutingKey(reinterpreting: identifier)
  }

  // MARK: Declared

  @Test("4.3 declared facts are fetched side by side, from the keys that own them")
  func sideBySide() throws {
    var facts = try facts([friends, rules])
    #expect(facts.fetches.map(\.opcode) == [FetchFriends.opcode, FetchAchievementRules.opcode])
    #expect(facts.fetches.map(\.key) == [key(caller.player), RoutingKey(game: "demo")])
    #expect(facts.fetches.map(\.body) == facts.fetches.map(\.key.bytes))
    #expect(!facts.isComplete)
    // In whatever order they come.
    for (number, fetch) in facts.fetches.enumerated().reversed() {
      try facts.take(.success([UInt8(number)]), of: fetch)
    }
    #expect(facts.isComplete)
    #expect(facts.fetched.reply(to: FetchFriends.opcode, at: key(caller.player)) == [0])
    #expect(
      facts.fetched.reply(to: FetchAchievementRules.opcode, at: RoutingKey(game: "demo")) == [1])
    #expect(facts.fetched.reply(to: FetchFriends.opcode, at: key(others[0])) == nil)
  }

  @Test("4.3 a call that needs nothing fetches nothing, whatever its bytes are")
  func nothing() throws {
    let facts = try facts([], [9, 9, 9])
    #expect(facts.isComplete && facts.fetched == Facts())
  }

  @Test("4.6 facts about whom a field names, and about each in a list")
  func fields() throws {
    let one = FactNeed.fact(FetchFriends.self, at: .field("one"))
    let maybe = FactNeed.fact(FetchFriends.self, at: .field("maybe"))
    let each = FactNeed.fact(FetchFriends.self, at: .each("all"))
    var call = Errand()
    (call.one, call.maybe, call.all) = (others[0], others[1], [others[1], caller.player])
    #expect(try facts([one], for: call).fetches.map(\.key) == [key(others[0])])
    #expect(try facts([maybe], for: call).fetches.map(\.key) == [key(others[1])])
    #expect(try facts([each], for: call).fetches.map(\.key) == call.all.map(key))
    // The nil identifier, no identifier, an empty list, a caller that is no player.
    var server = caller
    (server.kind, server.player) = (.gameServer, PlayerID())
    #expect(try facts([one, maybe, each, friends], as: server).isComplete)
    // An older client does not know the fields.
    let sources = [one, maybe, each].map { FactKeySource($0, in: Errand.shape) }
    #expect(try facts(sources, []).isComplete)
  }

  @Test("4.6 what several needs or the members of a list have in common is fetched once")
  func duplicates() throws {
    var call = Errand()
    (call.one, call.all) = (caller.player, [others[0], caller.player, others[0]])
    let facts = try facts(
      [
        friends, .fact(FetchFriends.self, at: .field("one")),
        .fact(FetchFriends.self, at: .each("all")),
      ],
      for: call)
    #expect(facts.fetches.map(\.key) == [key(caller.player), key(others[0])])
  }

  @Test("4.6 7.2 a call about more keys than a call may be about is refused")
  func bound() throws {
    var call = Errand()
    let each = FactNeed.fact(FetchFriends.self, at: .each("all"))
    call.all = (1...UInt64(CallFacts.factsMax)).map { PlayerID(high: 9, low: $0) }
    #expect(try facts([each], for: call).fetches.count == CallFacts.factsMax)
    #expect(failure { _ = try facts([each, friends], for: call) }?.code == .limitReached)
    var long = try facts([each], for: call)
    let half = [UInt8](repeating: 0, count: CallFacts.bytesMax / 2)
    try long.take(.success(half), of: long.fetches[0])
    try long.take(.success(half), of: long.fetches[0])
    #expect(failure { try long.take(.success([1]), of: long.fetches[0]) }?.code == .limitReached)

    var counted = try facts([each], for: call)
    for place in 0..<20 {
      try counted.take(
        .success([UInt8](repeating: 0, count: place < 2 ? 3_000 : 0)), of: counted.fetches[0])
    }
    // Those that are under way count as well.
    let cost = CallFacts.factsMax / GatewayLimits.factsCounted + 1
    #expect(counted.takeCost() == cost && counted.takeCost() == 0)
  }

  @Test("7.2 a body that cannot be read as far as its keys is malformed")
  func malformed() throws {
    var call = Errand()
    (call.maybe, call.all) = (others[0], others)
    let sources = [
      FactKeySource(.fact(FetchFriends.self, at: .field("maybe")), in: Errand.shape),
      FactKeySource(.fact(FetchFriends.self, at: .each("all")), in: Errand.shape),
    ]
    let body = call.encoded
    for cut in 1..<body.count {
      let isBetweenFields = call.ends.contains(cut)
      #expect(
        failure { _ = try facts(sources, Array(body[..<cut])) }?.code
          == (isBetweenFields ? nil : .malformed), "\(cut)")
    }
  }

  // MARK: Demanded

  @Test("4.3 a service that asks for a context's players gets them, beside what was declared")
  func demanded() throws {
    var facts = try facts([friends])
    try facts.take(.success([1]), of: facts.fetches[0])
    let operation = try facts.add(demandOf: refusal(FetchParticipants.opcode, context), routes)
    #expect(operation == [7, 7], "what the gateway does not have any more")
    let fetch = facts.fetches[0]
    #expect(fetch.opcode.service == .context && fetch.body == context.bytes)
    #expect(facts.fetches == [fetch] && !facts.isComplete)
    try facts.take(.success([2]), of: fetch)
    #expect(facts.isComplete && facts.fetched.all.map(\.reply.array) == [[1], [2]])
  }

  @Test("2.9 a service that asks at several keys gets all side by side, each once")
  func demandedTogether() throws {
    var facts = try facts([])
    let keys = [3, 1, 3, 2].map { RoutingKey(high: 0, low: $0) }
    let demand = FactDemand(
      FetchParticipants.opcode, at: keys[0], andAt: Array(keys.dropFirst()), operation: Bytes([7]))
    #expect(try facts.add(demandOf: Failure(demand), routes) == [7])
    #expect(facts.fetches.map(\.key) == [keys[0], keys[1], keys[3]])
    for fetch in facts.fetches.reversed() { try facts.take(.success([1]), of: fetch) }
    #expect(facts.isComplete && facts.fetched.all.count == 3)
    // An older service names one key, and its bytes end there.
    var older = Writer()
    FetchParticipants.opcode.rawValue.encode(to: &older)
    keys[1].encode(to: &older)
    Bytes?.some(Bytes([7])).encode(to: &older)
    #expect(try FactDemand(decoding: older.bytes).keys == [keys[1]])
  }

  @Test("2.9 7.2 a service that asks at more keys than a call may have facts is refused")
  func demandBound() throws {
    let keys = (1...UInt64(CallFacts.factsMax + 1)).map { RoutingKey(high: 0, low: $0) }
    func add(_ count: Int, to facts: inout CallFacts) throws {
      let demand = FactDemand(
        FetchParticipants.opcode, at: keys[0], andAt: Array(keys[1..<count]), operation: Bytes())
      _ = try facts.add(demandOf: Failure(demand), routes)
    }
    var full = try facts([])
    try add(CallFacts.factsMax, to: &full)
    #expect(full.fetches.count == CallFacts.factsMax)
    var over = try facts([])
    #expect(failure { try add(CallFacts.factsMax + 1, to: &over) }?.code == .limitReached)
    // The declared ones, which are there by then, count as well.
    var besides = try facts([friends])
    try besides.take(.success([]), of: besides.fetches[0])
    #expect(failure { try add(CallFacts.factsMax, to: &besides) }?.code == .limitReached)
  }

  @Test("4.3 7.2 a fact that cannot be had fails the call with the owner's own error")
  func errors() throws {
    let failures = [
      Failure(.notFound, argument: "context", "You are in no context with this id."),
      Failure(.unavailable, "The context service cannot be reached."),
      Failure(.deadlineExceeded, "Too late."),
    ]
    for expected in failures {
      var declared = try facts([friends, rules])
      let fetch = declared.fetches[1]
      #expect(failure { try declared.take(.failure(expected), of: fetch) } == expected)
      #expect(!declared.isComplete && declared.fetched == Facts(), "nothing was attached")
    }
  }

  @Test("4.3 only a demand for a fact is one, and a service that never has enough is given up on")
  func limits() throws {
    var facts = try facts([])
    let other = Failure(.notFound, argument: "board", "There is no such board.")
    #expect(failure { _ = try facts.add(demandOf: other, routes) } == other)
    for number in 1...4 {
      let key = ContextID(high: 0, low: UInt64(number))
      _ = try facts.add(demandOf: refusal(FetchParticipants.opcode, key), routes)
      try facts.take(.success([]), of: facts.fetches[0])
    }
    let last = refusal(FetchParticipants.opcode, context)
    #expect(failure { _ = try facts.add(demandOf: last, routes) }?.code == .unavailable)
  }

  @Test("7.2 nothing but a read-only operation between services is called for a demand")
  func onlyFacts() throws {
    for opcode in [
      AppendEvent.opcode, GetContext.opcode, FetchFriends.opcode, Opcode(rawValue: 0xffff),
    ] {
      var facts = try facts([])
      #expect(
        failure { _ = try facts.add(demandOf: refusal(opcode, context), routes) }?.code
          == .unavailable, "\(opcode)")
    }
    var facts = try facts([])
    let garbled = Failure(.factRequired, "", detail: Bytes([9]))
    #expect(failure { _ = try facts.add(demandOf: garbled, routes) }?.code == .unavailable)
  }

  @Test("a route with a fact that this gateway does not know how to find is unknown here")
  func newerRoutes() throws {
    var route = RouteDescription()
    route.opcode = GetContext.opcode.rawValue
    var need = FactKeySource(friends, in: Errand.shape)
    func isLearned() -> Bool {
      route.needs = [need]
      var description = ServiceDescription()
      (description.service, description.routes) = (Service.context.rawValue, [route])
      var table = RouteTable()
      table.learn(description)
      return table[GetContext.opcode] != nil
    }
    #expect(isLearned())
    for forms: [UInt8] in [[200], [129], [0, 128]] {
      need.skipped = Bytes(forms)
      #expect(!isLearned(), "\(forms)")
    }
    need.skipped = Bytes()
    need.form = KeyForm(rawValue: 99)
    #expect(!isLearned())
  }
}

/// A call about several players.
private struct Errand: Message {
  var note = "on the way"
  var one = PlayerID()
  var numbers: [UInt32] = [1, 2, 3]
  var maybe: PlayerID?
  var names: [String]? = ["a", ""]
  var all: [PlayerID] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("note", &note)
    visit.field("one", &one)
    visit.field("numbers", &numbers)
    visit.field("maybe", &maybe)
    visit.field("names", &names)
    visit.field("all", &all)
  }

  /// Where one field ends and the next one begins.
  var ends: Set<Int> {
    var measure = FieldEnds()
    var copy = self
    copy.fields(&measure)
    return Set(measure.ends)
  }
}

private struct FieldEnds: FieldVisitor {
  var writer = Writer()
  var ends: [Int] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    value.encode(to: &writer)
    ends.append(writer.bytes.count)
  }
}

import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import GatewayCore

/// Two gateways, whose keys for pairs are one step apart, and a context service: a pair gets one
/// context, whoever asks, and in whatever order things happen.
struct PairNameTests {
  private static let keys: [UInt16: [UInt8]] = [1: [1], 2: [2]]
  private static let other = PlayerID(high: 1, low: 9)

  private static func keyring(current: UInt16, knows numbers: [UInt16] = [1, 2]) -> Keyring {
    let known = keys.filter { numbers.contains($0.key) }
    return Keyring(
      { $0 == .pairs ? KeySet(current: current, known) : KeySet(current: 1, [1: [7]]) },
      hash: SessionScript.hash)
  }

  /// A player's connection to a gateway, whose messages the context service handles when told to.
  private final class Side {
    private var script: SessionScript
    private let driver: CoreDriver<ContextCore>
    private var waiting: [ClientAction] = []
    private(set) var contexts: [ContextID] = []
    private(set) var failures: [Failure] = []
    private(set) var stepCount = 0
    /// Each is another client of the player.
    private let instance = UInt64.random(in: 1 ... .max)

    init(_ keyring: Keyring, _ driver: CoreDriver<ContextCore>) throws {
      self.driver = driver
      script = SessionScript(keyring: keyring)
      try script.signIn()
    }

    func create() {
      var create = CreatePairContext()
      create.player = PairNameTests.other
      script.call(create)
      collect()
    }

    var isDone: Bool { waiting.isEmpty }

    /// The service handles one message, and the gateway its answer.
    func step() throws {
      guard !waiting.isEmpty else { return }
      stepCount += 1
      switch waiting.removeFirst() {
      case .forward(let token, _, _): try forward(token)
      case .call(let call):
        let request = Request(opcode: call.opcode, envelope: call.envelope, body: call.body)
        script.answer(call, answer(request))
      default: break
      }
      collect()
    }

    private func forward(_ token: CallToken) throws {
      var envelope = try script.envelope(token)
      envelope.facts.all += PairNameTests.facts
      envelope.idempotency.instance = instance
      let body = try #require(script.operations[token])
      let request = Request(opcode: CreatePairContext.opcode, envelope: envelope, body: body)
      switch answer(request) {
      case .success(let reply):
        contexts.append(try ContextInfo(decoding: reply).context)
        #expect(script.session.replied(token, .reply) != nil)
      case .failure(let failure):
        guard let demand = try? FactDemand(decoding: failure.detail.array) else {
          failures.append(failure)
          return
        }
        script.refuse(token, demand)
      }
    }

    private func answer(_ request: Request) -> Result<[UInt8], Failure> {
      do {
        return .success(try driver.answer(request))
      } catch let failure as Failure {
        return .failure(failure)
      } catch {
        return .failure(Failure(.malformed, "\(error)"))
      }
    }

    private func collect() {
      let done = script.take()
      failures += done.failures
      waiting += done.all.filter {
        switch $0 {
        case .forward, .call: true
        default: false
        }
      }
    }
  }

  /// What the request service says: the two are friends.
  private static var facts: [Fact] {
    var friends = FetchFriends.Reply()
    friends.friends = [other]
    var asked = FetchPlayer.Reply()
    asked.isReachable = true
    return [
      Fact(FetchFriends.self, at: SessionScript.player, friends),
      Fact(FetchPlayer.self, at: other, asked),
    ]
  }

  private func finish(_ side: Side) throws {
    for _ in 0..<20 where !side.isDone { try side.step() }
    #expect(side.isDone)
  }

  /// The pair's context, created by a gateway that knows one key or both.
  private func create(
    _ driver: CoreDriver<ContextCore>, current: UInt16, knows numbers: [UInt16] = [1, 2]
  ) throws -> ContextID? {
    let side = try Side(Self.keyring(current: current, knows: numbers), driver)
    side.create()
    try finish(side)
    #expect(side.failures.isEmpty)
    return side.contexts.first
  }

  private func name(_ number: UInt16) -> ContextID {
    let keyring = Self.keyring(current: number, knows: [number])
    return ContextID(
      reinterpreting: keyring.pair(game: "demo", SessionScript.player, Self.other))
  }

  @Test("1.4 a context from before a rotation is found at every step of it, and after")
  func rotation() throws {
    let driver = CoreDriver<ContextCore>(game: "demo")
    let before = try create(driver, current: 1, knows: [1])
    #expect(before == name(1))
    for current in [1, 2, 1, 2] as [UInt16] {
      #expect(try create(driver, current: current) == before)
      try driver.restart()
    }
    #expect(try create(driver, current: 2, knows: [2]) == name(2), "the old key is not known")
  }

  @Test("1.4 a new pair has a name under the new key, which a gateway that is behind finds")
  func newPair() throws {
    let driver = CoreDriver<ContextCore>(game: "demo")
    #expect(try create(driver, current: 2) == name(2))
    try driver.restart()
    #expect(try create(driver, current: 1) == name(2))
    #expect(try create(driver, current: 2, knows: [2]) == name(2))
  }

  @Test("1.4 a gateway that knows the old key alone makes no second context of a pair")
  func unknownKey() throws {
    let driver = CoreDriver<ContextCore>(game: "demo")
    #expect(try create(driver, current: 2) == name(2))
    let side = try Side(Self.keyring(current: 1, knows: [1]), driver)
    side.create()
    try finish(side)
    #expect(side.contexts.isEmpty && side.failures.map(\.code) == [.unavailable])
  }

  @Test("closed names are in the store alone, and looked for once there is one")
  func coldNames() throws {
    let driver = CoreDriver<ContextCore>(game: "demo")
    #expect(try create(driver, current: 1) == name(1))
    #expect(driver.readRoundCount == 0)
    let other = CoreDriver<ContextCore>(game: "demo")
    #expect(try create(other, current: 2) == name(2))
    #expect(other.readRoundCount == 1 && other.readRowCount == 0)
    try other.restart()
    #expect(try create(other, current: 1) == name(2))
    #expect(other.readRowCount == 2, "the create and the gateway's question find the closed one")
  }

  /// Bit by bit, one of the two goes on.
  @Test("1.4 both make the pair's context at once, in every order of their messages")
  func everyOrder() throws {
    var names: Set<ContextID> = []
    // Neither has more than five steps, so that these are all orders.
    for order in 0..<1 << 10 where order.nonzeroBitCount == 5 {
      let driver = CoreDriver<ContextCore>(game: "demo")
      let sides = try [UInt16(1), 2].map { try Side(Self.keyring(current: $0), driver) }
      for side in sides { side.create() }
      for place in 0..<10 { try sides[order >> place & 1].step() }
      for side in sides { try finish(side) }
      let contexts = sides.flatMap(\.contexts)
      #expect(sides.allSatisfy { $0.failures.isEmpty && $0.stepCount <= 5 })
      #expect(contexts.count == 2 && Set(contexts).count == 1, "\(order)")
      names.formUnion(contexts)
    }
    #expect(names == [name(1), name(2)], "either may be first")
  }

  @Test("3.5 a second create of the pair waits for the first, and finds the same context")
  func order() throws {
    let driver = CoreDriver<ContextCore>(game: "demo")
    let side = try Side(Self.keyring(current: 2), driver)
    for _ in 0..<3 { side.create() }
    try finish(side)
    #expect(side.contexts == [name(2), name(2), name(2)] && side.failures.isEmpty)
  }
}

extension Keyring {
  /// The name of a pair's context under the current key.
  func pair(game: String, _ one: PlayerID, _ other: PlayerID) -> RoutingKey {
    var names = pairNames(game: game, one, other)
    while names.name.isOlder, names.goOn() {}
    return names.name.key
  }
}

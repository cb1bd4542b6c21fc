import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Nobody sees the wrong thing: every call that players can make, by everybody who is not to see
/// something, with every byte that anybody is told searched for what that one may not know.
@Suite struct VisibilityTests {
  @Test("1.5 every call of players has a line in the table")
  func complete() {
    let calls = ContextCore().router.routes.values.filter { $0.access.allows(.player) }
    let lines = Set(VisibilityLine.all.map(\.opcode))
    #expect(calls.filter { !lines.contains($0.opcode) }.map(\.name) == [])
    #expect(lines.count == calls.count)
  }

  @Test(
    "1.4 1.5 1.11 2.9 3.2 3.5 3.6 nobody sees the wrong thing", arguments: VisibilityLine.all)
  func unseen(line: VisibilityLine) throws {
    for complaint in try VisibilityCheck(line).complaints() { Issue.record("\(complaint)") }
  }

  @Test(
    "1.5 1.11 2.9 3.5 who has left or is blocked is told nothing of what others play",
    arguments: Place.allCases)
  func untold(place: Place) throws {
    #expect(try VisibilityScene(place).leaks == [])
  }

  @Test("1.5 1.11 2.9 3.5 a service that goes on telling somebody is noticed")
  func canaryOfPlay() throws {
    for viewer in Viewer.outside {
      let leaks = try VisibilityScene(.watchedGroup, overheardBy: viewer.player).leaks
      let wanted = [
        "push \(MatchData.opcode)", "of data of the match", "event \(TurnExchangeChanged.opcode)",
      ]
      for what in wanted {
        #expect(leaks.contains { $0.contains(what) }, "\(viewer), \(what)")
      }
    }
  }

  @Test("1.4 2.9 who cannot be reached is told like who does not exist, in outcomes too")
  func outcomes() throws {
    let scene = try VisibilityScene(.watchedGroup)
    for viewer in [Viewer.stranger, .blocked, .blocking, .apart] {
      let outcomes = try [ann, VisibilityTarget.unknown.player].map { player in
        try scene.ask(CreateGroupContext(), viewer.player) { $0.players = [player] }
          .outcomes.map(\.outcome)
      }
      #expect(outcomes == [[.notReachable], [.notReachable]], "\(viewer)")
    }
  }

  @Test("2.9 what is not for players is refused to them before it is read")
  func others() throws {
    let driver = ContextDriver()
    for route in driver.core.router.routes.values.sorted(by: { $0.opcode < $1.opcode }) {
      for kind in [PrincipalKind.anonymous, .player] where !route.access.allows(kind) {
        var envelope = ServiceEnvelope()
        envelope.principal = Principal(
          kind: kind, game: "game", player: ann, device: DeviceID())
        envelope.routingKey = RoutingKey(reinterpreting: ann)
        let refused = failure {
          _ = try driver.answer(
            Request(opcode: route.opcode, envelope: envelope, body: ann.bytes, link: 1))
        }
        #expect(refused?.code == .notAllowed, "\(route.name) for a \(kind)")
      }
      #expect(!route.access.allows(.anonymous), "\(route.name)")
    }
  }

  @Test("2.9 a core that did not look at who calls would be noticed in every line")
  func canary() throws {
    for line in VisibilityLine.all
    where line.isAboutContext || !Self.harmless.contains(line.opcode) {
      // What only `ben` can do or is told is noticed where he is taken for the caller.
      let isNoticed = try [ann, ben].contains {
        try !VisibilityCheck(line).complaints(at: [.watchedGroup], of: $0).isEmpty
      }
      #expect(isNoticed, "\(line)")
    }
  }

  /// What is refused to nobody and tells of nothing that is hidden here.
  private static let harmless: Set<Opcode> = [
    CreateSoloContext.opcode, CreateGroupContext.opcode, DescribeQueue.opcode,
    QueueActivity.opcode, FindMatch.opcode, SuggestContexts.opcode,
  ]

  @Test("2.9 an expectation that is not met, and a secret that is told, are noticed")
  func wrongLine() throws {
    var line = try #require(VisibilityLine.all.first { $0.opcode == GetContext.opcode })
    line.expected = { _, _ in .unseen }
    let complaints = try VisibilityCheck(line).complaints()
    #expect(complaints.contains { $0.contains("member") })
    let scene = try VisibilityScene(.watchedGroup)
    scene.world.impersonated = ListeningWorld.Ear(player: ann)
    try line.make(scene.world, scene.target(for: .stranger), .stranger)
    let leaks = scene.world.takeLeaks()
    for secret in ["the context", "The secret society", "the link", "who is in it", "who asks"] {
      #expect(leaks.contains { $0.hasSuffix("of \(secret)") }, "\(secret)")
    }
  }
}

/// One line of the table, made by every viewer of every place.
struct VisibilityCheck {
  let line: VisibilityLine
  private var found: [String] = []

  init(_ line: VisibilityLine) { self.line = line }

  /// Returns what is wrong.
  ///
  /// - Parameter impostor: as whom all calls are made, so that something is wrong: the first is
  ///   enough.
  func complaints(at places: [Place] = Place.allCases, of impostor: PlayerID? = nil) throws
    -> [String]
  {
    var check = self
    // Calls about no context and nobody's pair are the same everywhere.
    for place in places where line.isAboutContext || [.watchedGroup, .pair].contains(place) {
      try check.look(at: place, as: impostor)
    }
    return check.found
  }

  private mutating func look(at place: Place, as impostor: PlayerID?) throws {
    var scene = try VisibilityScene(place)
    var untouched = scene.world.driver.changeCount
    for viewer in place.viewers {
      if impostor != nil && !found.isEmpty { return }
      if scene.world.driver.changeCount != untouched {
        scene = try VisibilityScene(place)
        untouched = scene.world.driver.changeCount
      }
      scene.world.impersonated = impostor.map { ListeningWorld.Ear(player: $0) }
      let complaints = try look(as: viewer, in: scene)
      scene.world.impersonated = nil
      found += complaints.map { "\(line) as \(viewer) in \(place): \($0)" }
    }
  }

  private func look(as viewer: Viewer, in scene: VisibilityScene) throws -> [String] {
    let world = scene.world
    let expected = line.expected(viewer, scene.place)
    let unknown = expected == .unseen ? try references(viewer, scene) : []
    world.forget()
    let before = world.driver.changeCount
    let refused = try refusal { try line.make(world, scene.target(for: viewer), viewer) }
    var complaints: [String] = []
    switch (expected, refused) {
    case (.answered, nil): break
    case (.refused(let code), let refused?) where refused.code == code: break
    case (.unseen, let refused?) where unknown.allSatisfy { $0 == refused }: break
    default: complaints.append("\(refused.map { "\($0)" } ?? "answered"), not \(expected)")
    }
    if refused != nil && (world.driver.changeCount != before || world.told.count != 1) {
      complaints.append("a refused call has changed or told something")
    }
    let own = ListeningWorld.Ear(player: viewer.player, game: viewer.game)
    if mustStayUnheard(viewer, scene.place), world.told.contains(where: { $0.ear != own }) {
      complaints.append("somebody was told of it")
    }
    return complaints + world.takeLeaks()
  }

  /// What the viewer and a stranger get for what there is not.
  private func references(_ viewer: Viewer, _ scene: VisibilityScene) throws -> [Failure?] {
    try [viewer, .stranger].map { viewer in
      try refusal { try line.make(scene.world, .unknown, viewer) }
    }
  }

  private func mustStayUnheard(_ viewer: Viewer, _ place: Place) -> Bool {
    let isMatch = [JoinMatch.opcode, LeaveMatch.opcode].contains(line.opcode)
    return Viewer.kept.contains(viewer) && !(place == .pair && isMatch)
  }

  private func refusal(_ body: () throws -> Void) throws -> Failure? {
    do {
      try body()
      return nil
    } catch let failure as Failure {
      return failure
    }
  }
}

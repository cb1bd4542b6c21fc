import GatewayCore
import Identity
import Operations
import TestKit
import Testing
import Wire

/// Players whom an operator brings from another system sign in with what they have.
@Suite("Imported identities")
struct ImportTests {
  /// Of the worlds' tokens.
  private static let subject = "001234.player.0042"

  private func operation(_ meeting: SignInTests.Meeting, _ name: String = "Ada") -> ImportPlayer {
    var operation = ImportPlayer()
    operation.provider = meeting.name
    operation.subject = Self.subject
    operation.displayName = name
    return operation
  }

  private func code(_ body: () throws -> Void) throws -> FailureCode? {
    do { try body() } catch let failure as Failure { return failure.code }
    return nil
  }

  @Test("7.1 7.2 an imported player is who signs in with the identity", arguments: 0...3)
  func signsIn(_ place: Int) throws {
    let (name, world) = SignInTests.worlds[place]
    let meeting = try SignInTests.Meeting(world(), name)
    let imported = try meeting.path.asOperator(operation(meeting))
    #expect(imported.isNew)
    let again = try meeting.path.asOperator(operation(meeting, "Somebody"))
    #expect(again.player == imported.player, "no second player is made")
    let reply = try meeting.signUp(meeting.world.token())
    #expect(reply.player == imported.player)
    let session = try meeting.path.signIn(reply)
    #expect(session.player == imported.player && session.displayName == "Ada")
    let listed = try meeting.path.core.call(ListIdentities(), as: imported.player)
      .identities
    #expect(listed.map(\.subject) == [Self.subject] && listed[0].provider == name)
    meeting.path.now += 3_600_000
    #expect(meeting.path.core.runTimers().isEmpty)
    #expect(try !meeting.path.asOperator(operation(meeting)).isNew)
  }

  @Test("7.1 wherever a gateway dies on the way, the repeated call brings one player")
  func cutOff() throws {
    for count in 0...2 {
      let meeting = try SignInTests.Meeting(.custom(), "chess")
      meeting.path.serviceCallsLeft = count
      let first = try code { _ = try meeting.path.asOperator(operation(meeting)) }
      #expect(first == (count < 2 ? .unavailable : nil), "after \(count) calls")
      meeting.path.serviceCallsLeft = .max
      let player = try meeting.path.asOperator(operation(meeting)).player
      #expect(try meeting.signUp(meeting.world.token()).player == player)
      #expect(meeting.path.core.rows[16]?.count == 1, "after \(count) calls")
    }
  }

  @Test("7.2 an imported player gets further identities, but none that is another's")
  func further() throws {
    let meeting = try SignInTests.Meeting(.custom(), "chess")
    var other = operation(meeting)
    other.subject = "another"
    let player = try meeting.path.asOperator(other).player
    other.subject = Self.subject
    other.player = player
    for _ in 1...2 {
      #expect(try meeting.path.asOperator(other).player == player)
    }
    #expect(try meeting.signUp(meeting.world.token()).player == player)

    other.player = PlayerID()
    other.subject = "third"
    other.player = try meeting.path.asOperator(other).player
    other.subject = Self.subject
    #expect(try code { _ = try meeting.path.asOperator(other) } == .conflict)
    other.player = .sample(99)
    #expect(try code { _ = try meeting.path.asOperator(other) } == .notAuthenticated)
  }

  @Test("7.2 nobody but an operator imports, and nothing that cannot sign in")
  func refused() throws {
    let meeting = try SignInTests.Meeting(.custom(), "chess")
    var operation = operation(meeting)
    #expect(try code { _ = try meeting.path.call(operation) } != nil)
    let player = try meeting.signUp(meeting.world.token())
    try meeting.path.signIn(player)
    #expect(try code { _ = try meeting.path.call(operation) } == .notAllowed)
    for subject in ["", "two words", "Ä", "line\n", String(repeating: "x", count: 256)] {
      operation.subject = subject
      let code = try code { _ = try meeting.path.asOperator(operation) }
      #expect(code == .invalidArgument, "\(subject)")
    }
    operation.subject = "nameless"
    operation.displayName = "\u{7}"
    #expect(try code { _ = try meeting.path.asOperator(operation) } == .invalidArgument)
    operation.provider = "nobody"
    #expect(try code { _ = try meeting.path.asOperator(operation) } == .notFound)
  }
}

import GatewayCore
import Operations
import Testing
import Wire

/// What a gateway offers of a service whose processes are of several versions.
@Suite struct RouteTableTests {
  private var table = RouteTable()

  private func route(_ opcode: Opcode) -> RouteDescription {
    var route = RouteDescription()
    (route.opcode, route.access) = (opcode.rawValue, Access.player.rawValue)
    (route.isReadOnly, route.isLive) = (true, true)
    return route
  }

  private mutating func learn(_ partition: String, _ routes: RouteDescription...) {
    var description = ServiceDescription()
    description.service = Service.leaderboard.rawValue
    (description.partition, description.routes) = (partition, routes)
    table.learn(description)
  }

  private let old = SubmitScore.opcode
  private let new = TopScores.opcode

  @Test("a new operation is offered once all processes of its service know it, whoever came last")
  mutating func newOperation() {
    learn("1/2", route(old), route(new))
    learn("2/2", route(old))
    #expect(table[old] != nil && table[new] == nil && table.isPartlyKnown(new))
    learn("1/2", route(old), route(new))
    #expect(table[old] != nil && table[new] == nil && table.isPartlyKnown(new))
    learn("2/2", route(old), route(new))
    #expect(table[old] != nil && table[new] != nil && !table.isPartlyKnown(new))
    #expect(!table.isPartlyKnown(RemoveScore.opcode) && table.knows(.leaderboard))
  }

  @Test("an operation that processes describe differently is held to what all of them allow")
  mutating func changedOperation() throws {
    var (one, other) = (route(old), route(old))
    one.access = Access([.player, .gameServer]).rawValue
    one.needs = [need(FetchFriends.opcode)]
    (other.isReadOnly, other.isLive) = (false, false)
    other.needs = [need(FetchFriends.opcode), need(FetchPlayer.opcode)]
    learn("1/2", one)
    #expect(table[old]?.isReadOnly == true && table.isLive(old))
    learn("2/2", other)
    let entry = try #require(table[old])
    #expect(!entry.isReadOnly && !entry.isLive && entry.access == .player)
    #expect(entry.needs.map(\.opcode) == other.needs.map(\.opcode))
    learn("1/2", other)
    learn("2/2", one)
    #expect(table[old]?.needs.count == 2 && table[old]?.isReadOnly == false)
  }

  @Test("an operation whose key stands elsewhere in another version is not offered meanwhile")
  mutating func otherKey() {
    var moved = route(old)
    moved.routing = Routing.firstIdentifier.rawValue
    learn("1/2", route(old))
    learn("2/2", moved)
    #expect(table[old] == nil && table.isPartlyKnown(old))
    learn("1/2", moved)
    #expect(table[old]?.routing == .firstIdentifier && !table.isPartlyKnown(old))
  }

  @Test("what an older process does not know yet may be asked again, also where it is a fact")
  func callsMeanwhile() throws {
    var script = SessionScript()
    try script.signIn()
    var description = ServiceDescription()
    description.service = Service.leaderboard.rawValue
    (description.partition, description.routes) = ("1/2", [route(new)])
    script.state.routes.learn(description)
    description.partition = "2/2"
    description.routes = []
    script.state.routes.learn(description)
    script.call(TopScores())
    let failure = try #require(script.take().failures.first)
    #expect(failure.code == .unavailable && failure.text.contains("leaderboard"))
    script = SessionScript()
    try script.signIn()
    script.call(FriendScores(on: "one"))
    let fact = try #require(script.take().calls.first)
    script.answer(fact, .failure(Failure(.unknownOperation, "What is that?")))
    #expect(script.take().failures.map(\.code) == [.unavailable])
  }

  @Test("a process tells routes of its own service alone, and none of the gateway's")
  mutating func ofOneService() {
    let (signIn, others) = (table[SignIn.opcode], OpenSession.opcode)
    learn("1/1", route(old), route(others), route(SignIn.opcode))
    #expect(table[old] != nil && table[others] == nil && !table.isPartlyKnown(others))
    var gateways = ServiceDescription()
    gateways.service = Service.gateway.rawValue
    gateways.routes = [route(SignIn.opcode)]
    table.learn(gateways)
    #expect(signIn != nil && table[SignIn.opcode] == signIn && !table.knows(.gateway))
  }

  private func need(_ question: Opcode) -> FactKeySource {
    var need = FactKeySource()
    need.opcode = question.rawValue
    return need
  }
}

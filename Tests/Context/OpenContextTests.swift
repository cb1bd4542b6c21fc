import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct OpenContextTests {
  let driver = ContextDriver()

  @Test("3.2 whoever was matched is in a context of its own, at once")
  func matched() throws {
    var open = OpenContext()
    open.context = .sample(50)
    open.players = [ann, ben, cho].map {
      ContextPlayer(player: $0, role: .participant, state: .invited)
    }
    try driver.call(open, as: PlayerID(), kind: .service)
    try driver.deliverOwnEffects()
    try driver.restart()
    let info = try driver.get(open.context, as: ben)
    #expect(info.form == .matched && info.size == 3 && info.generation == 1)
    #expect(info.players.map(\.role) == [.owner, .participant, .participant])
    #expect(try driver.list(cho).contexts.map(\.context) == [open.context])
    #expect(failure { _ = try driver.get(open.context, as: .sample(9)) }?.code == .notFound)
    #expect(try driver.enter(open.context, as: cho).players.last?.state == .active)
  }

  @Test("1.3 a context in which nothing was played says so until its match begins")
  func hasPlayed() throws {
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 1)
    #expect(try !driver.get(context, as: ann).hasPlayed)
    try driver.join(context, as: ben, session: 2, seat: 2)
    try driver.restart()
    #expect(try driver.get(context, as: ann).hasPlayed)
    try driver.leave(context, as: ann)
    try driver.leave(context, as: ben)
    #expect(try !driver.createPair(ann, with: ben).hasPlayed)
  }
}

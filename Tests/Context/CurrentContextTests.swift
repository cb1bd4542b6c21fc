import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct CurrentContextTests {
  let world = GroupWorld()

  @Test("1.7 the server says that the chosen context was the current one already")
  func sameContext() throws {
    let id = try world.group(ann, ben)
    #expect(try world.enter(id, ann).wasCurrent)
    #expect(try world.driver.current(ann) == id)
    let solo = try world.driver.createSolo(ann).context
    world.driver.clock += 1
    #expect(try !world.enter(id, ann).wasCurrent)
    #expect(try world.enter(id, ann).wasCurrent && !world.enter(solo, ann).wasCurrent)
    #expect(try !world.get(id, ann).wasCurrent, "only the reply to SwitchContext says so")
  }

  @Test("1.5 1.7 whoever went elsewhere meanwhile is back, whatever was known of it")
  func late() throws {
    let (one, two) = (try world.group(ann), try world.group(ann))
    try world.enter(one, ann)
    var operation = SwitchContext()
    operation.context = two
    world.driver.clock += 1
    try world.driver.ask(operation, as: ann, world.book)
    // The news of it is still under way.
    #expect(try world.driver.current(ann) == one)
    operation.context = one
    world.driver.clock += 1
    #expect(try world.driver.ask(operation, as: ann, world.book).wasCurrent)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.current(ann) == one)
  }

  @Test("1.5 an entrance that is refused leaves the current context as it was")
  func refused() throws {
    let mine = try world.group(ann)
    let others = try world.group(ben, policy: .byInvite)
    for player in [ann] {
      #expect(failure { try world.join(others, player) }?.code == .notFound)
      #expect(failure { try world.enter(others, player) }?.code == .notFound)
      #expect(failure { try world.reopen(others, by: player) }?.code == .notFound)
    }
    #expect(try world.driver.current(ann) == mine)
  }

  @Test("1.8 the linked match and its number are told with the context")
  func linkedMatch() throws {
    let id = try world.driver.pair(ann, ben)
    func match() throws -> (UInt64?, Bool?) {
      let details = try world.get(id, ben).details
      return (details?.matchNumber, details?.isMatchRunning)
    }
    #expect(try match() == (0, false))
    try world.driver.join(id, as: ann, session: 1, seat: 1)
    #expect(try match() == (1, true))
    try world.driver.join(id, as: ben, session: 2, seat: 2)
    try world.leave(id, ann)
    #expect(try match() == (1, false))
  }
}

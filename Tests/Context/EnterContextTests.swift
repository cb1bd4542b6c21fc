import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct EnterContextTests {
  let driver = ContextDriver()

  @Test("1.5 switching makes a context the current one")
  func switching() throws {
    let solo = try driver.createSolo(ann).context
    driver.clock += 1
    let pair = try driver.createPair(ann, with: ben).context
    driver.clock += 1
    #expect(try driver.current(ann) == pair)
    #expect(try driver.enter(solo, as: ann).context == solo)
    #expect(try driver.current(ann) == solo)
    try driver.restart()
    #expect(try driver.current(ann) == solo)
  }

  @Test("1.5 no token is a missing argument, an unknown or forbidden one is not found")
  func errors() throws {
    let mine = try driver.createSolo(ann).context
    let bens = try driver.createSolo(ben, key: 2).context
    let missing = failure { try driver.enter(ContextID(), as: ann) }
    #expect(missing?.code == .requiredArgument)
    #expect(missing?.argument == "context")
    let unknown = failure { try driver.enter(.sample(99), as: ann) }
    let forbidden = failure { try driver.enter(bens, as: ann) }
    #expect(unknown?.code == .notFound)
    #expect(unknown == forbidden)
    #expect(try driver.current(ann) == mine)
  }

  @Test("1.5 an older entry that arrives late does not win")
  func lateEntry() throws {
    var first = RecordContext()
    first.player = ann
    first.info.context = .sample(1)
    (first.isMember, first.isEntered, first.time) = (true, true, 5)
    var second = first
    second.info.context = .sample(2)
    second.time = 7
    try driver.call(second, as: ann, kind: .service)
    try driver.call(first, as: ann, kind: .service)
    #expect(try driver.current(ann) == .sample(2))
    second.isMember = false
    second.isEntered = false
    second.time = 9
    try driver.call(second, as: ann, kind: .service)
    try driver.call(first, as: ann, kind: .service)
    #expect(try driver.current(ann) == nil)
    first.time = 8
    try driver.call(first, as: ann, kind: .service)
    #expect(try driver.current(ann) == .sample(1))
  }

  @Test("1.8 leaving clears the current context and strands nobody")
  func leaving() throws {
    let id = try driver.pair()
    _ = try driver.streamEvents(ContextPlayerChanged.self)
    try driver.leave(id, as: ann)
    #expect(try driver.current(ann) == nil)
    #expect(try driver.list(ann).contexts.isEmpty)
    #expect(failure { _ = try driver.get(id, as: ann) }?.code == .notFound)
    var info = try driver.get(id, as: ben)
    #expect(info.size == 1)
    #expect(info.players.contains { $0.player == ben && $0.role == .owner })
    info.details = nil
    #expect(try driver.current(ben) == id)
    #expect(try driver.list(ben).contexts == [info])
    let events = try driver.streamEvents(ContextPlayerChanged.self)
    #expect(events.map(\.player) == [ben])
    #expect(events.first?.event.player == ann)
    #expect(events.first?.event.state == .left)
  }

  @Test("1.8 an invited player is not stranded either, and may decline")
  func declining() throws {
    let id = try driver.createPair(ann, with: ben).context
    try driver.leave(id, as: ann)
    #expect(try driver.get(id, as: ben).size == 1)
    try driver.leave(id, as: ben)
    #expect(try driver.list(ben).contexts.isEmpty)
    #expect(failure { _ = try driver.get(id, as: ben) }?.code == .notFound)
  }

  @Test("1.8 who left is invited again by the other's create, who stayed is not")
  func comeBack() throws {
    let id = try driver.pair()
    try driver.leave(id, as: ben)
    _ = try driver.streamEvents(ContextInvitation.self)
    let info = try driver.createPair(ann, with: ben)
    #expect(info.generation == 1)
    #expect(info.size == 2)
    #expect(try driver.streamEvents(ContextInvitation.self).map(\.player) == [ben])
    try driver.leave(id, as: ann)
    #expect(try driver.createPair(ann, with: ben).size == 2)
    #expect(try driver.streamEvents(ContextInvitation.self).isEmpty)
  }

  @Test("1.8 the last one out closes a solo context for good")
  func closing() throws {
    let id = try driver.createSolo(ann).context
    try driver.leave(id, as: ann)
    #expect(failure { try driver.enter(id, as: ann) }?.code == .notFound)
    #expect(try driver.list(ann).contexts.isEmpty)
    #expect(driver.rows[16]?.isEmpty ?? true)
  }
}

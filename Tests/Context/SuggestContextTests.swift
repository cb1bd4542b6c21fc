import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct SuggestContextTests {
  let world = GroupWorld()

  private func suggest(_ player: PlayerID, cursor: String = "") throws -> SuggestContexts.Reply {
    var operation = SuggestContexts()
    operation.cursor = cursor
    return try world.driver.ask(operation, as: player, world.book)
  }

  @Test("1.3 friends suggest the open groups that they are in, each once, and themselves")
  func friends() throws {
    world.book.friends = [[ann, ben], [ann, cho], [ben, dan], [ben, cho]]
    let shared = try world.group(ben, cho, policy: .open)
    let closed = try world.group(ben, cho, policy: .byLink)
    let mine = try world.group(ann, ben, policy: .open)
    let strangers = try world.create(dan, .open).info.context
    let full = try world.create(ben, .open, sizeMax: 2, inviting: [cho]).info.context
    _ = try world.driver.pair(ann, ben)
    let reply = try suggest(ann)
    #expect(reply.contexts.map(\.context) == [shared])
    #expect(
      ![closed, mine, strangers, full].contains { reply.contexts.map(\.context).contains($0) })
    #expect(reply.contexts.first?.players == [], "who is in it is not told")
    #expect(reply.friends == [cho], "with ben there is a context")
    #expect(reply.cursor.isEmpty)
    #expect(try world.join(shared, ann).size == 3)
    #expect(try suggest(ann).contexts.isEmpty)
  }

  @Test("1.3 an invitation that a friend has not accepted suggests nothing")
  func invited() throws {
    world.book.friends = [[ann, ben], [ben, cho]]
    try world.create(cho, .open, inviting: [ben])
    #expect(try suggest(ann).contexts.isEmpty)
  }

  @Test("2.9 a friend who blocks the player suggests nothing, before the friendship's end is known")
  func blocked() throws {
    world.book.friends = [[ann, ben], [ann, cho]]
    let groups = [try world.group(ben, policy: .open), try world.group(cho, policy: .open)]
    #expect(try Set(suggest(ann).contexts.map(\.context)) == Set(groups))
    // Ben's list has heard of it, but ann's friends have not changed.
    try world.tellBlock(ann, by: ben, true, at: world.driver.clock)
    #expect(try suggest(ann).contexts.map(\.context) == [groups[1]])
    try world.tellBlock(ann, by: ben, false, at: world.driver.clock)
    // Cho's key has, and nobody else.
    world.book.isFriendEvenIfBlocked = true
    world.book.blocks = [cho: [ann]]
    let reply = try suggest(ann)
    #expect(reply.contexts.map(\.context) == [groups[0]] && reply.friends == [ben])
  }

  @Test("1.3 so many friends are asked for a page, and the pages cover all of them")
  func pages() throws {
    let everybody = world.book.everybody.filter { $0 != ann }
    var seen: [PlayerID] = []
    var cursor = ""
    var pageCount = 0
    repeat {
      let page = try suggest(ann, cursor: cursor)
      #expect(page.friends.count <= ContextLimits.suggestionFriendsMax)
      seen += page.friends
      cursor = page.cursor
      pageCount += 1
    } while !cursor.isEmpty
    #expect(seen == everybody.sorted() && pageCount == 5)
    #expect(failure { _ = try suggest(ben, cursor: "x") }?.argument == "cursor")
  }
}

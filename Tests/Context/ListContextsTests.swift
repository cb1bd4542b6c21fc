import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct ListContextsTests {
  let driver = ContextDriver()

  @Test("1.3 pages are complete and in order, the most recently active first")
  func pages() throws {
    var ids: [ContextID] = []
    for key in 1...25 {
      // Every third shares its time with the one before: the id decides.
      if key % 3 != 0 { driver.clock += 10 }
      ids.append(try driver.createSolo(ann, key: UInt64(key)).context)
    }
    try driver.createSolo(ben, key: 99)
    try driver.restart()
    driver.clock += 10
    try driver.enter(ids[4], as: ann)
    var seen: [ContextInfo] = []
    var cursor = ""
    repeat {
      let page = try driver.list(ann, cursor: cursor, limit: 4)
      #expect(page.contexts.count == 4 || page.cursor.isEmpty)
      seen += page.contexts
      cursor = page.cursor
    } while !cursor.isEmpty
    #expect(Set(seen.map(\.context)) == Set(ids))
    #expect(seen.count == ids.count)
    #expect(seen.first?.context == ids[4])
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.lastActiveAt >= $1.lastActiveAt })
  }

  @Test("1.3 an exact last page has no cursor", arguments: [UInt32(1), 2, 3])
  func lastPage(limit: UInt32) throws {
    for key in 1...limit { try driver.createSolo(ann, key: UInt64(key)) }
    let page = try driver.list(ann, limit: limit)
    #expect(page.contexts.count == Int(limit))
    #expect(page.cursor.isEmpty)
  }

  @Test("1.3 a page has 1 to 100 contexts")
  func limits() throws {
    for limit in [UInt32(0), 101] {
      let refused = failure { _ = try driver.list(ann, limit: limit) }
      #expect(refused?.code == .invalidArgument)
      #expect(refused?.argument == "limit")
    }
    for limit in [UInt32(1), 100] { _ = try driver.list(ann, limit: limit) }
  }

  @Test("1.3 a cursor of somebody else's making is refused")
  func cursors() throws {
    let bad = ["x", "é", String(repeating: "0", count: 51), String(repeating: "u", count: 52)]
    for cursor in bad {
      let refused = failure { _ = try driver.list(ann, cursor: cursor) }
      #expect(refused?.code == .invalidArgument)
      #expect(refused?.argument == "cursor")
    }
  }
}

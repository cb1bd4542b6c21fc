import Domain
import Operations
import Testing
import Wire

@Suite("Page cursors")
struct PageCursorTests {
  /// A list of `Inbox`, unless told otherwise.
  private func list<O: Operation>(
    of operation: O = Inbox(), by player: UInt64 = 1, at key: UInt64 = 1, in game: String = "game"
  ) -> PagedList {
    var principal = Principal()
    principal.player = PlayerID(high: 0, low: player)
    principal.game = game
    return PagedList(operation, Call(principal: principal, key: RoutingKey(high: 0, low: key)))
  }

  @Test("A cursor survives its text, also at the ends of both numbers")
  func text() throws {
    let list = list()
    for time in [Int64.min, -1, 0, 1, 1_795_236_453_812, .max] {
      for id in [PlayerID(), PlayerID(high: .max, low: .max), PlayerID(high: 1, low: 2)] {
        let end = PageCursor(time: time, id: id)
        #expect(try list.end(ofPage: list.text(end)) == end)
      }
    }
    #expect(try list.end(ofPage: "") as PageCursor<PlayerKind>? == nil)
  }

  @Test("Texts that are no cursors are refused")
  func strangers() {
    let text = list().text(PageCursor(time: 7, id: PlayerID(high: 1, low: 2)))
    let odd = String(text.dropLast()) + "\u{e9}"
    let sevens = String(repeating: "7", count: 52)
    for text in ["x", String(text.dropLast()), text + "0", odd, text.uppercased(), sevens] {
      #expect(isRefused(text, by: list()))
    }
  }

  @Test("A cursor of another operation, caller, key or game is refused")
  func otherLists() {
    let text = list().text(PageCursor(time: 7, id: PlayerID(high: 1, low: 2)))
    #expect(!isRefused(text, by: list()))
    #expect(isRefused(text, by: list(of: ListContexts())))
    #expect(isRefused(text, by: list(by: 2)))
    #expect(isRefused(text, by: list(at: 2)))
    #expect(isRefused(text, by: list(in: "games")))
  }

  private func isRefused(_ text: String, by list: PagedList) -> Bool {
    do {
      let _: PageCursor<PlayerKind>? = try list.end(ofPage: text)
      return false
    } catch {
      guard case .refused(let failure) = error else { return false }
      return failure.code == .invalidArgument && failure.argument == "cursor"
    }
  }
}

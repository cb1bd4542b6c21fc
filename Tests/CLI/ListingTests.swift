import Foundation
import MusterKit
import Terminal
import Testing

@testable import muster

@Suite struct ListingTests {
  private let ada = PlayerID(high: 1, low: 1)
  private let ben = PlayerID(high: 1, low: 2)

  private func lines<L: Listed>(
    _ reply: L, _ names: [PlayerID: String] = [:], width: Int? = nil
  ) -> [String] {
    let reading = Reading(namesAskedFor: names, reader: ada)
    let paint = Paint(isOn: false)
    return L.listings.flatMap { $0.lines(reply, reading, width: width, paint: paint) }
      + reply.notes(reading)
  }

  private func page(_ values: [(PlayerID, Int64)]) -> ScorePage {
    var page = ScorePage()
    page.entries = values.enumerated().map { place, score in
      var entry = LeaderboardEntry()
      (entry.rank, entry.player, entry.value) = (UInt32(place + 1), score.0, score.1)
      entry.date = 1_795_783_669_784
      return entry
    }
    page.total = UInt32(values.count)
    return page
  }

  @Test("4.3 a board's top shows rank, name, value, date and id, aligned by what a terminal shows")
  func scores() {
    let date = LocalDate.text(1_795_783_669_784, .minute)
    let shown = lines(page([(ben, 1042), (ada, 42)]), [ada: "Ada", ben: "日本"])
    #expect(
      shown == [
        "rank  name  value  date              player",
        "   1  日本   1042  \(date)  \(ben)", "   2  Ada      42  \(date)  \(ada)",
      ])
  }

  @Test("4.3 the reader's own entry and how many there are stand below a part of a board")
  func notes() {
    var part = page([(ben, 7)])
    part.total = 120
    part.localEntry = part.entries[0]
    part.localEntry?.rank = 80
    #expect(lines(part).suffix(2) == ["1 of 120", "you: rank 80 of 120, with 7"])
  }

  @Test("a column in which nothing stands is left out, also that of names that nobody knows")
  func emptyColumns() {
    #expect(lines(page([(ben, 7)]))[0] == "rank  value  date              player")
  }

  @Test("an empty list says what to do next")
  func empty() {
    #expect(lines(ListFriends.Reply())[0].contains("muster friend invite PLAYER"))
  }

  @Test("a page of a list says how the next one is asked for")
  func cursor() {
    var reply = Inbox.Reply()
    reply.cursor = "abc"
    #expect(lines(reply).last == "more: repeat the command with --cursor abc")
  }

  @Test("no text of another player controls the terminal")
  func printable() {
    var request = ReceivedRequest()
    (request.senderName, request.message) = ("\u{1b}[2J", "a\nb\u{202e}")
    var reply = Inbox.Reply()
    reply.requests = [request]
    let shown = lines(reply)
    #expect(shown[1].hasPrefix("\u{fffd}[2J  a\u{fffd}b\u{fffd}"), "\(shown)")
  }

  @Test("on a narrow terminal a message is shortened, and the ids stay whole")
  func narrow() {
    var request = ReceivedRequest()
    (request.request, request.senderName) = (RequestID(high: 1, low: 3), "Ben")
    request.message = String(repeating: "come and play ", count: 9)
    var reply = Inbox.Reply()
    reply.requests = [request]
    for width in [80, 60] {
      let shown = lines(reply, width: width)
      #expect(shown.allSatisfy { TextWidth.of($0) <= width }, "\(shown)")
      #expect(shown[1].contains("…") && shown[1].hasSuffix(request.request.description))
    }
    #expect(lines(reply, width: 40).contains("request  \(request.request)"))
  }
}

import Foundation
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  /// The server does not tell when an exchange and the replies in it were made.
  @MainActor
  @Suite("Dates of exchanges", .serialized, .endsAtLast)
  struct ExchangeDateTests {
    @Test("1.9 The dates of an exchange do not change when the match is loaded again")
    func dates() async throws {
      let client = GameKitTests.client { answers in
        var complete = TurnRepeatTests.exchange(3)
        complete.isComplete = true
        answers.turns.view.info.exchanges = [complete]
        answers.turns.exchange.exchange = complete
        var answer = TurnExchangeAnswer()
        answer.player = FakeClient.me
        answers.turns.exchange.answers = [answer]
      }
      let first = try #require(try await TurnTests.load().exchanges?.first)
      let later = try #require(try await TurnTests.load().exchanges?.first)
      #expect(first !== later && first.sendDate == later.sendDate)
      #expect(first.replies?.map(\.replyDate) == later.replies?.map(\.replyDate))
      #expect(first.replies?.count == 1 && later.completionDate == nil)
      client.answers.withLock { answers in
        var answer = TurnExchangeAnswer()
        answer.player = FakeClient.friend
        answers.turns.exchange.answers.append(answer)
      }
      let two = try #require(try await TurnTests.load().exchanges?.first?.replies)
      #expect(two.map(\.replyDate) == [first.replies?.first?.replyDate, two.last?.replyDate])
      #expect(two[0].replyDate != two[1].replyDate, "each when it was heard")
      // An exchange of another match may have the same number.
      client.answers.withLock { $0.turns.view.info.number += 1 }
      let other = try #require(try await TurnTests.load().exchanges?.first)
      #expect(other.exchangeID == first.exchangeID && other.sendDate != first.sendDate)
    }

    @Test("1.9 The own reply keeps its date when the match is loaded again")
    func ownReply() async throws {
      let client = GameKitTests.client { answers in
        answers.turns.view.info.exchanges = [TurnRepeatTests.exchange(5)]
        answers.turns.exchange.exchange = TurnRepeatTests.exchange(5)
      }
      let exchange = try #require(try await TurnTests.load().exchanges?.first)
      try await exchange.reply(withLocalizableMessageKey: "", arguments: [], data: Data([2]))
      client.answers.withLock { answers in
        var answer = TurnExchangeAnswer()
        answer.player = FakeClient.me
        answers.turns.exchange.answers = [answer]
      }
      let later = try #require(try await TurnTests.load().exchanges?.first)
      #expect(later.replies?.count == 1)
      #expect(later.replies?.map(\.replyDate) == exchange.replies?.map(\.replyDate))
    }

    @Test("1.9 Of more dates than are kept, the oldest is forgotten, and no other")
    func datesBounded() {
      let dates = ExchangeDates()
      let heard = (0..<ExchangeDates.countMax).map { dates.firstHeard("\($0)") }
      #expect(dates.firstHeard("0") == heard[0])
      _ = dates.firstHeard("one more")
      #expect(dates.firstHeard("1") == heard[1])
      #expect(dates.firstHeard("0") != heard[0], "forgotten, and heard again")
    }
  }
}

import Operations
import Testing
import Wire

@testable import MusterKit

/// What a call that the server refuses for a time fails with, when its time is up.
extension CallBookTests {
  private static let full = Failure(.storageFull, "The disk is full.")

  private static func only(_ answers: [CallBook.Answer]) throws -> MusterError {
    #expect(answers.count == 1)
    guard case .failure(let error) = try #require(answers.first).result else {
      throw MusterError(.conflict, "It was answered.")
    }
    return error
  }

  @Test("a call that was refused until its deadline, and did not run, fails as it was refused")
  mutating func refusedUntilDeadline() throws {
    _ = add(deadline: 1_000)
    let sent = try #require(send().first)
    #expect(answer(sent, .failure(Self.full)) == nil)
    let error = try Self.only(book.expire(now: 1_000))
    #expect(error == refused(Self.full, sent) && !error.isOutcomeUnknown)
    #expect(book.calls.isEmpty)
  }

  @Test("a refusal from before the connection was lost is only the cause of the call's late end")
  mutating func refusedThenLost() throws {
    _ = add(deadline: 1_000)
    #expect(answer(try #require(send().first), .failure(Self.full)) == nil)
    #expect(book.connectionLost().isEmpty)
    let lost = book
    // Whether there is a connection by then makes no difference.
    for obstacle in ["refused", nil] {
      book = lost
      let error = try Self.only(book.expire(now: 1_000, obstacle: obstacle))
      #expect(error.code == .deadlineExceeded && !error.isOutcomeUnknown)
      #expect(error.cause == .storageFull && error.text.contains("The disk is full."))
    }
    // On the next connection it is refused anew.
    book = lost
    let again = try #require(send(now: 500).first)
    #expect(answer(again, .failure(Self.full), now: 500) == nil)
    #expect(try Self.only(book.expire(now: 1_000)) == refused(Self.full, again))
  }

  @Test("a deadline that comes while a call is repeated tells what the server had refused it for")
  mutating func cause() throws {
    for isLost in [false, true] {
      book = CallBook()
      _ = add(deadline: 1_000)
      #expect(answer(try #require(send().first), .failure(Self.full)) == nil)
      let again = try #require(send(now: 900).first)
      if isLost { #expect(answer(again, Self.lost) == nil) }
      let error = try Self.only(book.expire(now: 1_000))
      #expect(error.code == .deadlineExceeded && error.isOutcomeUnknown)
      #expect(error.cause == .storageFull && error.text.contains("The disk is full."))
      #expect("\(error)".contains("[deadlineExceeded after storageFull]"))
    }
  }

  @Test("a call that waits for a session tells why the server refuses to begin one")
  mutating func causeOfSession() throws {
    _ = add(deadline: 100)
    let error = try Self.only(book.expire(now: 100, refusal: PassingRefusal(Self.full)))
    #expect(error.code == .deadlineExceeded && !error.isOutcomeUnknown)
    #expect(error.cause == .storageFull)
    #expect(error.text.contains("The session cannot begin: The disk is full."))
  }

  @Test("a call that nothing was refused has no cause")
  mutating func noCause() throws {
    _ = add(deadline: 100)
    #expect(answer(try #require(send().first), Self.lost) == nil)
    #expect(try Self.only(book.expire(now: 100)).cause == nil)
  }

  @Test("a call whose session was given up has the cause of that")
  mutating func causeOfEnd() throws {
    _ = add()
    let late = Failure(.deadlineExceeded, "late")
    let error = try Self.only(book.sessionEnded(late, cause: .storageFull))
    #expect(error.code == .deadlineExceeded && error.cause == .storageFull)
  }
}

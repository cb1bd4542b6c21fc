internal import MusterKit

/// What an accepted invitation has come to, for whoever asks: before it is known and afterwards.
@MainActor
struct InviteOutcomes {
  enum Outcome: Sendable {
    case match(ContextID)
    /// Those who have accepted wait for others by this ticket.
    case ticket(MatchTicketID, playerGroup: String)
    /// Why it came to nothing.
    case answer(MatchInviteAnswer)

    /// Whether a later outcome takes its place. The server could not be told, or the invitation was
    /// gone when it was: another try, or what came of an answer whose reply was lost, says more.
    fileprivate var isPassing: Bool {
      if case .answer(let answer) = self { answer == .failed || answer == .noAnswer } else { false }
    }
  }

  /// Invitations whose outcome is kept; the oldest makes room.
  static let keptMax = 64

  private var known: [(of: MatchInviteReference, outcome: Outcome)] = []
  private var waiting: [MatchInviteReference: [AsyncStream<Outcome>.Continuation]] = [:]

  /// The first outcome counts, but for one that passes.
  mutating func note(_ outcome: Outcome, of invite: MatchInviteReference) {
    if let place = known.firstIndex(where: { $0.of == invite }) {
      if known[place].outcome.isPassing { known[place].outcome = outcome }
      return
    }
    known.append((invite, outcome))
    if known.count > Self.keptMax { known.removeFirst() }
    for waiter in waiting.removeValue(forKey: invite) ?? [] {
      waiter.yield(outcome)
      waiter.finish()
    }
  }

  /// The player accepts an invitation once more, after it has failed for a passing reason.
  mutating func beginAnew(for invite: MatchInviteReference) {
    known.removeAll { $0.of == invite && $0.outcome.isPassing }
  }

  /// A stream of the one outcome; it ends without one when `failAll` is called.
  mutating func outcome(of invite: MatchInviteReference) -> AsyncStream<Outcome> {
    let (stream, waiter) = AsyncStream.makeStream(of: Outcome.self)
    if let found = known.first(where: { $0.of == invite }) {
      waiter.yield(found.outcome)
      waiter.finish()
    } else {
      waiting[invite, default: []].append(waiter)
    }
    return stream
  }

  mutating func failAll() {
    for waiter in waiting.values.joined() { waiter.finish() }
    (known, waiting) = ([], [:])
  }
}

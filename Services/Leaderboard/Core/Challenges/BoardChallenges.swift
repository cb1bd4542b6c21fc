import Domain
import Operations
import Wire

/// One board's open score challenges, by their receiver and by their issuer.
struct BoardChallenges {
  /// In order of arrival.
  private var byReceiver: [PlayerID: [OpenChallengeRow]] = [:]
  private var byIssuer: [PlayerID: [IssuedChallenge]] = [:]

  private(set) var count = 0

  var isEmpty: Bool { byReceiver.isEmpty }

  func received(by player: PlayerID) -> [OpenChallengeRow] { byReceiver[player] ?? [] }

  func issued(by player: PlayerID) -> [IssuedChallenge] { byIssuer[player] ?? [] }

  /// Adds a challenge behind all others; while rows are loaded, in any order: see `sort`.
  mutating func add(_ row: OpenChallengeRow) {
    count += 1
    byReceiver[row.challenge.receiver, default: []].append(row)
    byIssuer[row.challenge.issuer, default: []].append(IssuedChallenge(row))
  }

  mutating func replace(_ row: OpenChallengeRow) {
    let (receiver, issuer) = (row.challenge.receiver, row.challenge.issuer)
    if let place = byReceiver[receiver]?.firstIndex(where: { $0.key == row.key }) {
      byReceiver[receiver]?[place] = row
    }
    if let place = byIssuer[issuer]?.place(of: row.arrival) {
      byIssuer[issuer]?[place] = IssuedChallenge(row)
    }
  }

  mutating func remove(_ row: OpenChallengeRow) {
    let (receiver, issuer) = (row.challenge.receiver, row.challenge.issuer)
    if let place = byReceiver[receiver]?.firstIndex(where: { $0.key == row.key }) {
      count -= 1
      byReceiver[receiver]?.remove(at: place)
      if byReceiver[receiver]?.isEmpty == true { byReceiver[receiver] = nil }
    }
    if let place = byIssuer[issuer]?.place(of: row.arrival) {
      byIssuer[issuer]?.remove(at: place)
      if byIssuer[issuer]?.isEmpty == true { byIssuer[issuer] = nil }
    }
  }

  /// Puts rows that came in any order into the order of arrival.
  mutating func sort() {
    for receiver in byReceiver.keys { byReceiver[receiver]?.sort { $0.arrival < $1.arrival } }
    for issuer in byIssuer.keys { byIssuer[issuer]?.sort { $0.arrival < $1.arrival } }
  }
}

/// Where an open challenge is found, on its issuer's list, which is in order of arrival.
struct IssuedChallenge {
  /// The challenge's own, not that of an attempt.
  var arrival: UInt64
  /// The attempt that it rests on.
  var attempt: UInt64
  var receiver: PlayerID

  init(_ row: OpenChallengeRow) {
    arrival = row.arrival
    attempt = row.challenge.attempt
    receiver = row.challenge.receiver
  }
}

extension [IssuedChallenge] {
  func place(of arrival: UInt64) -> Int? {
    let end = end(through: arrival)
    return end > 0 && self[end - 1].arrival == arrival ? end - 1 : nil
  }

  /// How many challenges have this arrival or an earlier one.
  func end(through arrival: UInt64) -> Int { sortedCount { $0.arrival <= arrival } }
}

/// A submitted score, as the player's open challenges see it.
struct Attempt {
  /// With the value that counts against targets. Its arrival is 0 when it has none yet.
  var entry: Board.Entry
  /// Nil makes every challenge eligible.
  var eligible: Set<ChallengeID>?

  init(_ entry: Board.Entry, _ operation: SubmitScore) {
    self.entry = entry
    eligible = operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil
  }

  func meets(_ challenge: Challenge, _ order: ScoreOrder) -> Bool {
    if challenge.isOver(at: entry.date) { return false }
    if let eligible, !eligible.contains(challenge.id) { return false }
    return !order.isBetter(challenge.value, than: entry.value)
  }
}

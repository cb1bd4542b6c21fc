import Operations
import Wire

/// One board's open score challenges, by their receiver and by their issuer.
struct BoardChallenges {
  /// In order of arrival.
  private var byReceiver: [PlayerID: [OpenChallengeRow]] = [:]
  private var byIssuer: [PlayerID: [IssuedChallenge]] = [:]

  var isEmpty: Bool { byReceiver.isEmpty }
  var all: some Sequence<OpenChallengeRow> { byReceiver.values.joined() }

  func received(by player: PlayerID) -> [OpenChallengeRow] { byReceiver[player] ?? [] }

  func issued(by player: PlayerID) -> [IssuedChallenge] { byIssuer[player] ?? [] }

  /// Adds one behind all others, or at the start anywhere: see `sort`.
  mutating func add(_ row: OpenChallengeRow) {
    byReceiver[row.challenge.receiver, default: []].append(row)
    byIssuer[row.challenge.issuer, default: []].append(IssuedChallenge(row))
  }

  mutating func replace(_ row: OpenChallengeRow) {
    let receiver = row.challenge.receiver
    guard let place = byReceiver[receiver]?.firstIndex(where: { $0.key == row.key }) else { return }
    byReceiver[receiver]?[place] = row
  }

  mutating func remove(_ row: OpenChallengeRow) {
    let (receiver, issuer) = (row.challenge.receiver, row.challenge.issuer)
    if let place = byReceiver[receiver]?.firstIndex(where: { $0.key == row.key }) {
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

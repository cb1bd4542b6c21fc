import Operations
import Wire

/// Where an open challenge is found, on the list of those of one issuer: in order of arrival.
struct IssuedChallenge {
  /// Its own, not that of an attempt.
  var arrival: UInt64
  /// The attempt that it was issued with.
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

  /// How many have this number or one before it.
  func end(through arrival: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].arrival <= arrival { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

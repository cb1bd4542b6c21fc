import Operations
import Wire

/// One other player, as a `MatchExchange` sees it: the pieces that it has not acknowledged, and how
/// far its own data has come. Sequence numbers count from 1 for each pair of clients.
struct MatchPeer: Sendable {
  struct Piece: Sendable {
    var payload: [UInt8]
    /// Whether the message goes on in the next piece.
    var isPartial: Bool
    /// Whether the message began in an earlier piece.
    var isContinuation: Bool
  }

  private(set) var state = MatchPlayerState.absent
  /// The seat number of the client at the other end; 0 until it is known.
  private(set) var seat: UInt64 = 0

  /// The sent pieces that wait for an acknowledgement. The first has the number
  /// `acknowledgedThrough + 1`.
  private(set) var unacknowledged: [Piece] = []
  private(set) var acknowledgedThrough: UInt64 = 0
  private var bufferedSize = 0
  /// When to send unacknowledged pieces again; nil when none is under way.
  var repeatAt: Int64?
  var sentUnreliable: UInt64 = 0

  private(set) var receivedThrough: UInt64 = 0
  var owesAcknowledgement = false
  /// Pieces that came before an earlier one did, by their numbers.
  private var earlyPieces: [UInt64: Piece] = [:]
  /// The bytes so far of the message that is coming in pieces.
  private var message: [UInt8] = []
  private var isOversized = false
  private var newestUnreliable: UInt64 = 0

  var isReachable: Bool { state == .connected && seat != 0 }

  /// Takes the service's word on the player's state. Returns true when another client has the
  /// player's seat: both directions then begin anew.
  mutating func meet(seat newSeat: UInt64, _ newState: MatchPlayerState) -> Bool {
    state = newState
    if newState == .left || newState == .absent {
      self = MatchPeer()
      state = newState
      return false
    }
    // After a restart of the service, seat 0 only means that the player has not joined again yet.
    guard newSeat != 0, newSeat != seat else { return false }
    defer { seat = newSeat }
    guard seat != 0 else { return false }
    restart()
    return true
  }

  private mutating func restart() {
    // The new client has not seen the beginning of a message that is half delivered.
    let rest = Array(unacknowledged.drop { $0.isContinuation })
    let current = state
    self = MatchPeer()
    state = current
    unacknowledged = rest
    bufferedSize = rest.reduce(0) { $0 + $1.payload.count }
  }

  // MARK: Sending

  func hasRoom(for count: Int, size: Int, _ limits: MatchExchange.Limits) -> Bool {
    unacknowledged.count + count <= limits.bufferCountMax
      && bufferedSize + size <= limits.bufferSizeMax
  }

  /// Keeps a piece and returns its number.
  mutating func append(_ piece: Piece) -> UInt64 {
    unacknowledged.append(piece)
    bufferedSize += piece.payload.count
    return acknowledgedThrough + UInt64(unacknowledged.count)
  }

  mutating func acknowledged(through: UInt64, repeatAt later: Int64) {
    guard through > acknowledgedThrough,
      through - acknowledgedThrough <= UInt64(unacknowledged.count)
    else { return }
    let count = Int(through - acknowledgedThrough)
    bufferedSize -= unacknowledged[..<count].reduce(0) { $0 + $1.payload.count }
    unacknowledged.removeFirst(count)
    acknowledgedThrough = through
    repeatAt = unacknowledged.isEmpty ? nil : later
  }

  // MARK: Receiving

  mutating func isNewest(_ sequence: UInt64) -> Bool {
    // Unreliable data that was sent to all carries no number; the connection keeps its order.
    if sequence == 0 { return true }
    guard sequence > newestUnreliable else { return false }
    newestUnreliable = sequence
    return true
  }

  /// Takes a piece and returns the messages that are whole with it; nil stands for a message that
  /// was too long.
  mutating func receive(_ event: MatchData, _ limits: MatchExchange.Limits) -> [[UInt8]?] {
    owesAcknowledgement = true
    guard event.sequence > receivedThrough,
      event.sequence - receivedThrough <= UInt64(limits.bufferCountMax)
    else { return [] }
    earlyPieces[event.sequence] = Piece(
      payload: event.payload.array, isPartial: event.isPartial, isContinuation: false)
    var messages: [[UInt8]?] = []
    while let piece = earlyPieces.removeValue(forKey: receivedThrough + 1) {
      receivedThrough += 1
      if !isOversized { message += piece.payload }
      if message.count > limits.messageSizeMax {
        isOversized = true
        message = []
      }
      guard !piece.isPartial else { continue }
      messages.append(isOversized ? nil : message)
      (message, isOversized) = ([], false)
    }
    return messages
  }
}

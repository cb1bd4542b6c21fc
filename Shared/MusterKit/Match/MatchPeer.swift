import Operations
import Wire

/// One other player, as a `MatchExchange` sees it: the pieces that it has not acknowledged, and how
/// far its own data has come. Sequence numbers count from 1 for each pair of clients.
struct MatchPeer: Sendable {
  private(set) var state = MatchPlayerState.absent
  /// The player's place in the match.
  var place: UInt8 = 0
  /// The seat number of the client at the other end; 0 until it is known.
  private(set) var seat: UInt64 = 0

  /// The sent pieces that wait for an acknowledgement. The first has the number
  /// `acknowledgedThrough + 1`.
  private(set) var unacknowledged = PieceQueue()
  private(set) var acknowledgedThrough: UInt64 = 0
  /// How many of the pieces are under way; the rest waits for those to be acknowledged, so that a
  /// player who comes back is not sent all of them at once.
  private(set) var underWayCount = 0
  private var underWayCost = 0
  /// The most that may be under way. It begins small, so that all who send to a player who comes
  /// back do not fill its line before they hear of it; grows with what is acknowledged in time; and
  /// shrinks with what is acknowledged late.
  private var windowSize = 0
  /// A piece under way, and when it was sent; nil while no piece is timed.
  private var timed: (number: UInt64, at: Int64)?
  /// When to send the first piece again; nil when none is under way.
  private(set) var repeatAt: Int64?
  private var repeatPause: Int64 = 0

  private(set) var receivedThrough: UInt64 = 0
  var owesAcknowledgement = false
  /// Pieces that came before an earlier one did, by their numbers.
  private var earlyPieces: [UInt64: MatchPiece] = [:]
  private var earlyCost = 0
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
      let place = place
      self = MatchPeer()
      (state, self.place) = (newState, place)
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
    var (rest, isWhole) = (PieceQueue(), false)
    for index in 0..<unacknowledged.count {
      // The new client has not seen the beginning of a message that is half delivered.
      isWhole = isWhole || !unacknowledged[index].isContinuation
      if isWhole { rest.append(unacknowledged[index]) }
    }
    let (current, place) = (state, place)
    self = MatchPeer()
    (state, self.place) = (current, place)
    unacknowledged = rest
  }

  // MARK: Sending

  func hasRoom(for count: Int, size: Int, _ limits: MatchExchange.Limits) -> Bool {
    unacknowledged.count + count <= limits.bufferCountMax
      && unacknowledged.cost + size + count * MatchPiece.overheadSize <= limits.bufferSizeMax
  }

  /// Keeps a piece and returns its number.
  mutating func append(_ piece: MatchPiece) -> UInt64 {
    unacknowledged.append(piece)
    return acknowledgedThrough + UInt64(unacknowledged.count)
  }

  /// Begins to send from the first piece that is not acknowledged.
  mutating func sendAnew() {
    (underWayCount, underWayCost, repeatAt, repeatPause) = (0, 0, nil, 0)
    (windowSize, timed) = (0, nil)
  }

  /// The next piece to send and its number, where there is one and it may go out now.
  mutating func takeNext(_ limits: MatchExchange.Limits, now: Int64) -> (MatchPiece, UInt64)? {
    guard isReachable, underWayCount < unacknowledged.count else { return nil }
    let piece = unacknowledged[underWayCount]
    let size = max(windowSize, min(limits.firstWindowSize, limits.windowSizeMax))
    guard underWayCount == 0 || underWayCost + piece.cost <= size else { return nil }
    underWayCount += 1
    underWayCost += piece.cost
    let number = acknowledgedThrough + UInt64(underWayCount)
    if timed == nil { timed = (number, now) }
    if repeatAt == nil { repeatLater(limits, now: now) }
    return (piece, number)
  }

  private mutating func repeatLater(_ limits: MatchExchange.Limits, now: Int64) {
    repeatPause = min(
      max(limits.repeatMilliseconds, repeatPause * 2), limits.repeatMillisecondsMax)
    repeatAt = now + repeatPause
  }

  /// The first piece again, when it has waited for too long: its answer tells whether the player is
  /// there for the others, which follow anew with it.
  mutating func takeRepeat(_ limits: MatchExchange.Limits, now: Int64) -> (MatchPiece, UInt64)? {
    guard isReachable, let repeatAt, repeatAt <= now else { return nil }
    let pause = repeatPause
    sendAnew()
    repeatPause = pause
    let next = takeNext(limits, now: now)
    // Its acknowledgement may be of what was sent first.
    timed = nil
    return next
  }

  /// The receiver has everything up to a number. What was never sent nobody can have.
  mutating func acknowledged(through: UInt64, _ limits: MatchExchange.Limits, now: Int64) {
    guard through > acknowledgedThrough,
      through - acknowledgedThrough <= UInt64(unacknowledged.count)
    else { return }
    var size = 0
    while acknowledgedThrough < through {
      let piece = unacknowledged.removeFirst()
      acknowledgedThrough += 1
      size += piece.cost
      // What was sent before the connection was lost may be acknowledged before it is sent again.
      guard underWayCount > 0 else { continue }
      underWayCount -= 1
      underWayCost -= piece.cost
    }
    fit(size, limits, now: now)
    (repeatAt, repeatPause) = (nil, 0)
    if underWayCount != 0 { repeatLater(limits, now: now) }
  }

  /// Changes the window by how long an acknowledgement took.
  private mutating func fit(_ size: Int, _ limits: MatchExchange.Limits, now: Int64) {
    let wait = timed.map { now - $0.at } ?? 0
    if let timed, acknowledgedThrough >= timed.number { self.timed = nil }
    if wait >= limits.repeatMilliseconds {
      windowSize /= 2
    } else if wait <= limits.repeatMilliseconds / 2 {
      windowSize = min(
        max(windowSize, limits.firstWindowSize) + size, limits.windowSizeMax)
    }
  }

  // MARK: Receiving

  mutating func isNewest(_ sequence: UInt64) -> Bool {
    // Unreliable data without a number: the connection keeps its order.
    if sequence == 0 { return true }
    guard sequence > newestUnreliable else { return false }
    newestUnreliable = sequence
    return true
  }

  /// Takes a piece and returns the messages that are whole with it; nil stands for a message that
  /// was too long.
  mutating func receive(
    _ sequence: UInt64, _ event: MatchData, _ limits: MatchExchange.Limits
  ) -> [[UInt8]?] {
    owesAcknowledgement = true
    guard sequence > receivedThrough,
      sequence - receivedThrough <= UInt64(limits.bufferCountMax), earlyPieces[sequence] == nil
    else { return [] }
    let piece = MatchPiece(
      payload: event.payload.array, isPartial: event.isPartial, isContinuation: false)
    // The sender repeats what does not fit until those before it have come.
    // An honest one has a window of it under way.
    let earlyMax = min(limits.bufferSizeMax, 2 * limits.windowSizeMax)
    guard sequence == receivedThrough + 1 || earlyCost + piece.cost <= earlyMax else { return [] }
    earlyPieces[sequence] = piece
    earlyCost += piece.cost
    var messages: [[UInt8]?] = []
    while let piece = earlyPieces.removeValue(forKey: receivedThrough + 1) {
      receivedThrough += 1
      earlyCost -= piece.cost
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

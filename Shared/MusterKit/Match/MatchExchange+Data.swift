public import Operations
public import Wire

// MARK: Sending

extension MatchExchange {
  /// Sends data to all other players, or to those in `recipients`. Reliable data is kept for each
  /// of them until that player has it; unreliable data goes only to players who are connected.
  ///
  /// Errors: `matchEnded`; `invalidArgument` (recipients, payload); `backpressure` when the buffer
  /// for one receiver is full, and then nothing was sent to anyone.
  public mutating func send(
    _ payload: [UInt8], to recipients: [PlayerID]? = nil, isReliable: Bool
  ) throws(Failure) -> [Action] {
    guard !isEnded else { throw Failure(.matchEnded, "The match is over.") }
    let receivers = recipients ?? players
    guard Set(receivers).count == receivers.count, Set(receivers).isSubset(of: players) else {
      throw Failure(
        .invalidArgument, argument: "recipients", "Only others in the match can receive data.")
    }
    let sizeMax = isReliable ? limits.messageSizeMax : limits.pieceSizeMax
    guard payload.count <= sizeMax else {
      throw Failure(
        .invalidArgument, argument: "payload", "The message has more than \(sizeMax) bytes.")
    }
    guard isReliable else { return sendUnreliable(payload, to: receivers) }
    let pieceCount = max(1, (payload.count + limits.pieceSizeMax - 1) / limits.pieceSizeMax)
    let areFree = receivers.allSatisfy {
      peers[$0]?.hasRoom(for: pieceCount, size: payload.count, limits) ?? false
    }
    guard areFree else {
      throw Failure(.backpressure, "Too much data waits to be acknowledged.")
    }
    return (0..<pieceCount).compactMap { index in
      let start = index * limits.pieceSizeMax
      let piece = MatchPeer.Piece(
        payload: Array(payload[start..<min(start + limits.pieceSizeMax, payload.count)]),
        isPartial: index + 1 < pieceCount, isContinuation: index > 0)
      var operation = data(piece)
      for player in receivers {
        guard let receiver = enqueue(piece, for: player) else { continue }
        operation.receivers.append(receiver)
      }
      return operation.receivers.isEmpty ? nil : .send(operation)
    }
  }

  /// Sends pieces again that have waited too long for an acknowledgement.
  ///
  /// - Parameter now: milliseconds of any clock that does not go back.
  public mutating func timePassed(now: Int64) -> [Action] {
    self.now = max(self.now, now)
    var actions = acknowledge()
    for player in order {
      guard var peer = peers[player], peer.repeatAt.map({ $0 <= self.now }) ?? false else {
        continue
      }
      actions += resend(&peer, to: player, countMax: limits.repeatCountMax)
      peers[player] = peer
    }
    return actions
  }

  public mutating func received(_ event: MatchDataAcknowledged) -> [Action] {
    guard event.context == context, event.senderSeat == seat, event.incarnation == incarnation,
      peers[event.receiver]?.seat == event.receiverSeat
    else { return [] }
    let later = repeatAt
    peers[event.receiver]?.acknowledged(through: event.through, repeatAt: later)
    return []
  }

  private var repeatAt: Int64 { now + limits.repeatMilliseconds }

  /// Keeps the piece for a player. Returns the receiver to send it to now, or nil when the piece
  /// has to wait.
  private mutating func enqueue(_ piece: MatchPeer.Piece, for player: PlayerID)
    -> MatchReceiver?
  {
    guard var peer = peers.removeValue(forKey: player) else { return nil }
    let sequence = peer.append(piece)
    let isReady = isJoined && peer.isReachable
    if isReady && peer.repeatAt == nil { peer.repeatAt = repeatAt }
    peers[player] = peer
    return isReady ? MatchReceiver(player: player, seat: peer.seat, sequence: sequence) : nil
  }

  private mutating func sendUnreliable(_ payload: [UInt8], to receivers: [PlayerID]) -> [Action] {
    var operation = data(
      MatchPeer.Piece(payload: payload, isPartial: false, isContinuation: false))
    operation.isReliable = false
    for player in receivers {
      guard isJoined, var peer = peers[player], peer.isReachable else { continue }
      peer.sentUnreliable += 1
      peers[player] = peer
      operation.receivers.append(
        MatchReceiver(player: player, seat: peer.seat, sequence: peer.sentUnreliable))
    }
    return operation.receivers.isEmpty ? [] : [.send(operation)]
  }

  func resend(_ peer: inout MatchPeer, to player: PlayerID, countMax: Int) -> [Action] {
    guard isJoined, peer.isReachable, !peer.unacknowledged.isEmpty else { return [] }
    peer.repeatAt = repeatAt
    return peer.unacknowledged.prefix(countMax).enumerated().map { index, piece in
      var operation = data(piece)
      let sequence = peer.acknowledgedThrough + UInt64(index) + 1
      operation.receivers = [MatchReceiver(player: player, seat: peer.seat, sequence: sequence)]
      return .send(operation)
    }
  }

  private func data(_ piece: MatchPeer.Piece) -> SendMatchData {
    var operation = SendMatchData()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = seat
    operation.isReliable = true
    operation.isPartial = piece.isPartial
    operation.payload = Bytes(piece.payload)
    return operation
  }
}

// MARK: Receiving

extension MatchExchange {
  public mutating func received(_ event: MatchData) -> [Action] {
    guard event.context == context, event.receiverSeat == seat, event.incarnation == incarnation,
      !isEnded, peers[event.sender]?.seat == event.senderSeat
    else { return [] }
    guard event.isReliable else {
      guard peers[event.sender]?.isNewest(event.sequence) ?? false else { return [] }
      return [
        .deliver(from: event.sender, payload: event.payload.array, isReliable: false)
      ]
    }
    let messages = peers[event.sender]?.receive(event, limits) ?? []
    return messages.map { message in
      guard let message else { return .oversized(from: event.sender) }
      return .deliver(from: event.sender, payload: message, isReliable: true)
    }
  }

  /// Returns the acknowledgements that are due: one for each sender, however much came from it.
  public mutating func acknowledge() -> [Action] {
    guard isJoined else { return [] }
    return order.compactMap { player in
      guard let peer = peers[player], peer.owesAcknowledgement, peer.isReachable else {
        return nil
      }
      peers[player]?.owesAcknowledgement = false
      var operation = AcknowledgeMatchData()
      operation.context = context
      operation.incarnation = incarnation
      operation.seat = seat
      operation.sender = player
      operation.senderSeat = peer.seat
      operation.through = peer.receivedThrough
      return .acknowledge(operation)
    }
  }
}

public import Operations
public import Wire

// MARK: Sending

extension ReliableChannel {
  /// Sends to all other players, or to those named. Reliable data is kept for each of them until it
  /// has it; unreliable data goes only to those who are connected.
  ///
  /// Errors: `matchEnded`, `invalidArgument` (recipients, payload), `backpressure` when the buffer
  /// of one receiver is full; then nothing was sent to anyone.
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
      links[$0]?.hasRoom(for: pieceCount, size: payload.count, limits) ?? false
    }
    guard areFree else {
      throw Failure(.backpressure, "Too much data waits to be acknowledged.")
    }
    return (0..<pieceCount).compactMap { index in
      let start = index * limits.pieceSizeMax
      let piece = ReliableLink.Piece(
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

  /// Sends again what has waited too long for an acknowledgement.
  ///
  /// - Parameter now: milliseconds on any clock that does not go back.
  public mutating func timePassed(now: Int64) -> [Action] {
    self.now = max(self.now, now)
    var actions = acknowledge()
    for player in order {
      guard var link = links[player], link.repeatAt.map({ $0 <= self.now }) ?? false else {
        continue
      }
      actions += resend(&link, to: player, countMax: limits.repeatCountMax)
      links[player] = link
    }
    return actions
  }

  public mutating func received(_ event: MatchDataAcknowledged) -> [Action] {
    guard event.context == context, event.senderSeat == seat, event.incarnation == incarnation,
      links[event.receiver]?.seat == event.receiverSeat
    else { return [] }
    let later = repeatAt
    links[event.receiver]?.acknowledged(through: event.through, repeatAt: later)
    return []
  }

  private var repeatAt: Int64 { now + limits.repeatMilliseconds }

  /// Keeps the piece for a player; gives how to send it now, or nil when it has to wait.
  private mutating func enqueue(_ piece: ReliableLink.Piece, for player: PlayerID)
    -> MatchReceiver?
  {
    guard var link = links.removeValue(forKey: player) else { return nil }
    let sequence = link.append(piece)
    let isReady = isJoined && link.isReachable
    if isReady && link.repeatAt == nil { link.repeatAt = repeatAt }
    links[player] = link
    return isReady ? MatchReceiver(player: player, seat: link.seat, sequence: sequence) : nil
  }

  private mutating func sendUnreliable(_ payload: [UInt8], to receivers: [PlayerID]) -> [Action] {
    var operation = data(
      ReliableLink.Piece(payload: payload, isPartial: false, isContinuation: false))
    operation.isReliable = false
    for player in receivers {
      guard isJoined, var link = links[player], link.isReachable else { continue }
      link.sentUnreliable += 1
      links[player] = link
      operation.receivers.append(
        MatchReceiver(player: player, seat: link.seat, sequence: link.sentUnreliable))
    }
    return operation.receivers.isEmpty ? [] : [.send(operation)]
  }

  func resend(_ link: inout ReliableLink, to player: PlayerID, countMax: Int) -> [Action] {
    guard isJoined, link.isReachable, !link.unacknowledged.isEmpty else { return [] }
    link.repeatAt = repeatAt
    return link.unacknowledged.prefix(countMax).enumerated().map { index, piece in
      var operation = data(piece)
      let sequence = link.acknowledgedThrough + UInt64(index) + 1
      operation.receivers = [MatchReceiver(player: player, seat: link.seat, sequence: sequence)]
      return .send(operation)
    }
  }

  private func data(_ piece: ReliableLink.Piece) -> SendMatchData {
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

extension ReliableChannel {
  public mutating func received(_ event: MatchData) -> [Action] {
    guard event.context == context, event.receiverSeat == seat, event.incarnation == incarnation,
      !isEnded, links[event.sender]?.seat == event.senderSeat
    else { return [] }
    guard event.isReliable else {
      guard links[event.sender]?.isNewest(event.sequence) ?? false else { return [] }
      return [
        .deliver(from: event.sender, payload: event.payload.array, isReliable: false)
      ]
    }
    let messages = links[event.sender]?.receive(event, limits) ?? []
    return messages.map { message in
      guard let message else { return .oversized(from: event.sender) }
      return .deliver(from: event.sender, payload: message, isReliable: true)
    }
  }

  /// The acknowledgements that are due: one for each sender, however much came from it.
  public mutating func acknowledge() -> [Action] {
    guard isJoined else { return [] }
    return order.compactMap { player in
      guard let link = links[player], link.owesAcknowledgement, link.isReachable else {
        return nil
      }
      links[player]?.owesAcknowledgement = false
      var operation = AcknowledgeMatchData()
      operation.context = context
      operation.incarnation = incarnation
      operation.seat = seat
      operation.sender = player
      operation.senderSeat = link.seat
      operation.through = link.receivedThrough
      return .acknowledge(operation)
    }
  }
}

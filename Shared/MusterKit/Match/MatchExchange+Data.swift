public import Operations
public import Wire

// MARK: Sending

extension MatchExchange {
  /// Sends data to all other players, or to those in `recipients`. Reliable data is kept for each
  /// of them until that player has it; unreliable data goes only to players who are connected.
  ///
  /// Errors: `matchEnded`; `notOpen` before the match begins; `invalidArgument` (recipients,
  /// payload); `backpressure` when the buffer for one receiver is full, and then nothing was sent
  /// to anyone.
  public mutating func send(
    _ payload: [UInt8], to recipients: [PlayerID]? = nil, isReliable: Bool
  ) throws(Failure) -> [Action] {
    guard !isEnded else { throw Failure(.matchEnded, "The match is over.") }
    guard hasBegun else {
      throw Failure(.notOpen, "The match begins when nobody is expected any more.")
    }
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
    let pieceSizeMax = min(limits.pieceSizeMax, limits.reliablePieceSizeMax)
    let count = max(1, (payload.count + pieceSizeMax - 1) / pieceSizeMax)
    let areFree = receivers.allSatisfy {
      peers[$0]?.hasRoom(for: count, size: payload.count, limits) ?? false
    }
    guard areFree else {
      throw Failure.backpressure(.matchData)
    }
    return (0..<count).compactMap { index in
      let start = index * pieceSizeMax
      pieceCount += 1
      let piece = MatchPiece(
        payload: Array(payload[start..<min(start + pieceSizeMax, payload.count)]),
        isPartial: index + 1 < count, isContinuation: index > 0, id: pieceCount)
      return send(piece, to: receivers)
    }
  }

  /// Sends pieces again that have waited too long for an acknowledgement.
  ///
  /// - Parameter now: milliseconds of any clock that does not go back.
  public mutating func timePassed(now: Int64) -> [Action] {
    self.now = max(self.now, now)
    var actions = acknowledge()
    guard isJoined else { return actions }
    for player in order {
      guard let (piece, number) = peers[player]?.takeRepeat(limits, now: self.now),
        let place = peers[player]?.place
      else { continue }
      actions.append(data(piece, [MatchNumber(place: place, sequence: number)]))
    }
    return actions
  }

  public mutating func received(_ event: MatchDataAcknowledged) -> [Action] {
    guard event.context == context, event.seat == seat, event.incarnation == incarnation else {
      return []
    }
    var players: [PlayerID] = []
    for receipt in event.receipts {
      guard let player = player(at: receipt.place), peers[player]?.seat == receipt.seat else {
        continue
      }
      peers[player]?.acknowledged(through: receipt.through, limits, now: now)
      players.append(player)
    }
    return sendWaiting(to: players)
  }

  /// Who has a place in the match.
  public func player(at place: UInt8) -> PlayerID? {
    byPlace.indices.contains(Int(place)) ? byPlace[Int(place)] : nil
  }

  /// Keeps a piece for its receivers, and sends it to those for whom nothing else waits.
  private mutating func send(_ piece: MatchPiece, to receivers: [PlayerID]) -> Action? {
    var numbers: [MatchNumber] = []
    for player in receivers {
      guard var peer = peers.removeValue(forKey: player) else { continue }
      let number = peer.append(piece)
      if isJoined, peer.underWayCount == peer.unacknowledged.count - 1,
        peer.takeNext(limits, now: now) != nil
      {
        numbers.append(MatchNumber(place: peer.place, sequence: number))
      }
      peers[player] = peer
    }
    return numbers.isEmpty ? nil : data(piece, numbers)
  }

  private mutating func sendUnreliable(_ payload: [UInt8], to receivers: [PlayerID]) -> [Action] {
    var operation = SendMatchData()
    for player in receivers {
      guard isJoined, let peer = peers[player], peer.isReachable else { continue }
      operation.receivers |= 1 << peer.place
    }
    if operation.receivers == 0 { return [] }
    sentUnreliable += 1
    operation.sequence = sentUnreliable
    operation.payload = Bytes(payload)
    return [.send(addressed(operation))]
  }

  /// Sends what waits for players, as far as it may be under way: each piece once, however many of
  /// them get it, so that what waits for all is not a call for each.
  mutating func sendWaiting(to players: [PlayerID]) -> [Action] {
    guard isJoined else { return [] }
    var pieces: [UInt64: (piece: MatchPiece, numbers: [MatchNumber])] = [:]
    for player in players {
      while let (piece, number) = peers[player]?.takeNext(limits, now: now) {
        let place = peers[player]?.place ?? 0
        pieces[piece.id, default: (piece, [])].numbers.append(
          MatchNumber(place: place, sequence: number))
      }
    }
    // Each player's pieces have rising ids.
    return pieces.sorted { $0.key < $1.key }.map { data($0.value.piece, $0.value.numbers) }
  }

  /// One call for all receivers of a piece. The number that most of them have is said once.
  private func data(_ piece: MatchPiece, _ numbers: [MatchNumber]) -> Action {
    var operation = SendMatchData()
    operation.isReliable = true
    operation.isPartial = piece.isPartial
    operation.payload = Bytes(piece.payload)
    operation.sequence = Self.commonest(numbers)
    for number in numbers {
      operation.receivers |= 1 << number.place
      if number.sequence != operation.sequence { operation.exceptions.append(number) }
    }
    return .send(addressed(operation))
  }

  private static func commonest(_ numbers: [MatchNumber]) -> UInt64 {
    var best = (sequence: numbers[0].sequence, count: 0)
    for number in numbers {
      let count = numbers.count { $0.sequence == number.sequence }
      if count == numbers.count { return number.sequence }
      if count > best.count { best = (number.sequence, count) }
    }
    return best.sequence
  }

  private func addressed(_ operation: SendMatchData) -> SendMatchData {
    var operation = operation
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = seat
    operation.roster = version
    return operation
  }
}

// MARK: Receiving

extension MatchExchange {
  public mutating func received(_ event: MatchData) -> [Action] {
    guard event.context == context, event.incarnation == incarnation, event.roster >= since,
      !isEnded, let sender = player(at: event.place), peers[sender]?.seat == event.seat
    else { return [] }
    guard event.isReliable else {
      guard peers[sender]?.isNewest(event.sequence) ?? false else { return [] }
      return [.deliver(from: sender, payload: event.payload.array, isReliable: false)]
    }
    owedSize += event.payload.array.count + MatchPiece.overheadSize
    let messages =
      peers[sender]?.receive(event.sequence(for: place), event, limits) ?? []
    return messages.map { message in
      guard let message else { return .oversized(from: sender) }
      return .deliver(from: sender, payload: message, isReliable: true)
    }
  }

  /// Whether so much has come that senders would have to wait for a later acknowledgement.
  public var isAcknowledgementUrgent: Bool { owedSize >= limits.urgentSizeMax }

  /// Returns the acknowledgement that is due: one for all senders, however much came from them.
  public mutating func acknowledge() -> [Action] {
    guard isJoined else { return [] }
    var operation = AcknowledgeMatchData()
    for player in order {
      guard let peer = peers[player], peer.owesAcknowledgement, peer.isReachable else { continue }
      peers[player]?.owesAcknowledgement = false
      operation.receipts.append(
        MatchReceipt(place: peer.place, seat: peer.seat, through: peer.receivedThrough))
    }
    if operation.receipts.isEmpty { return [] }
    owedSize = 0
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = seat
    operation.latencyMilliseconds = latencyMilliseconds
    return [.acknowledge(operation)]
  }
}

internal import Transport

extension MusterClient {
  /// Waits for a match in a player group and joins it.
  ///
  /// The player's ticket waits at the server, whatever happens to the connection. When the task is
  /// cancelled, so is the ticket; if the match was found before that, the player leaves its
  /// context, so that the others do not wait.
  ///
  /// - Parameters:
  ///   - playerGroup: partitions the players who wait; only those of one group meet.
  ///   - criteria: what the player asks for and offers.
  /// - Returns: the match; it begins when its `expectedPlayerCount` is 0. If too few of the others
  ///   join it in time it ends, and the player waits again by a new ticket, which `JoiningEnded`
  ///   names: go on with `match(of:in:)`.
  /// - Throws: `deadlineExceeded` when the ticket has expired, with the rule that kept it from a
  ///   match as the argument; `cancelled`; `limitReached` and `notAllowed` when the server has
  ///   cancelled the ticket; the errors of `FindMatch` and `JoinMatch`.
  public nonisolated func findMatch(
    in playerGroup: String = "0", _ criteria: MatchCriteria = MatchCriteria()
  ) async throws(MusterError) -> Match {
    var operation = FindMatch()
    operation.playerGroup = playerGroup
    operation.criteria = criteria
    return try await findMatch(operation)
  }

  /// As `findMatch(in:_:)`, for a party, or to add players to a running match. A client that is in
  /// that match already gets no second seat: call `FindMatch` and `ticketOutcome` then.
  public nonisolated func findMatch(_ operation: FindMatch) async throws(MusterError) -> Match {
    let ticket = try await call(operation).ticket
    return try await match(of: ticket, in: operation.playerGroup)
  }

  /// Waits for the match of a ticket that is there already and joins it: of one that an invitation
  /// came to (`MatchInviteEnded`), or by which the player waits again because too few have joined
  /// the match before (`JoiningEnded`). Otherwise as `findMatch(in:_:)`.
  public nonisolated func match(of ticket: MatchTicketID, in playerGroup: String)
    async throws(MusterError) -> Match
  {
    let info = try await ticketOutcome(of: ticket, in: playerGroup)
    guard info.state == .matched, let context = info.context else { throw MusterError(info) }
    return try await joinFound(context)
  }

  /// The player's events about matchmaking from now on, for a call that waits for one of them. It
  /// is no consumer as `events` is: it acknowledges nothing, so that who consumes events later
  /// still gets what comes meanwhile. The sequence ends when the player signs out or the client
  /// closes.
  package nonisolated var matchmakingEvents: AsyncStream<PlayerEvent> {
    status.matchmaking.stream()
  }

  /// Waits until a ticket has ended, and returns how. When the task is cancelled, so is the ticket,
  /// unless it has ended before.
  ///
  /// - Throws: among others `notFound` (ticket) where the server has lost it with a store that was
  ///   restored.
  public nonisolated func ticketOutcome(of ticket: MatchTicketID, in playerGroup: String)
    async throws(MusterError) -> TicketInfo
  {
    let wakes = try await TicketWakes(ticket, of: self)
    defer { wakes.stop() }
    var looksWithout = 0
    while true {
      // A list may lag behind the queue, but a ticket that stays away is one that a restored store
      // lacks. The queue knows it or says so.
      let isLost = looksWithout == TicketWakes.looksWithoutMax
      if isLost { looksWithout = 0 }
      if isLost || Task.isCancelled {
        let ended = try await uncancelled { () async throws(MusterError) in
          try await self.end(ticket, in: playerGroup)
        }
        if let ended { return ended }
      }
      let known: [TicketInfo]
      do throws(MusterError) {
        known = try await call(ListTickets()).tickets
      } catch  where error.code == .cancelled {
        continue
      }
      let info = known.first { $0.ticket == ticket }
      if let info, info.state != .waiting { return info }
      looksWithout = info == nil ? looksWithout + 1 : 0
      if await !wakes.next() && !Task.isCancelled {
        throw MusterError(.disconnected, "The client has signed out or was closed.")
      }
    }
  }

  /// Cancels a ticket; nil when nobody knows yet how it ends.
  private nonisolated func end(_ ticket: MatchTicketID, in playerGroup: String)
    async throws(MusterError) -> TicketInfo?
  {
    var operation = CancelTicket()
    operation.playerGroup = playerGroup
    operation.ticket = ticket
    do throws(MusterError) {
      let reply = try await call(operation)
      var info = TicketInfo()
      info.ticket = ticket
      info.playerGroup = playerGroup
      info.state = reply.state
      info.context = reply.context
      info.reason = reply.state == .cancelled ? .player : .none
      return info
    } catch {
      guard error.code == .conflict || error.code == .disconnected else { throw error }
      // The task that waits is cancelled and cannot pause; this one can.
      let wakes = try await TicketWakes(nil, of: self)
      defer { wakes.stop() }
      _ = await wakes.next()
      return nil
    }
  }

  /// Joins a match that was found. Its context may open a moment later than its players are told.
  /// When the task is cancelled, the player leaves the context: the others would wait there.
  package nonisolated func joinFound(_ context: ContextID) async throws(MusterError) -> Match {
    let wakes = try await TicketWakes(nil, of: self)
    defer { wakes.stop() }
    var tries = 0
    while true {
      do throws(MusterError) {
        return try await match(in: context, startsNew: true)
      } catch  where error.code == .notFound && tries < TicketWakes.joinTriesMax {
        tries += 1
        _ = await wakes.next()
      } catch  where error.code == .cancelled {
        await uncancelled { try? await self.leaveContext(context) }
        throw error
      }
    }
  }

  fileprivate func startTicker(
    _ number: UInt64, _ milliseconds: UInt64, _ wake: @escaping @Sendable () -> Void
  ) throws(MusterError) {
    let core = try core()
    core.tickers[number] = core.loop.every(milliseconds) { wake() }
  }

  fileprivate func stopTicker(_ number: UInt64) {
    guard let core = try? core() else { return }
    core.tickers.removeValue(forKey: number)?.cancel()
  }
}

/// When to look again what has become of a ticket: when a hint says so, when a connection was made
/// again, and every few seconds, because hints can be lost.
private struct TicketWakes {
  static let lookMilliseconds: UInt64 = 5_000
  static let joinMilliseconds: UInt64 = 200
  static let joinTriesMax = 50
  /// Looks in a row at a list without the ticket, after which the queue is asked.
  static let looksWithoutMax = 4

  private let client: MusterClient
  private let number = UInt64.random(in: .min ... .max)
  private let stream: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let watchers: [Task<Void, Never>]

  /// - Parameter ticket: nil for a match that is found, to try again soon.
  init(_ ticket: MatchTicketID?, of client: MusterClient) async throws(MusterError) {
    self.client = client
    let (stream, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    (self.stream, self.wake) = (stream, wake)
    let (hints, states) = (client.hints, client.states)
    watchers = [
      Task {
        for await hint in hints where hint.decode(TicketChanged.self)?.ticket == ticket {
          wake.yield()
        }
        wake.finish()
      },
      Task { for await state in states where state == .connected { wake.yield() } },
    ]
    try await client.startTicker(
      number, ticket == nil ? Self.joinMilliseconds : Self.lookMilliseconds
    ) { wake.yield() }
  }

  /// False at the end, and when the task was cancelled.
  func next() async -> Bool {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next() != nil
  }

  func stop() {
    for watcher in watchers { watcher.cancel() }
    Task { [client, number] in await client.stopTicker(number) }
  }
}

extension MusterError {
  /// Why a ticket has come to no match.
  package init(_ info: TicketInfo) {
    switch (info.state, info.reason) {
    case (.expired, _):
      self.init(
        .deadlineExceeded, argument: "\(info.hindrance)",
        "No match was found in time; most often it was the rule about \(info.hindrance).")
    case (_, .limit): self.init(.limitReached, "A player of the ticket has too many tickets.")
    case (_, .refused):
      self.init(.notAllowed, "The queue does not take these players together.")
    default: self.init(.cancelled, "The ticket was cancelled.")
    }
  }
}

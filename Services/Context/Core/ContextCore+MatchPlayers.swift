import Domain
import Operations
import Wire

// Players of a match come and go: by their own will, with their connection, with the process.

extension ContextCore {
  /// Grace times and restarted matches looked at by one step, so that a step stays short.
  static var stepMax: Int { 64 }

  /// Begins the memory of a match in this life of the process: whoever is in the roster has a fresh
  /// grace time to come back.
  func revive(_ match: MatchRow, _ transaction: inout Transaction) {
    live.start(match.key, incarnation: transaction.randomInteger())
    for seat in match.seats where seat.state == .joined {
      live.disconnect(match.key, seat.player, now: transaction.now)
    }
  }

  /// Takes a player out of the running match of a context, if it is in one. A match that has not
  /// begun waits for it to come back, unless it is gone for good.
  func leave(
    matchOf context: ContextID, _ player: PlayerID, isForGood: Bool,
    _ transaction: inout Transaction
  ) {
    guard var match = matches[context], !match.isEnded, let state = match.state(of: player),
      state == .joined || (state == .absent && isForGood)
    else { return }
    let isOut = match.hasBegun || isForGood
    match.set(isOut ? .left : .absent, of: player)
    match.isEnded = match.isDeserted
    matches.put(match, &transaction)
    live.leave(context, player)
    announce(match, player, isOut ? .left : .absent, &transaction)
    guard match.isEnded else { return }
    var event = MatchEnded()
    event.context = context
    event.incarnation = live[context]?.incarnation ?? 0
    event.number = match.number
    for channel in channels(of: match, besides: player) { transaction.push(event, to: channel) }
    live.end(context)
  }

  func announce(
    _ match: MatchRow, _ player: PlayerID, _ state: MatchPlayerState,
    _ transaction: inout Transaction
  ) {
    var event = MatchPlayerChanged()
    event.context = match.key
    event.incarnation = live[match.key]?.incarnation ?? 0
    event.player = player
    event.seat = live[match.key]?.seats[player]?.client ?? 0
    event.state = state
    event.expectedPlayerCount = match.expectedPlayerCount
    for channel in channels(of: match, besides: player) { transaction.push(event, to: channel) }
  }

  /// The connections of the other players, in the order of the roster.
  func channels(of match: MatchRow, besides player: PlayerID) -> [Channel] {
    match.seats.filter { $0.player != player }
      .compactMap { live[match.key]?.seats[$0.player]?.channel }
  }

  func disconnect(_ channel: Channel, _ transaction: inout Transaction) {
    for context in live.contexts(of: channel) {
      guard let match = matches[context],
        let player = match.seats.first(where: {
          live[context]?.seats[$0.player]?.channel == channel
        })?.player
      else { continue }
      live.disconnect(context, player, now: transaction.now)
      announce(match, player, .disconnected, &transaction)
    }
  }

  /// Players whose grace time is over have left; matches of the process before get theirs.
  func endGrace(_ transaction: inout Transaction) {
    for _ in 0..<min(Self.stepMax, live.restarted.count) {
      let context = live.restarted.removeFirst()
      guard live[context] == nil, let match = matches[context], !match.isEnded else { continue }
      revive(match, &transaction)
    }
    for _ in 0..<Self.stepMax {
      guard let grace = live.takeGrace(now: transaction.now) else { break }
      guard live.isCurrent(grace) else { continue }
      leave(matchOf: grace.context, grace.player, isForGood: false, &transaction)
    }
  }
}

import ContextCore
import Operations
import Wire

/// What was sent in matches, who got it and why matches ended: what every seat is held against.
///
/// It knows the rules of section 3 and nothing of sequence numbers, pieces or acknowledgements.
/// Each message begins with its number in here.
final class MatchLog {
  /// The reliable or the unreliable data that one client sends to one player.
  struct Line: Hashable {
    var match: MatchName
    var sender: PlayerID
    var senderSeat: UInt64
    var receiver: PlayerID
    var isReliable: Bool
  }

  struct Message {
    var match: MatchName
    var sender: PlayerID
    var senderSeat: UInt64
    var isReliable: Bool
    var size: Int
    /// Counts the messages of the line to each receiver.
    var indices: [PlayerID: Int] = [:]

    func line(to receiver: PlayerID) -> Line {
      Line(
        match: match, sender: sender, senderSeat: senderSeat, receiver: receiver,
        isReliable: isReliable)
    }
  }

  /// What one client got of a line.
  struct Run {
    var first: Int
    var next: Int
    /// When the last message came to the game.
    var heardAt: Int64
  }

  let grace: Int64
  /// Whether matches are of players of a group, which goes on when one of them is out.
  let isOfGroups: Bool
  private(set) var messages: [Message] = []
  private(set) var sizes: [Line: [Int]] = [:]
  /// When each of them was sent.
  private(set) var sendTimes: [Line: [Int64]] = [:]
  /// When a player last made a call that acknowledged something, in milliseconds.
  private var acknowledgements: [MatchName: [PlayerID: Int64]] = [:]
  /// By line and seat of the receiver.
  private(set) var runs: [Line: [UInt64: Run]] = [:]
  /// The newest match of each context of which somebody knows that it is over.
  var endedThrough: [ContextID: UInt64] = [:]
  /// What becomes of matches that were found.
  var found = FoundMatchLog()
  var added = AddedPlayers()
  /// Seats whose players know that they have left.
  private(set) var leftSeats: Set<UInt64> = []
  /// Those, and seats whose players have asked to leave.
  private var leavingSeats: Set<UInt64> = []
  /// Everybody's seats in each context, the oldest first.
  private(set) var seats: [ContextID: [PlayerID: [UInt64]]] = [:]
  /// When a player first asked for a seat in a context.
  private var firstAsked: [ContextID: [PlayerID: Int64]] = [:]
  /// When a player last made a call, in milliseconds, that a match took.
  private(set) var contacts: [MatchName: [PlayerID: Int64]] = [:]
  private var leavers: [MatchName: Set<PlayerID>] = [:]
  /// Players who have left a context itself, or tried to.
  private(set) var contextLeavers: [ContextID: Set<PlayerID>] = [:]
  /// Calls to leave a context, or a match of it without a number, that are not answered yet, and
  /// when the last one was, by whom they take out.
  private(set) var contextLeaves: [ContextID: [PlayerID: (open: Int, answeredAt: Int64)]] = [:]
  /// Who has blocked whom, or asked to: it closes the context of the two at some later time.
  private var blocks: [PlayerID: Set<PlayerID>] = [:]
  /// When clocks of the context service were changed.
  private var clockChanges: [Int64] = []
  var counts: [Happening: Int] = [:]
  private let fail: (String) -> Void

  /// - Parameters:
  ///   - grace: milliseconds in which a player may come back.
  ///   - isOfGroups: whether matches are of players of a group; else of pairs.
  init(grace: Int64, isOfGroups: Bool, fail: @escaping (String) -> Void) {
    self.grace = grace
    self.isOfGroups = isOfGroups
    self.fail = fail
  }

  func count(_ happening: Happening) { counts[happening, default: 0] += 1 }

  func require(_ isSo: Bool, _ text: @autoclosure () -> String) {
    if !isSo { fail(text()) }
  }

  func willBlock(_ player: PlayerID, _ other: PlayerID) {
    blocks[player, default: []].insert(other)
    blocks[other, default: []].insert(player)
  }

  /// Whether the context of a player may have been closed because one of the two blocks the other.
  private func mayBeClosed(_ context: ContextID, for player: PlayerID) -> Bool {
    guard let blocked = blocks[player] else { return false }
    let others = (seats[context] ?? [:]).keys.filter { $0 != player }
    // Who never asked for a seat is not known here.
    return others.isEmpty || others.contains { blocked.contains($0) }
  }

  func clockChanged(now: Int64) { clockChanges.append(now) }

  func hasClockChanged(from start: Int64, through end: Int64) -> Bool {
    clockChanges.contains { start <= $0 && $0 <= end }
  }

  // MARK: Seats

  func opened(_ context: ContextID, _ player: PlayerID, seat: UInt64, now: Int64) {
    if firstAsked[context]?[player] == nil { firstAsked[context, default: [:]][player] = now }
    seats[context, default: [:]][player, default: []].append(seat)
    added.asking[seat] = added.expected[context]?.removeValue(forKey: player)
  }

  /// A client has the seat that it asked for when the matches up to `endedThen` were over.
  func joined(
    _ match: MatchName, _ player: PlayerID, seat: UInt64, _ reply: JoinMatch.Reply, askedAt: Int64,
    endedThen: UInt64, now: Int64
  ) {
    require(match.number > endedThen, "3.4 \(player) joined \(match), which had ended")
    require(
      reply.players.allSatisfy { $0.player != player }, "3.4 \(player) is among its own others")
    if added.seated[seat] == nil {
      added.seated[seat] = (match, now)
      if added.asking[seat] == match { count(.playersAdded) }
    }
    contact(match, player, askedAt)
  }

  /// A call that was made at `time` was taken by the match: the player had its seat then or later.
  func contact(_ match: MatchName, _ player: PlayerID, _ time: Int64) {
    let last = contacts[match]?[player] ?? time
    contacts[match, default: [:]][player] = max(last, time)
  }

  /// As `contact`, by a call that acknowledged what had come until then.
  func acknowledged(_ match: MatchName, _ player: PlayerID, _ time: Int64) {
    contact(match, player, time)
    let last = acknowledgements[match]?[player] ?? time
    acknowledgements[match, default: [:]][player] = max(last, time)
  }

  func willLeave(_ match: MatchName, _ player: PlayerID, seat: UInt64) {
    leavers[match, default: []].insert(player)
    leavingSeats.insert(seat)
  }

  func left(_ match: MatchName, seat: UInt64) { leftSeats.insert(seat) }

  func willLeave(_ context: ContextID, _ player: PlayerID) {
    contextLeavers[context, default: []].insert(player)
    willAbandon(context, player)
  }

  /// A client leaves whatever match of the context it may have joined.
  func willAbandon(_ context: ContextID, _ player: PlayerID) {
    contextLeaves[context, default: [:]][player, default: (0, -1)].open += 1
  }

  /// A call to leave a context or a match of it was carried out. One that was refused stays open:
  /// another sending of it may come later, and be carried out then.
  func hasLeft(_ context: ContextID, _ player: PlayerID, now: Int64) {
    contextLeaves[context]?[player]?.open -= 1
    contextLeaves[context]?[player]?.answeredAt = now
  }

  /// Whether a client may be refused to leave: the player is not in the context, which is over when
  /// too few have joined, or another client of the player has the seat.
  func mayNotLeave(_ match: MatchName, _ player: PlayerID, seat: UInt64) -> Bool {
    contextLeavers[match.context]?.contains(player) == true
      || mayBeClosed(match.context, for: player) || found.contexts.contains(match.context)
      || seats[match.context]?[player]?.last != seat
  }

  /// A client was told at `now` that its match is over.
  ///
  /// - Parameter hasBegun: whether it had begun, as far as the client knows.
  func ended(
    _ match: MatchName, _ player: PlayerID, seat: UInt64, _ reason: EndCause, hasBegun: Bool,
    now: Int64
  ) {
    if !hasBegun && endedEarly(match, player, reason, now: now) { return }
    switch reason {
    case .over:
      // The match may go on without the player.
      if isOfGroups && isOut(player, of: match, now) { return }
      endedThrough[match.context] = max(endedThrough[match.context] ?? 0, match.number)
      explainEnd(match, player, now)
    case .seatTaken:
      // Not always the newest one: what a client that died asked for may come late.
      let own = seats[match.context]?[player] ?? []
      require(own.count > 1, "3.9 nobody but \(player) can have taken its seat in \(match)")
    case .failed(let text):
      require(
        contextLeavers[match.context]?.contains(player) == true
          || mayBeClosed(match.context, for: player),
        "3.7 \(player) has lost its seat in \(match): \(text)")
    case .own: break
    }
  }

  /// A match ends when somebody has left, or was away for longer than the grace time.
  private func explainEnd(_ match: MatchName, _ player: PlayerID, _ now: Int64) {
    if isOfGroups { return explainEndOfMany(match, player, now) }
    if leavers[match] != nil || hasBeenLeft(match) || mayBeClosed(match.context, for: player) {
      return count(.matchesEndedByLeaving)
    }
    let players = Array(contacts[match, default: [:]].keys)
    if players.contains(where: { isSilent($0, in: match, now) }) {
      return count(.matchesEndedByGrace)
    }
    // Who asked for a seat may have got it without knowing.
    var times = firstAsked[match.context] ?? [:]
    times.merge(contacts[match] ?? [:]) { $1 }
    let last = times.values.min() ?? now
    let jumps = Int64(clockChanges.count { $0 >= last })
    let jumped = jumps * (GraceTime.stepMax + GraceTime.latenessMax)
    if now >= last + grace - jumped { return count(.matchesEndedByGrace) }
    fail("3.7 \(match) ended for \(player), but everybody was there \(now - last) ms ago")
  }

  /// A match of more than two ends when of its players at most one is left: each of the others has
  /// gone, or was away for longer than the grace time.
  private func explainEndOfMany(_ match: MatchName, _ player: PlayerID, _ now: Int64) {
    let others = contacts[match, default: [:]].keys.filter { $0 != player }
    if let other = others.first(where: { !isOut($0, of: match, now) }) {
      return fail("3.4 \(match) ended for \(player), but \(other) plays on")
    }
    count(.matchesOfManyEnded)
  }

  /// Whether a player may be out of a match: because it, or somebody for it, has left the match or
  /// the context, or because it was away for the grace time.
  func isOut(_ player: PlayerID, of match: MatchName, _ now: Int64) -> Bool {
    leavers[match]?.contains(player) == true
      || contextLeavers[match.context]?.contains(player) == true
      || isOutNow(player, of: match, now)
  }

  /// As `isOut`, but whoever has left the match, and has a seat in it again, is not out for that.
  func isOutNow(_ player: PlayerID, of match: MatchName, _ now: Int64) -> Bool {
    if isSilent(player, in: match, now) { return true }
    let last = contacts[match]?[player] ?? 0
    let leaves = contextLeaves[match.context]?[player]
    let seat = seats[match.context]?[player]?.last { added.seated[$0]?.match == match }
    if seat.map(leavingSeats.contains) ?? true
      || leaves.map({ $0.open > 0 || $0.answeredAt >= last }) == true
    {
      return true
    }
    // Of what a clock jumps, no more counts than of a step that ends late.
    let jumps = Int64(clockChanges.count { $0 >= last })
    return now >= last + grace - jumps * (GraceTime.stepMax + GraceTime.latenessMax)
  }

  /// Whether a player may be out of a match because it has acknowledged nothing for the grace time,
  /// although it was sent something: as whoever is away, however much it sends itself.
  private func isSilent(_ player: PlayerID, in match: MatchName, _ now: Int64) -> Bool {
    let last = acknowledgements[match]?[player] ?? 0
    return sendTimes.contains { line, times in
      guard line.match == match, line.receiver == player, line.isReliable,
        let sentAt = owedSince(line, times, last)
      else { return false }
      let since = max(sentAt, last)
      return now >= since + grace || hasClockChanged(from: since, through: now)
    }
  }

  /// When the first message of a line was sent that its receiver may not have acknowledged, who did
  /// so last at a time; nil when it has acknowledged all.
  private func owedSince(_ line: Line, _ times: [Int64], _ last: Int64) -> Int64? {
    let runs = (runs[line] ?? [:]).values
    let next = runs.map(\.next).max() ?? 0
    if next < times.count { return times[next] }
    return runs.contains { $0.heardAt >= last } ? times.last : nil
  }

  /// Whether somebody may have left the context after all that is known to have reached the match.
  private func hasBeenLeft(_ match: MatchName) -> Bool {
    let last = contacts[match]?.values.max() ?? 0
    return contextLeaves[match.context]?.values.contains {
      $0.open > 0 || $0.answeredAt >= last
    } ?? false
  }

  // MARK: Data

  /// Takes down a message that is being sent to some players, and returns its bytes.
  func sent(_ message: Message, to receivers: [PlayerID], now: Int64) -> [UInt8] {
    var message = message
    message.size = max(8, message.size)
    for receiver in receivers {
      let line = message.line(to: receiver)
      message.indices[receiver] = sizes[line]?.count ?? 0
      sizes[line, default: []].append(message.size)
      sendTimes[line, default: []].append(now)
    }
    messages.append(message)
    var writer = Writer()
    writer.integer(UInt64(messages.count - 1))
    let fill = UInt8(truncatingIfNeeded: messages.count)
    return writer.bytes + [UInt8](repeating: fill, count: message.size - 8)
  }

  /// The last message was not taken for sending.
  func unsent() {
    guard let message = messages.popLast() else { return }
    for receiver in message.indices.keys {
      sizes[message.line(to: receiver)]?.removeLast()
      sendTimes[message.line(to: receiver)]?.removeLast()
    }
  }

  /// A game has got a message.
  func received(
    _ bytes: [UInt8], in match: MatchName, from sender: PlayerID, by player: PlayerID,
    seat: UInt64, isReliable: Bool, now: Int64
  ) {
    guard let id = number(of: bytes) else {
      return fail("3.5 \(player) got data that nobody sent")
    }
    let message = messages[id]
    require(
      isWhole(bytes), "3.5 \(player) got \(bytes.count) bytes of a message of \(message.size)")
    require(message.match == match, "3.5 \(player) in \(match) got data of \(message.match)")
    guard let index = message.indices[player], message.sender == sender,
      message.isReliable == isReliable
    else { return fail("3.5 \(player) got data from \(sender) that was meant as \(message)") }
    order(message.line(to: player), index, by: player, seat: seat, now)
  }

  /// The number of the message with which bytes begin; nil unless somebody sent it.
  private func number(of bytes: [UInt8]) -> Int? {
    let number = try? Reader.read(Array(bytes.prefix(8))) { $0.integer(UInt64.self) }.get()
    return number.flatMap { Int(exactly: $0) }.flatMap { messages.indices.contains($0) ? $0 : nil }
  }

  /// Whether bytes are a message, from its beginning to its end.
  func isWhole(_ bytes: [UInt8]) -> Bool {
    guard let id = number(of: bytes) else { return false }
    let fill = UInt8(truncatingIfNeeded: id + 1)
    return bytes.count == messages[id].size && bytes.dropFirst(8).allSatisfy { $0 == fill }
  }

  private func order(
    _ line: Line, _ index: Int, by player: PlayerID, seat: UInt64, _ now: Int64
  ) {
    count(line.isReliable ? .reliableMessages : .unreliableMessages)
    guard let run = runs[line]?[seat] else {
      runs[line, default: [:]][seat] = Run(first: index, next: index + 1, heardAt: now)
      return
    }
    runs[line]?[seat] = Run(first: run.first, next: index + 1, heardAt: now)
    if line.isReliable {
      require(
        index == run.next,
        "3.9 \(player) got message \(index) of \(line) when \(run.next) was due")
    } else {
      require(
        index >= run.next,
        "3.5 \(player) got unreliable message \(index) of \(line) after \(run.next - 1)")
    }
  }

  /// Data of a match has come to a player's connection, whatever becomes of it there.
  func pushed(_ event: MatchData, to player: PlayerID) {
    let own = seats[event.context]?[player] ?? []
    require(!own.contains(event.seat), "3.5 \(player) gets its own data")
    require(!own.isEmpty, "3.9 \(player) gets data of a match that it never asked to join")
    require(
      !own.allSatisfy(leftSeats.contains), "3.4 \(player) gets data of a match that it left")
  }
}

/// One match of a context.
struct MatchName: Hashable, CustomStringConvertible {
  var context: ContextID
  var number: UInt64

  var description: String { "match \(number) of \(context)" }
}

/// Why a match is over for a client, as far as the rules tell reasons apart.
enum EndCause {
  case over
  case seatTaken
  /// The client itself has left, signed out or died.
  case own
  case failed(String)
}

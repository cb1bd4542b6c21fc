import Operations
import Wire

/// What is known of one ticket from the calls and effects that were carried out.
struct TicketModel {
  let id: MatchTicketID
  var playerGroup = ""
  var players: [PlayerID] = []
  var criteria = MatchCriteria()
  /// When it was asked for first, in the simulation's milliseconds; nil for the ticket of a party.
  var askedAt: Int64?
  /// When it was put in, by the queue's clock.
  var createdAt: Int64 = 0
  /// Whether its players wait again, because too few have joined the match before.
  var isReturned = false
  /// Those of them who were told that they wait by another ticket already.
  var refused: Set<PlayerID> = []
  /// Whether the queue was declared before.
  var isUnderRules = false
  /// What those were told who cancelled it.
  var cancelled: [CancelTicket.Reply] = []
}

extension TicketModel {
  /// How many players its match has at least, if it was found at a time, by the queue's clock.
  func least(at foundAt: Int64) -> Int {
    let least = Int(criteria.minPlayers)
    return foundAt - createdAt >= Workload.sizeLoosensAt ? min(2, least) : least
  }
}

/// A running match to which players were added, by its context and all its players.
struct FilledMatch: Hashable, Comparable {
  let context: ContextID
  let players: [PlayerID]
  /// Counts the times that the same players were put together in it.
  var time = 0

  init(_ context: ContextID, _ players: [PlayerID]) {
    self.context = context
    self.players = players.sorted()
  }

  static func < (one: FilledMatch, other: FilledMatch) -> Bool {
    (one.context, one.time, one.players.count) < (other.context, other.time, other.players.count)
  }
}

/// All tickets and blocks, as the calls and effects left them that took effect.
struct TicketModels {
  /// A block: from when its player knew of it, until somebody may have taken it back.
  struct Block {
    var player: PlayerID
    var other: PlayerID
    var from: Int64
    var until = Int64.max
  }

  private(set) var all: [MatchTicketID: TicketModel] = [:]
  private(set) var blocks: [Block] = []
  /// By its context: when a match was found at the latest, by the queue's clock.
  private(set) var foundAt: [ContextID: Int64] = [:]
  /// The same of those who were to be added to a running match.
  private(set) var filledAt: [FilledMatch: Int64] = [:]
  private var declared: Set<String> = []

  init(_ steps: [Ledger.Step]) {
    for step in steps {
      switch step {
      case .call(let call): take(call)
      case .effect(let effect): place(effect)
      case .sent(let effect): find(effect)
      }
    }
  }

  /// A player of a party waits by another ticket, and does not come back by this one.
  mutating func refuse(_ player: PlayerID, _ id: MatchTicketID) {
    guard all[id]?.isReturned == true else { return }
    all[id]?.players.removeAll { $0 == player }
    all[id]?.refused.insert(player)
  }

  private mutating func find(_ effect: Ledger.Applied) {
    if effect.opcode == OpenContext.opcode, let open = try? OpenContext(decoding: effect.body) {
      foundAt[open.context] = effect.latest
    } else if effect.opcode == AddMatchSeats.opcode,
      let add = try? AddMatchSeats(decoding: effect.body)
    {
      filledAt[FilledMatch(add.context, add.present + add.players)] = effect.latest
    }
  }

  private mutating func take(_ call: Ledger.Done) {
    if let (find, reply) = call.decoded(FindMatch.self) {
      var ticket = TicketModel(id: reply.ticket)
      (ticket.playerGroup, ticket.criteria) = (find.playerGroup, find.criteria)
      ticket.players = [call.player] + find.members
      ticket.isUnderRules = declared.contains(find.playerGroup)
      ticket.createdAt = call.time
      ticket.askedAt = call.span.lowerBound
      all[reply.ticket] = ticket
    } else if let (cancel, reply) = call.decoded(CancelTicket.self) {
      all[cancel.ticket]?.cancelled.append(reply)
    } else if let (define, _) = call.decoded(DefineQueue.self) {
      declared.insert(define.definition.playerGroup)
    } else if let (block, _) = call.decoded(BlockPlayer.self) {
      blocks.append(Block(player: call.player, other: block.player, from: call.span.upperBound))
    } else if let (unblock, _) = call.decoded(UnblockPlayer.self) {
      for index in blocks.indices
      where blocks[index].player == call.player && blocks[index].other == unblock.player {
        blocks[index].until = min(blocks[index].until, call.span.lowerBound)
      }
    }
  }

  private mutating func place(_ effect: Ledger.Applied) {
    guard effect.opcode == PlaceTicket.opcode,
      let place = try? PlaceTicket(decoding: effect.body)
    else { return }
    var ticket = TicketModel(id: place.ticket)
    (ticket.playerGroup, ticket.criteria) = (place.playerGroup, place.criteria)
    ticket.players = place.players
    ticket.isUnderRules = declared.contains(place.playerGroup)
    // One that was matched before, and comes back because too few have joined, is as old as it was.
    ticket.createdAt = place.arrival == 0 ? effect.earliest : place.createdAt
    ticket.isReturned = place.expiresAt != 0
    all[place.ticket] = ticket
  }

  /// Whether a block keeps two players apart for all of a span.
  func isApart(_ one: PlayerID, _ other: PlayerID, from start: Int64, through end: Int64) -> Bool {
    blocks.contains { block in
      (block.player == one && block.other == other || block.player == other && block.other == one)
        && block.from < start && end < block.until
    }
  }
}

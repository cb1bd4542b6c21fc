import Domain
import Operations
import Wire

/// The tickets that wait in one player group of a game, in memory.
final class Pool {
  let key: RoutingKey
  let game: String
  /// The declaration for new tickets.
  private(set) var rules: QueueStages
  /// By version: those under which tickets wait, and the newest.
  private(set) var versions: [UInt32: QueueStages]
  private(set) var ticketCounts: [UInt32: Int] = [:]
  private(set) var tickets: [PoolTicket?] = []
  private var free: [Int32] = []
  private var byTicket: [MatchTicketID: Int32] = [:]
  private var byPlayer: [PlayerID: Int32] = [:]
  var index = TicketIndex()
  var waits = PoolWaits()
  /// How tickets ended of late, for those who ask again.
  var ended = EndedTickets()
  private(set) var playerCount = 0
  /// The tickets before it may be of an older declaration than the newest.
  private var unrevised = 0
  /// Whether it is among the empty pools that are kept for a while.
  var isIdle = false
  private var nextArrival: UInt64
  /// Draws priorities that nobody outside can know, from a secret start.
  private var random: RandomSource

  /// - Parameters:
  ///   - now: in milliseconds. Arrivals are counted from there, a thousand for each, so that no new
  ///     one is that of a ticket which comes back from before.
  ///   - seed: secret.
  init(_ key: RoutingKey, game: String, _ rules: QueueStages, now: Int64, seed: UInt64) {
    self.key = key
    self.game = game
    self.rules = rules
    versions = [rules.version: rules]
    nextArrival = UInt64(max(0, now)) << 10 + 1
    random = .seeded(seed)
  }

  var isEmpty: Bool { byTicket.isEmpty }
  var ticketCount: Int { byTicket.count }

  func slot(of ticket: MatchTicketID) -> Int32? { byTicket[ticket] }
  func slot(of player: PlayerID) -> Int32? { byPlayer[player] }

  subscript(slot: Int32) -> PoolTicket {
    get {
      guard let ticket = tickets[Int(slot)] else { preconditionFailure("no ticket is there") }
      return ticket
    }
    set { tickets[Int(slot)] = newValue }
  }

  /// The place in the line of a ticket that comes now.
  func takeArrival() -> UInt64 {
    defer { nextArrival += 1 }
    return nextArrival
  }

  // MARK: Declarations

  func declare(_ rules: QueueStages) {
    if rules.version > self.rules.version || self.rules.version == 0 { self.rules = rules }
    versions[rules.version] = rules
    unrevised = tickets.count
  }

  /// Goes back to the rules of no declaration; nobody waits.
  func forgetDeclaration(_ rules: QueueStages) {
    self.rules = rules
    versions = [rules.version: rules]
  }

  /// A ticket that may be of an older declaration, each one once after a declaration.
  func nextToRevise() -> Int32? {
    while unrevised > 0 {
      unrevised -= 1
      if tickets.indices.contains(unrevised), tickets[unrevised] != nil { return Int32(unrevised) }
    }
    return nil
  }

  /// Brings a ticket under the newest declaration, in its old place in the line.
  func revise(_ slot: Int32, now: Int64) {
    takeOut(slot)
    var row = self[slot].row
    ticketCounts[row.version, default: 1] -= 1
    row.version = rules.version
    ticketCounts[row.version, default: 0] += 1
    self[slot] = PoolTicket(row, rules, now: now)
    putIn(slot, now: now)
  }

  /// After all was loaded: the rules of no declaration are needed by tickets of before it alone.
  func forgetUndeclared() {
    if rules.version > 0 && ticketCounts[0, default: 0] == 0 { versions[0] = nil }
  }

  /// Versions that neither tickets nor new ones need any more.
  func takeUnused() -> [UInt32] {
    let unused = versions.keys.filter { $0 != rules.version && ticketCounts[$0, default: 0] == 0 }
    for version in unused { versions[version] = nil }
    return unused.sorted()
  }

  // MARK: Tickets

  /// Takes a ticket in, which is not in the index yet.
  func add(_ row: TicketRow, now: Int64) -> Int32 {
    let ticket = PoolTicket(row, versions[row.version] ?? rules, now: now)
    let slot: Int32
    if let reused = free.popLast() {
      slot = reused
      tickets[Int(slot)] = ticket
    } else {
      slot = Int32(tickets.count)
      tickets.append(ticket)
    }
    byTicket[row.key] = slot
    for player in row.players { byPlayer[player] = slot }
    playerCount += row.players.count
    ticketCounts[row.version, default: 0] += 1
    nextArrival = max(nextArrival, row.arrival + 1)
    if row.version != rules.version { unrevised = tickets.count }
    return slot
  }

  func remove(_ slot: Int32) {
    takeOut(slot)
    let row = self[slot].row
    tickets[Int(slot)] = nil
    free.append(slot)
    byTicket[row.key] = nil
    for player in row.players { byPlayer[player] = nil }
    playerCount -= row.players.count
    ticketCounts[row.version, default: 1] -= 1
  }

  /// Puts a ticket in the index, in its stage of now. One whose own players may not be together
  /// stays out and waits for its end, like any that fits nobody: nobody learns of a block.
  func putIn(_ slot: Int32, now: Int64) {
    tickets[Int(slot)]?.advance(now: now)
    if self[slot].isDivided { return }
    index.insert(&self[slot], at: slot, &random)
  }

  /// Takes a ticket out of the index; nothing happens when it is not in it.
  func takeOut(_ slot: Int32) { index.remove(&self[slot]) }
}

/// How the last tickets of a pool ended: in memory, for calls that come just after.
struct EndedTickets {
  static let countMax = 1024
  private var infos: [MatchTicketID: TicketInfo] = [:]
  private var order = Queue<MatchTicketID>()

  subscript(ticket: MatchTicketID) -> TicketInfo? { infos[ticket] }

  mutating func add(_ info: TicketInfo) {
    if infos.updateValue(info, forKey: info.ticket) == nil { order.append(info.ticket) }
    if order.count > Self.countMax { infos[order.removeFirst()] = nil }
  }
}

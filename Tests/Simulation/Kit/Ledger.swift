import Domain
import Operations
import Storage
import Wire

/// The record of all calls, of what is durable and of what clients were answered. The checks
/// compare everything with it.
///
/// The stored replies, in the order of the batches, say which calls took effect. One process alone
/// changes a key, so that this is also the order in which each key changed.
final class Ledger {
  struct CallKey: Hashable {
    var instance: UInt64
    var counter: UInt64
  }

  struct Asked {
    var player: PlayerID
    var opcode: Opcode
    var body: [UInt8]
    /// When the client first sent it, in the simulation's milliseconds.
    var askedAt: Int64
  }

  struct Done {
    var player: PlayerID
    var opcode: Opcode
    var body: [UInt8]
    var reply: [UInt8]
    /// From when the client first sent it until it became durable, in the simulation's
    /// milliseconds.
    var span: ClosedRange<Int64>
    /// When the call took effect, by the clock of its key's owner, in milliseconds since 1970.
    var time: Int64
  }

  /// An effect that its receiver has applied, or its sender asked for, some time from `earliest` to
  /// `latest`.
  struct Applied {
    var opcode: Opcode
    var body: [UInt8]
    var earliest: Int64
    var latest: Int64
  }

  /// What changed a key, or what a key asked for.
  enum Step {
    case call(Done)
    case effect(Applied)
    /// An effect that its sender asked for.
    case sent(Applied)
  }

  /// A call that was refused for good, as its client was told.
  struct Refused {
    var asked: Asked
    var failure: Failure
    /// From when the client first sent the call until it was told.
    var span: ClosedRange<Int64>
  }

  private struct EffectKey: Hashable {
    var store: StoreID
    var slot: UInt16
    var incarnation: UInt64
    var sequence: UInt64

    init(_ row: OutboxRow, of store: StoreID) {
      self.store = store
      (slot, sequence) = (row.key.slot, row.key.sequence)
      incarnation = row.incarnation
    }

    init(_ row: InboxRow) {
      (store, slot) = (row.key.store, row.key.sourceSlot)
      (incarnation, sequence) = (row.incarnation, row.sequence)
    }
  }

  private var asked: [CallKey: Asked] = [:]
  private var replies: [CallKey: [UInt8]] = [:]
  private var refused: Set<CallKey> = []
  /// Calls that took effect, in order.
  private(set) var done: [Done] = []
  /// Calls and effects that took effect, in order.
  private(set) var steps: [Step] = []
  private(set) var refusals: [Refused] = []
  /// The floors that services have raised themselves.
  private(set) var floors: [UInt64] = []
  private var sent: [EffectKey: OutboxRow] = [:]
  private var lastTimes: [StoreID: Int64] = [:]
  private(set) var effects = 0
  private(set) var repeats = 0
  private(set) var lateEffects = 0
  private var hash = FNVHash()
  private(set) var violation: Violation?
  private(set) var streams: StreamModel
  /// Whom each store has erased, or begun to.
  private var erasedBy: [StoreID: Set<PlayerID>] = [:]
  /// Effects that came to a process that had erased somebody whom they name.
  private(set) var lateEffectsOfErased = 0
  /// Whether a store is of the process that has a player's own key in the request service.
  var owns: (StoreID, PlayerID) -> Bool = { _, _ in false }

  init(_ streams: StreamModel) { self.streams = streams }

  /// Of everything that became durable, in order.
  var digest: UInt64 { hash.value }

  func fail(_ text: String) {
    if violation == nil { violation = Violation(description: text) }
  }

  /// Who was erased.
  var erasures: ErasureLog { streams.erasures }

  /// A process has listed somebody whom it is about to erase.
  func listed(_ erasure: Erasure) { note(streams.erasures.add(erasure)) }

  /// Nothing of those who were erased so far may be anywhere any more.
  func completeErasures() { streams.erasures.complete() }

  func ask(_ key: CallKey, _ call: Asked) { asked[key] = call }

  /// A batch has become durable.
  ///
  /// - Parameters:
  ///   - time: the batch's, by the clock of its process.
  ///   - now: in the simulation's milliseconds.
  func committed(_ batch: Batch, time: Int64, by store: StoreID, now: Int64) throws {
    let earliest = lastTimes[store] ?? 0
    lastTimes[store] = max(earliest, time)
    hash.add(batch.changes.bytes)
    let isOfStreams = store.high == UInt64(Service.request.rawValue)
    for change in try batch.changes.decoded() {
      if isOfStreams { note(try streams.take(change, at: time)) }
      guard change.kind == .put else { continue }
      switch change.table {
      case OutboxRow.tableID:
        effects += 1
        let row = try OutboxRow(decoding: change.bytes)
        let isApplied = OwnEffectMark.isMark(row)
        if !isApplied {
          if isRewritten(row, of: store) { continue }
          sent[EffectKey(row, of: store)] = row
        }
        if !RecordsErasures.contains(Opcode(rawValue: row.opcode)) {
          steps.append(.sent(Applied(row, from: earliest, through: time)))
        }
        if isApplied { applied(row, isOfStreams, from: earliest, through: time) }
      case InboxRow.tableID:
        let effect = sent[EffectKey(try InboxRow(decoding: change.bytes))]
        countLate(effect, at: store)
        applied(effect, isOfStreams, from: earliest, through: time)
      case ReplyRow.tableID: took(try ReplyRow(decoding: change.bytes), now: now)
      case ErasureRow.tableID: erased(try ErasureRow(decoding: change.bytes), by: store)
      case FloorRow.tableID: floors.append(try FloorRow(decoding: change.bytes).floor)
      default: break
      }
    }
    if isOfStreams { note(streams.endBatch()) }
  }

  // MARK: Erasures

  private func erased(_ row: ErasureRow, by store: StoreID) {
    guard let player = erasures.all.first(where: { $0.digest == row.key })?.player else {
      return fail("7.3 somebody is erased who is on no list")
    }
    guard erasedBy[store, default: []].insert(player).inserted else { return }
    if owns(store, player) { streams.forget(player) }
  }

  private func countLate(_ effect: OutboxRow?, at store: StoreID) {
    guard let effect, let gone = erasedBy[store],
      !RecordsErasures.contains(Opcode(rawValue: effect.opcode)),
      erasures.named(in: effect.body.array).contains(where: gone.contains)
    else { return }
    lateEffectsOfErased += 1
  }

  /// Whether a row of the outbox is one that was there before, with what an erasure leaves of it.
  private func isRewritten(_ row: OutboxRow, of store: StoreID) -> Bool {
    guard !erasures.isEmpty, let known = sent[EffectKey(row, of: store)] else { return false }
    let opcode = Opcode(rawValue: row.opcode)
    if erasures.rest(ofCall: known.body.array, opcode)
      != erasures.rest(ofCall: row.body.array, opcode)
    {
      fail("7.3 an erasure has made another effect of \(opcode)")
    }
    sent[EffectKey(row, of: store)] = row
    return true
  }

  /// Whether a stored reply is one that was there before, with what an erasure leaves of it.
  private func isRewritten(_ row: ReplyRow, _ call: Asked, _ known: [UInt8]) -> Bool {
    guard erasures.isErased(call.player) || !erasures.named(in: known).isEmpty else { return false }
    return isSame(row.reply.array, known, call.opcode)
  }

  private func isSame(_ one: [UInt8], _ other: [UInt8], _ opcode: Opcode?) -> Bool {
    if one == other { return true }
    guard !erasures.isEmpty, let opcode else { return false }
    return erasures.rest(ofReply: one, opcode) == erasures.rest(ofReply: other, opcode)
  }

  private func note(_ fault: String?) {
    if let fault { fail(fault) }
  }

  private func took(_ row: ReplyRow, now: Int64) {
    let key = CallKey(instance: row.key.instance, counter: row.key.counter)
    guard let call = asked[key] else {
      fail("a reply to \(row.opcode) of \(row.player) is stored for call \(key), which nobody made")
      return
    }
    let known = replies.updateValue(row.reply.array, forKey: key)
    if let known {
      if isRewritten(row, call, known) { return }
      fail("call \(key) of \(call.opcode) took effect twice")
    }
    if refused.contains(key) { lateEffects += 1 }
    let done = Done(
      player: call.player, opcode: call.opcode, body: call.body, reply: row.reply.array,
      span: call.askedAt...now, time: row.time)
    self.done.append(done)
    streams.took(done)
    steps.append(.call(done))
  }

  private func applied(
    _ effect: OutboxRow?, _ isOfStreams: Bool, from earliest: Int64, through latest: Int64
  ) {
    if isOfStreams { note(streams.applied(effect)) }
    guard let effect, !RecordsErasures.contains(Opcode(rawValue: effect.opcode)) else { return }
    steps.append(.effect(Applied(effect, from: earliest, through: latest)))
  }

  private func key(of request: Request) -> CallKey? {
    let idempotency = request.envelope.idempotency
    guard request.envelope.source == nil, idempotency.isPresent else { return nil }
    return CallKey(instance: idempotency.instance, counter: idempotency.counter)
  }

  /// Whether the call has durably taken effect.
  func isDone(_ request: Request) -> Bool { key(of: request).map { replies[$0] != nil } ?? false }

  /// Checks an answer that a process sends.
  ///
  /// - Parameter wasDone: whether the call had durably taken effect when this request of it
  ///   arrived. A request that arrived earlier may be refused, and that answer may leave after a
  ///   later request of the same call took effect.
  func released(_ request: Request, _ answer: Answer, wasDone: Bool) {
    guard let key = key(of: request), asked[key]?.opcode == request.opcode else { return }
    switch (answer, replies[key]) {
    case (.reply(let body), let stored?):
      if !isSame(body, stored, request.opcode) {
        fail("call \(key) of \(request.opcode) got another answer than before")
      }
    case (.reply, nil):
      fail("call \(key) of \(request.opcode) was answered before its effect was durable")
    case (.failure(let failure), .some):
      // Of an erased player nothing is remembered.
      let isErased = asked[key].map { erasures.isErased($0.player) } ?? false
      if wasDone && !failure.code.isTransient && failure.code != .staleKey && !isErased {
        fail("call \(key) of \(request.opcode) took effect, and is now refused: \(failure)")
      }
    case (.failure, nil): break
    }
  }

  /// Notes that a client got the answer to a call, which it will not repeat any more.
  func told(_ key: CallKey, _ answer: Answer, now: Int64) {
    switch answer {
    case .reply(let body):
      guard let stored = replies[key], isSame(stored, body, asked[key]?.opcode) else {
        return fail("the answer to call \(key) is not the one that is stored")
      }
    case .failure(let failure):
      refused.insert(key)
      if let call = asked[key] {
        refusals.append(Refused(asked: call, failure: failure, span: call.askedAt...now))
      }
      if replies[key] != nil { lateEffects += 1 }
    }
  }

  func repeated() { repeats += 1 }
}

extension Ledger.Applied {
  fileprivate init(_ row: OutboxRow, from earliest: Int64, through latest: Int64) {
    self.init(
      opcode: Opcode(rawValue: row.opcode), body: row.body.array, earliest: earliest,
      latest: latest)
  }
}

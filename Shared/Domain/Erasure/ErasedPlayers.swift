import Wire

/// The erased players of a process, and a quick way to see that none of them is named.
struct ErasedPlayers {
  private var byPlayer: [PlayerID: Erasure] = [:]
  /// In the order of the list, so that a process works through them in the same order every time.
  private(set) var all: [Erasure] = []
  private(set) var standIns: Set<PlayerID> = []
  /// By the first four bytes of each form of an id.
  private var byStart: [UInt32: [(form: [UInt8], erasure: Erasure)]] = [:]
  /// Which of such bytes there are. Nearly every place of a message ends here.
  private(set) var filter = StartFilter()

  var isEmpty: Bool { byPlayer.isEmpty }
  var count: Int { byPlayer.count }
  subscript(player: PlayerID) -> Erasure? { byPlayer[player] }

  mutating func insert(_ erasure: Erasure) {
    // Of two stand-ins, as in lists that were joined by hand, the first one counts.
    guard byPlayer[erasure.player] == nil else { return }
    byPlayer[erasure.player] = erasure
    all.append(erasure)
    standIns.insert(erasure.standIn)
    for (form, _) in erasure.forms {
      let start = form[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      byStart[start, default: []].append((form, erasure))
      filter.insert(start)
    }
    if filter.isCrowded(by: byStart.count) { filter = StartFilter(byStart.keys) }
  }

  /// Notes that somebody else, too, stands in for an erased player.
  mutating func standsIn(_ player: PlayerID) { standIns.insert(player) }

  /// The erased players whose ids are among the bytes, in any form.
  func named(in bytes: RawSpan) -> [Erasure] {
    var found: [Erasure] = []
    var players: Set<PlayerID> = []
    eachPlace(in: bytes) { _, _, erasure in
      if players.insert(erasure.player).inserted { found.append(erasure) }
    }
    return found
  }

  /// The same bytes with the stand-ins' ids in the place of the players', in one pass, however many
  /// they are. See `Erasure.renamed`.
  func renamed(_ bytes: [UInt8]) -> [UInt8] {
    var renamed = bytes
    var end = 0
    unsafe eachPlace(in: bytes.span.bytes) { place, form, erasure in
      if place < end { return }
      end = place + form.count
      let new = erasure.forms.first { $0.old == form }?.new ?? form
      renamed.replaceSubrange(place..<end, with: new)
    }
    return renamed
  }

  func renamed(_ text: String) -> String {
    String(decoding: renamed(Array(text.utf8)), as: UTF8.self)
  }

  func renamed<K>(_ id: Identifier<K>) -> Identifier<K> {
    self[PlayerID(reinterpreting: id)].map { Identifier(reinterpreting: $0.standIn) } ?? id
  }

  @inline(__always)
  private func eachPlace(in bytes: RawSpan, _ body: (Int, [UInt8], Erasure) -> Void) {
    if isEmpty || bytes.byteCount < 4 { return }
    var start: UInt32 = 0
    for place in 0..<bytes.byteCount {
      start = start << 8 | UInt32(unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
      guard place >= 3, filter.mayHave(start), let candidates = byStart[start] else { continue }
      for (form, erasure) in candidates where isThere(form, in: bytes, at: place - 3) {
        body(place - 3, form, erasure)
      }
    }
  }

  private func isThere(_ form: [UInt8], in bytes: RawSpan, at start: Int) -> Bool {
    start + form.count <= bytes.byteCount
      && form.indices.allSatisfy {
        unsafe bytes.unsafeLoad(fromByteOffset: start + $0, as: UInt8.self) == form[$0]
      }
  }
}

/// A bit for each hash of some four bytes, so that few places of a message have to be looked up.
struct StartFilter {
  private static let bitsPerStartMin = 16
  /// The binary logarithm of the count of bits.
  private var size: UInt32 = 16
  private var words: [UInt64]

  init() { words = [UInt64](repeating: 0, count: 1 << (size - 6)) }

  /// With room for twice as many.
  init(_ starts: some Collection<UInt32>) {
    while 1 << size < 2 * Self.bitsPerStartMin * starts.count && size < 32 { size += 1 }
    words = [UInt64](repeating: 0, count: 1 << (size - 6))
    for start in starts { insert(start) }
  }

  /// True when so many starts set more bits than they should, and there can be more of them.
  func isCrowded(by count: Int) -> Bool {
    Self.bitsPerStartMin * count > 1 << size && size < 32
  }

  mutating func insert(_ start: UInt32) {
    let bit = bit(of: start)
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  /// False for all but few of the starts that were not inserted.
  func mayHave(_ start: UInt32) -> Bool {
    let bit = bit(of: start)
    return words[bit >> 6] & 1 << UInt64(bit & 63) != 0
  }

  /// Fibonacci hashing: the upper bits of a product with 2^32 over the golden ratio.
  private func bit(of start: UInt32) -> Int { Int((start &* 0x9e37_79b9) >> (32 - size)) }
}

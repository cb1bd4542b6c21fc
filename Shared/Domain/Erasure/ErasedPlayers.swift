import Wire

/// The erased players of a process, and a quick way to see that none of them is named.
struct ErasedPlayers {
  private var byPlayer: [PlayerID: Erasure] = [:]
  private(set) var standIns: Set<PlayerID> = []
  /// By the first four bytes of each form of an id.
  private var byStart: [UInt32: [(form: [UInt8], erasure: Erasure)]] = [:]
  /// A bit for each hash of such bytes. Nearly every place of a message ends here.
  private var filter = [Bool](repeating: false, count: 0)

  private static var filterBits: UInt32 { 16 }

  var isEmpty: Bool { byPlayer.isEmpty }
  var count: Int { byPlayer.count }
  var all: [Erasure] { Array(byPlayer.values) }
  subscript(player: PlayerID) -> Erasure? { byPlayer[player] }

  mutating func insert(_ erasure: Erasure) {
    // Of two stand-ins, as in lists that were joined by hand, the first one counts.
    guard byPlayer[erasure.player] == nil else { return }
    byPlayer[erasure.player] = erasure
    standIns.insert(erasure.standIn)
    if filter.isEmpty { filter = [Bool](repeating: false, count: 1 << Self.filterBits) }
    for (form, _) in erasure.forms {
      let start = form[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      byStart[start, default: []].append((form, erasure))
      filter[Self.hash(start)] = true
    }
  }

  /// The erased players whose ids are among the bytes, in any form.
  func named(in bytes: RawSpan) -> [Erasure] {
    if isEmpty || bytes.byteCount < 4 { return [] }
    var found: [Erasure] = []
    var start: UInt32 = 0
    for place in 0..<bytes.byteCount {
      start = start << 8 | UInt32(unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
      guard place >= 3, filter[Self.hash(start)], let candidates = byStart[start] else { continue }
      for (form, erasure) in candidates
      where isThere(form, in: bytes, at: place - 3) && !found.contains(erasure) {
        found.append(erasure)
      }
    }
    return found
  }

  private func isThere(_ form: [UInt8], in bytes: RawSpan, at start: Int) -> Bool {
    start + form.count <= bytes.byteCount
      && form.indices.allSatisfy {
        unsafe bytes.unsafeLoad(fromByteOffset: start + $0, as: UInt8.self) == form[$0]
      }
  }

  /// Fibonacci hashing: the upper bits of a product with 2^32 over the golden ratio.
  private static func hash(_ start: UInt32) -> Int {
    Int((start &* 0x9e37_79b9) >> (32 - filterBits))
  }
}

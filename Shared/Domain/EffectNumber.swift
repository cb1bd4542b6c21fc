import Wire

/// The number of an effect of one source: first of the life of the source's store in which it was
/// made, then within the store.
///
/// A store that was put back from a backup counts its batches from there again. What it makes then
/// is of another life, with a greater number, and so it is not taken for what its source made
/// before, between the backup and the loss.
struct EffectNumber: Comparable {
  var incarnation: UInt64 = 0
  var sequence: UInt64 = 0

  static func < (left: Self, right: Self) -> Bool {
    (left.incarnation, left.sequence) < (right.incarnation, right.sequence)
  }
}

extension EffectSource {
  var number: EffectNumber { EffectNumber(incarnation: incarnation, sequence: sequence) }
  /// The effect that has to be applied before; less than every number when there is none.
  var predecessor: EffectNumber { EffectNumber(incarnation: afterIncarnation, sequence: after) }
}

/// How far the effects between two slots were applied.
struct ReachedEffect {
  var number = EffectNumber()
  /// The source's `RestoreRow.life` when it sent that effect.
  var restored: UInt64 = 0

  init() {}
  init(_ row: InboxRow) {
    number = EffectNumber(incarnation: row.incarnation, sequence: row.sequence)
    restored = row.restored
  }

  /// How the source has gone back behind this effect, unless it was marked since.
  func goneBack(_ source: EffectSource) -> GoneBack? {
    // A source of an older version does not say its life.
    if source.life == 0 || source.restored > restored { return nil }
    if source.restored < restored || source.life < number.incarnation {
      return .toLesserLives(markCount: markCount(for: source))
    }
    let isCountedAgain = source.number > number && source.sequence <= number.sequence
    return isCountedAgain ? .toEarlierBatches : nil
  }

  /// How often the source's store is to be marked, once its backup is put back again, so that its
  /// lives are greater than the one known here.
  private func markCount(for source: EffectSource) -> Int {
    // The backup has the mark that is known here, so one more is enough.
    if source.restored == restored { return 1 }
    // Else the last of its marks, where it has any, may have come after the backup.
    let marks = max(StoreLife.restores(source.restored), 1)
    return Int(StoreLife.restores(restored) - marks) + 2
  }
}

/// What a receiver notices of a store that was put back from a backup and not marked.
enum GoneBack {
  /// It counts its batches again where it has been.
  case toEarlierBatches
  /// Its life has a number before that of one that the receiver knows, so that whatever is made in
  /// it cannot be told from what was applied. It is to be put back again and marked so many times.
  case toLesserLives(markCount: Int)
}

extension Failure {
  private static var goneBackArgument: String { "store" }

  /// Why effects of a store wait that was put back from a backup and not marked.
  init(_ goneBack: GoneBack, of source: EffectSource) {
    let name = Service(rawValue: source.service).map(\.name) ?? "\(source.service)"
    let remedy =
      switch goneBack {
      case .toEarlierBatches: "mark each store by --restored"
      case .toLesserLives(markCount: 1):
        "put the backup back again, and mark each store before its first start"
      case .toLesserLives(let count):
        "put the backup back again, and mark each store before its first start, this one \(count) "
          + "times"
      }
    self.init(
      .outOfOrder, argument: Self.goneBackArgument,
      "The store of the \(name) service has gone back to an earlier state. Stop all services, "
        + "\(remedy).")
  }

  /// Whether a receiver refuses effects since their store has gone back.
  package var isOfGoneBack: Bool { code == .outOfOrder && argument == Self.goneBackArgument }
}

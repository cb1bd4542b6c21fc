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

extension InboxRow {
  var number: EffectNumber { EffectNumber(incarnation: incarnation, sequence: sequence) }
}

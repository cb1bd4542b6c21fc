import Domain

extension ColdRange {
  /// The first key after the range; nil when the range goes to the end of the table.
  ///
  /// It is not the key right after `through`, because the range also holds every key that begins
  /// with `through`.
  var end: [UInt8]? {
    // The next key that does not begin with `through` has the last byte raised by one. A byte of
    // 0xff cannot be raised, so it is dropped and the byte before it is raised instead.
    var end = through
    while let last = end.last {
      if last < 0xff {
        end[end.count - 1] = last + 1
        return end
      }
      end.removeLast()
    }
    return nil
  }
}

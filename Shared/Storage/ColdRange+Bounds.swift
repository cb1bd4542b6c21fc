import Domain

extension ColdRange {
  /// The first key after the range, since `through` also takes every key that begins with it; nil
  /// when nothing comes after.
  var end: [UInt8]? {
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

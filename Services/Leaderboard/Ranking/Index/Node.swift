/// A node of a rank index: a block of memory that never moves. Its level in the tree decides
/// whether it is a `Leaf` or an `Inner`. What the two have in common stands first.
@safe
struct Node: Equatable {
  struct Header: BitwiseCopyable {
    /// The frame of the codes of the node's cells.
    var frame: KeyFrame
    var count: UInt16
  }

  let memory: UnsafeMutableRawPointer

  init(_ memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

  private var header: UnsafeMutablePointer<Header> {
    unsafe memory.assumingMemoryBound(to: Header.self)
  }
  var frame: KeyFrame {
    get { unsafe header.pointee.frame }
    nonmutating set { unsafe header.pointee.frame = newValue }
  }
  /// How many cells are in use.
  var count: Int {
    get { Int(unsafe header.pointee.count) }
    nonmutating set { unsafe header.pointee.count = UInt16(truncatingIfNeeded: newValue) }
  }

  static func == (left: Self, right: Self) -> Bool { unsafe left.memory == right.memory }
}

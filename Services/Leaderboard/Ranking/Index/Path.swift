/// The inner nodes on the way from the root to a leaf, each with the slot taken.
@safe
struct Path: ~Copyable {
  struct Step {
    var node: Inner
    var slot: Int
  }

  /// More than 2^32 entries need even where every inner node has the least of cells.
  static let stepsMax = 10

  private let steps: UnsafeMutablePointer<Step>

  init() { unsafe steps = .allocate(capacity: Self.stepsMax) }
  deinit { unsafe steps.deallocate() }

  subscript(_ level: Int) -> Step {
    get {
      assert(level < Self.stepsMax)
      return unsafe steps[level]
    }
    nonmutating set {
      assert(level < Self.stepsMax)
      unsafe steps[level] = newValue
    }
  }
}

/// The inner nodes on the way from the root to a leaf, each with the slot that was taken in it.
@safe
struct Path: ~Copyable {
  struct Step {
    var node: Inner
    var slot: Int
  }

  /// The most steps: enough for 2^32 entries even if every inner node has the fewest cells allowed.
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

/// How long a player whose connection is gone keeps its seat, in milliseconds.
///
/// It passes in steps. One that ends late counts for little: the process stood still, its clock was
/// set, its disk was full, or too much was due at once, and the player may have tried to come back
/// all the while.
package struct GraceTime {
  /// About the longest time between two attempts of a client, so that each step has one.
  package static let stepMax: Int64 = 2000
  /// How late a step may end. One that ends later counts as no more than this, so that the grace
  /// time of a service that is always late is over some time, too.
  package static let latenessMax: Int64 = 500

  private var left: Int64
  private var stepStart: Int64

  init(_ milliseconds: Int64, now: Int64) {
    left = milliseconds
    stepStart = now
  }

  var isOver: Bool { left <= 0 }
  var stepEnd: Int64 { stepStart + min(left, Self.stepMax) }

  /// Ends the step that runs, and begins the next one.
  mutating func endStep(now: Int64) {
    left -= now <= stepEnd + Self.latenessMax ? now - stepStart : Self.latenessMax
    stepStart = now
  }
}

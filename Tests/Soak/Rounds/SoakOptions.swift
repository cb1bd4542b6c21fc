/// How long and how hard a soak is.
public struct SoakOptions: Sendable {
  public var rounds = 50
  public var secondsPerRound = 4
  /// Players that play at once.
  public var players = 24
  public var partitions = 1
  public var seed = UInt64.random(in: 1 ... .max)

  public init() {}
}

/// What a soak has done, and what came out wrong.
public struct SoakReport: Sendable {
  public var rounds = 0
  public var kills = 0
  public var counts = LoadCounts()
  public var violations: [String] = []

  public var acknowledged: Int {
    counts.submissions + counts.requests + counts.answers + counts.challenges
  }
}

/// Calls that were acknowledged, by kind, and those whose outcome stayed unknown.
public struct LoadCounts: Sendable, CustomStringConvertible {
  public var submissions = 0
  public var requests = 0
  public var answers = 0
  public var challenges = 0
  public var completions = 0
  public var refused = 0
  public var unknown = 0

  public init() {}

  public static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.submissions += right.submissions
    sum.requests += right.requests
    sum.answers += right.answers
    sum.challenges += right.challenges
    sum.completions += right.completions
    sum.refused += right.refused
    sum.unknown += right.unknown
    return sum
  }

  public var description: String {
    "\(submissions) scores, \(requests) requests, \(answers) answers, \(challenges) challenges, "
      + "\(completions) completions, \(refused) refused, \(unknown) unknown"
  }
}

public import Wire

/// Why a handler did not finish.
public enum Stop: Error, Equatable, Sendable {
  /// The caller is told, and nothing was changed.
  case refused(Failure)
  /// The handler wants rows that are not in memory; it runs again, from its beginning, with them.
  case needs([ColdRange])
  /// The handler wants a fact that did not come with the call. Whoever called makes the call again
  /// with it.
  case needsFact(FactDemand)

  /// The handler took a bounded step of work that is in memory alone, such as moving a window, and
  /// runs again from its beginning when commands of other slots had their turn. Those of its own
  /// slot wait behind it, as behind one that reads.
  public static var again: Stop { .needs([]) }

  public static func refuse(
    _ code: FailureCode, argument: String = "", _ text: String,
    retryAfterMilliseconds: UInt32 = 0, detail: Bytes = Bytes()
  ) -> Stop {
    .refused(
      Failure(
        code, argument: argument, text, retryAfterMilliseconds: retryAfterMilliseconds,
        detail: detail))
  }
}

// What a call is most often refused for: one of its arguments. Each is called as its code is.
extension Stop {
  public static func invalidArgument(_ argument: String, _ text: String) -> Stop {
    .refuse(.invalidArgument, argument: argument, text)
  }

  public static func requiredArgument(_ argument: String, _ text: String) -> Stop {
    .refuse(.requiredArgument, argument: argument, text)
  }

  public static func notFound(_ argument: String, _ text: String) -> Stop {
    .refuse(.notFound, argument: argument, text)
  }

  public static func notAllowed(_ argument: String, _ text: String) -> Stop {
    .refuse(.notAllowed, argument: argument, text)
  }

  public static func conflict(_ argument: String, _ text: String) -> Stop {
    .refuse(.conflict, argument: argument, text)
  }

  public static func limitReached(_ argument: String, _ text: String) -> Stop {
    .refuse(.limitReached, argument: argument, text)
  }

  /// - Parameter wait: milliseconds until the budget of such calls has enough again.
  public static func rateLimited(_ text: String, _ wait: UInt32) -> Stop {
    .refuse(.rateLimited, text, retryAfterMilliseconds: wait)
  }
}

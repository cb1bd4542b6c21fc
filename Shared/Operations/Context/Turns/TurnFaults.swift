public import Wire

extension Operation {
  /// What is wrong with the bytes of a move, whatever is stored; nil when nothing is.
  func turnFault(state: Bytes?, hidden: Bytes?, payload: Bytes) -> Failure? {
    let (state, hidden) = (state?.array.count ?? 0, hidden?.array.count ?? 0)
    let parts = [
      ("state", "A state", state, TurnLimits.stateSizeMax),
      ("hidden", "A hidden state", hidden, TurnLimits.hiddenSizeMax),
      ("payload", "A move", payload.array.count, TurnLimits.payloadSizeMax),
    ]
    for (name, what, count, countMax) in parts where count > countMax {
      return Failure(.invalidArgument, argument: name, "\(what) has at most \(countMax) bytes.")
    }
    if state + hidden + payload.array.count <= TurnLimits.callSizeMax { return nil }
    return Failure(
      .invalidArgument, argument: "state",
      "The parts of a call have at most \(TurnLimits.callSizeMax) bytes together.")
  }
}

extension TurnOptions {
  /// What is wrong with the options; nil when nothing is.
  public var fault: Failure? {
    let times = TurnLimits.clockMillisecondsMin...TurnLimits.clockMillisecondsMax
    let clocks = [moveClockMilliseconds, playerClockMilliseconds].filter { $0 != 0 }
    guard ([turnTimeoutMilliseconds] + clocks).allSatisfy(times.contains) else {
      return Failure(
        .invalidArgument, argument: "options",
        "A time is \(times.lowerBound) to \(times.upperBound) milliseconds.")
    }
    return nil
  }
}

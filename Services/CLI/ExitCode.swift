/// How a command has ended; the numbers are those of `sysexits.h` where it has one.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  /// The server refused the call; or the doctor has found something that is red.
  case refused = 1
  case usage = 64
  /// The gateway, or what a call needs behind it, is not reachable.
  case unavailable = 69
  case software = 70
  /// What the command has to tell, or a file, cannot be written.
  case inputOutput = 74
  /// Nobody knows whether the call took effect; making it again may double it.
  case outcomeUnknown = 75

  /// For the help.
  var meaning: String {
    switch self {
    case .success: "done"
    case .refused: "refused by the server; of `muster doctor`: something is red"
    case .usage: "wrong command line, or something that it needs is not here"
    case .unavailable:
      "not reachable now; try again later; of `muster status`: a process did not answer"
    case .software: "a fault of muster itself, or a step of the tour that went wrong"
    case .inputOutput: "the output or a file cannot be written; the call itself may be done"
    case .outcomeUnknown: "nobody knows whether it was done: look before you repeat it"
    }
  }
}

import MusterKit
import Terminal

/// What is told of an error: what is wrong, what to do next, and how the command ends.
struct Complaint {
  var code: ExitCode
  /// What is wrong, and then what to do next, a line each.
  var lines: [String]

  /// - Parameters:
  ///   - command: the one that has failed; nil where there is no such command.
  ///   - gateway: the address that was called.
  init(_ error: any Error, in command: Command?, gateway: String = "") {
    switch error {
    case let error as UsageError:
      code = .usage
      lines = [error.text]
      if error.isSettled { break }
      if let command { lines.append("usage: \(Help.usage(command))") }
      lines.append("See: muster \(command.map { $0.name + " " } ?? "")--help")
    // The file of an authority cannot be used: nobody was called.
    case let error as MusterError where error.argument == "trust":
      (code, lines) = (.usage, ["\(error.text).", "Name the PEM of the authority by --authority."])
    case let error as MusterError:
      code =
        error.isOutcomeUnknown
        ? .outcomeUnknown : error.code.isTransient ? .unavailable : .refused
      var told = error
      told.trace = nil
      lines = ["\(told)"] + (Self.advice(error, gateway).map { [$0] } ?? [])
      // A line of its own, to be copied.
      if let trace = error.trace { lines.append("trace \(trace)") }
    case let error as DoctorCommand.Unwell:
      (code, lines) = (.refused, ["\(error.count) red"])
    case let error as OperatorCommands.Unanswered:
      let processes = error.count == 1 ? "1 process" : "\(error.count) processes"
      (code, lines) = (
        .unavailable, ["\(processes) did not answer", "`muster doctor` says what to do."]
      )
    case let error as ResultFileError: (code, lines) = (.inputOutput, [error.text])
    default: (code, lines) = (.software, ["\(error)"])
    }
  }

  /// The text for standard error.
  func text(_ paint: Paint) -> String {
    let rest = lines.dropFirst().map { "  " + $0.printable + "\n" }.joined()
    return paint(.red, "muster:") + " \((lines.first ?? "").printable)\n" + rest
  }

  /// What to do about an error, where its own text does not say it.
  private static func advice(_ error: MusterError, _ gateway: String) -> String? {
    let text = error.text
    if text.contains("certificate has expired") || text.contains("certificate is not yet valid") {
      return
        "Look whether this machine's clock is right; if it is, the deployment's operator has to "
        + "renew the gateway's certificate."
    }
    if text.contains("certificate verify failed") {
      return "Name the PEM of the gateway's authority by --authority FILE, and the name in its "
        + "certificate by --server-name NAME."
    }
    if text.contains("could not be reached in time") || text.contains("server cannot be reached") {
      return "Is there a gateway at \(gateway)? `make run` starts a stack here; "
        + "--gateway HOST:PORT names another."
    }
    if error.isOutcomeUnknown { return "Look whether it was done before you repeat it." }
    switch (error.code, error.argument) {
    case (.unavailable, _), (.deadlineExceeded, _):
      return "`muster status` shows the operator which process does not answer."
    case (.invalidCredential, _), (.notAuthenticated, _):
      return text.contains("operator")
        ? "Put the right secret into MUSTER_OPERATOR_SECRET, or the place of its file into the "
          + "file that MUSTER_CLIENT names."
        : "`muster signup DISPLAY-NAME --as NAME` makes another player; --as NAME names one that "
          + "is stored here."
    case (.notFound, "game"):
      return "`muster game declare NAME` declares a game (operator); --game NAME names another."
    case (.notFound, "board"), (.notFound, "achievement"), (.notFound, "set"):
      return "`muster apply FILE` declares what a game has (operator)."
    case (.notFound, "player") where text.contains("request service"):
      return "Is the id right? `muster erase PLAYER --yes --unknown` erases what other services "
        + "keep of it."
    case (.notFound, "context"): return "`muster context list` lists the player's contexts."
    default: return nil
    }
  }
}

import MusterKit
import Terminal
import Testing

@testable import muster

@Suite struct ComplaintTests {
  private let top = Main.commands.first { $0.name == "board top" }

  @Test("a wrong line is told with the command's own usage")
  func usage() {
    let complaint = Complaint(UsageError("BOARD is missing."), in: top)
    #expect(complaint.code == .usage)
    #expect(
      complaint.text(Paint(isOn: false)) == """
        muster: BOARD is missing.
          usage: muster board top BOARD [--start RANK] [--count NUMBER] [--time SCOPE] \
        [--back NUMBER]
          See: muster board top --help

        """)
    let missing = Complaint(UsageError.missing("FILE cannot be read."), in: top)
    #expect(missing.code == .usage && missing.lines == ["FILE cannot be read."])
  }

  @Test(
    "what the server or the way to it is at fault for says what to do, and has its exit code",
    arguments: [
      (
        MusterError(.deadlineExceeded, "The server could not be reached in time: no answer."),
        ExitCode.unavailable, "Is there a gateway at here:7400? `make run`"
      ),
      (
        MusterError(
          .deadlineExceeded, "The server was reached, but no session began in time."),
        .unavailable, "`muster status` shows the operator which process"
      ),
      (
        MusterError(.deadlineExceeded, "… handshake failed: certificate verify failed: …"),
        .unavailable, "--authority FILE"
      ),
      (
        MusterError(
          .deadlineExceeded, "… certificate verify failed: … certificate has expired …"),
        .unavailable, "this machine's clock"
      ),
      (
        MusterError(
          .deadlineExceeded, "… certificate verify failed: … certificate is not yet valid …"),
        .unavailable, "this machine's clock"
      ),
      (
        MusterError(.unavailable, "The request service cannot be reached."), .unavailable,
        "`muster status`"
      ),
      (MusterError(.invalidCredential, "The operator's secret is wrong."), .refused, "OPERATOR"),
      (MusterError(.invalidCredential, "It is not right."), .refused, "muster signup"),
      (MusterError(.notFound, argument: "game", "None."), .refused, "muster game declare"),
      (MusterError(.notFound, argument: "board", "None."), .refused, "muster apply FILE"),
      (MusterError(.notFound, argument: "context", "None."), .refused, "muster context list"),
      (
        MusterError(.notFound, argument: "player", "The request service knows no such player."),
        .refused, "--unknown"
      ),
      (
        MusterError(.deadlineExceeded, "No answer.", isOutcomeUnknown: true), .outcomeUnknown,
        "before you repeat it"
      ),
      (MusterError(.invalidArgument, argument: "trust", "x.pem"), .usage, "--authority"),
    ])
  func advice(_ error: MusterError, _ code: ExitCode, _ advice: String) {
    let complaint = Complaint(error, in: top, gateway: "here:7400")
    #expect(complaint.code == code)
    #expect(complaint.lines.count == 2 && complaint.lines[1].contains(advice), "\(complaint.lines)")
  }

  @Test("a refusal that says all is told alone, and no text of a server controls the terminal")
  func plain() {
    let complaint = Complaint(MusterError(.conflict, "Not\u{1b}[2J now."), in: top)
    #expect(complaint.code == .refused)
    #expect(complaint.text(Paint(isOn: false)) == "muster: Not\u{fffd}[2J now. [conflict]\n")
    #expect(complaint.text(Paint(isOn: true)).hasPrefix("\u{1b}[31mmuster:\u{1b}[0m Not"))
  }

  @Test("what leads an operator to the log lines of a call stands in a line of its own")
  func trace() {
    var error = MusterError(.conflict, "Not now.")
    error.trace = TraceID(high: 0xab, low: 0xcd)
    let complaint = Complaint(error, in: top)
    #expect(
      complaint.text(Paint(isOn: false)) == """
        muster: Not now. [conflict]
          trace 00000000000000ab00000000000000cd

        """)
    error = MusterError(.unavailable, "The request service cannot be reached.")
    error.trace = TraceID(high: 0xab, low: 0xcd)
    #expect(Complaint(error, in: top).lines.count == 3, "after what to do")
  }

  @Test("a file that cannot be written and a fault of muster itself have exit codes of their own")
  func others() {
    #expect(Complaint(ResultFileError("/x", 13), in: top).code == .inputOutput)
    #expect(Complaint(TourFailure(description: "no"), in: top).code == .software)
    let unanswered = Complaint(OperatorCommands.Unanswered(count: 2), in: top)
    #expect(unanswered.code == .unavailable && unanswered.lines[0] == "2 processes did not answer")
    let one = Complaint(OperatorCommands.Unanswered(count: 1), in: top)
    #expect(one.lines[0] == "1 process did not answer")
  }

  @Test("every exit code is in every help")
  func exitCodes() {
    for text in [
      Help.overview(of: Main.commands, width: 200), top.map { Help.of($0, width: 200) } ?? "",
    ] {
      for code in ExitCode.allCases {
        #expect(text.contains("\(code.rawValue)") && text.contains(code.meaning), "\(code)")
      }
    }
  }

  @Test("the help of a command that is a group too lists the group")
  func commandAndGroup() throws {
    let match = try #require(Main.commands.first { $0.name == "match" })
    let text = Help.of(match, among: Main.commands, width: 200)
    for name in ["match invite ", "match invites", "match uninvite", "match answer"] {
      #expect(text.contains("muster \(name)"), "\(text)")
    }
    #expect(top.map { !Help.of($0, among: Main.commands, width: 200).contains("about") } == true)
  }

  @Test("what is for the operator says so")
  func operators() {
    let names = [
      "ban", "unban", "apply", "game declare", "status", "credential", "board remove",
      "board rerank", "board restrict", "queue remove", "erase", "import nakama", "export",
    ]
    let marked = Main.commands.filter { $0.summary.hasSuffix("(operator)") }.map(\.name)
    #expect(Set(marked) == Set(names))
  }

  @Test("no line of a help is wider than the terminal", arguments: [80, 60])
  func width(_ width: Int) {
    let texts =
      Main.commands.map { Help.of($0, width: width) }
      + [Help.overview(of: Main.commands, width: width)]
    for line in texts.joined(separator: "\n").split(separator: "\n")
    where TextWidth.of(line) > width {
      // A usage is typed as it is, and not broken.
      #expect(line.hasPrefix("  muster ") && !line.contains("   "), "\(line)")
    }
  }

  @Test("no two commands have one name, and no two options of a command either")
  func names() {
    #expect(Set(Main.commands.map(\.name)).count == Main.commands.count)
    for command in Main.commands {
      let names = (command.options + Command.common).map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
    }
  }

  @Test("the help of a command has each of its options, and the values that there are")
  func help() {
    for command in Main.commands {
      let text = Help.of(command, width: 80)
      for option in command.options + Command.common {
        #expect(text.contains("--\(option.name)"))
        #expect(option.choices.allSatisfy { text.contains($0) })
      }
    }
  }
}

import Builds
import MusterKit
import Spelling
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `muster`: the command with which players, developers and operators use Muster from a terminal.
@main
enum Main {
  static let commands: [Command] =
    PlayerCommands.all + AccountCommands.all + PhotoCommands.all + FriendCommands.all
    + ContextCommands.all + TurnCommands.all + QueueCommands.all + RequestCommands.all
    + TokenCommands.all
    + BoardCommands.all
    + AchievementCommands.all + ChallengeCommands.all + OperatorCommands.all + LiveCommands.all
    + EraseCommand.all + ImportCommand.all + [
      DoctorCommand.command, ExportCommand.command, TraceCommand.command, TourCommand.command,
      CompletionCommand.command,
    ]

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = await run(arguments)
    exit(code.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    if arguments.first == "--version" {
      return tell("muster \(MusterVersion.text) (build \(Build.shown))")
    }
    if arguments.first == "help" { return await run(arguments.dropFirst() + ["--help"]) }
    guard let command = find(arguments) else {
      if arguments.isEmpty || asksForHelp(arguments.prefix(1)) {
        return tell(Help.overview(of: commands, width: helpWidth))
      }
      if let group = group(arguments) {
        return tell(group, arguments.count == 1 ? .usage : .success)
      }
      return complain(Complaint(UsageError(noCommand(arguments)), in: nil), .auto)
    }
    let rest = arguments.dropFirst(command.name.split(separator: " ").count)
    if asksForHelp(rest) {
      return tell(Help.of(command, among: commands, width: helpWidth))
    }
    return await run(command, rest)
  }

  private static func run(_ command: Command, _ rest: ArraySlice<String>) async -> ExitCode {
    var gateway = ""
    var colors = Paint.Choice.auto
    do {
      let options = command.options + Command.common
      let parsed = try Arguments(
        rest, flags: Set(options.filter { $0.value == nil }.map(\.name)),
        known: Set(options.map(\.name)))
      colors = try paintChoice(parsed)
      if let most = command.wordCountMax, parsed.words.count > most {
        throw UsageError(
          "\(parsed.words[most]) is one word too many. Quote a text with spaces: \"two words\".")
      }
      let settings = try ClientSettings(parsed)
      gateway = "\(settings.configuration.host):\(settings.configuration.port)"
      let output = Output(
        isJSON: parsed.has("json"), paint: .of(.output, colors),
        width: TerminalDevice.output.width)
      try await command.run(Session(arguments: parsed, settings: settings, output: output))
      if let failure = output.failure { throw failure }
      return .success
    } catch {
      return complain(Complaint(error, in: command, gateway: gateway), colors)
    }
  }

  /// Prints what takes no server: a help, or the version.
  private static func tell(_ text: String, _ code: ExitCode = .success) -> ExitCode {
    let output = Output(isJSON: false, paint: Paint(isOn: false))
    output.print(text)
    return output.failure.map { complain(Complaint($0, in: nil), .auto) } ?? code
  }

  private static func paintChoice(_ arguments: Arguments) throws(UsageError) -> Paint.Choice {
    guard let text = arguments["color"] else { return .auto }
    if let choice = Paint.Choice(rawValue: text) { return choice }
    let choices = Paint.Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw UsageError("--color is one of \(choices), not \(text).")
  }

  private static func complain(_ complaint: Complaint, _ colors: Paint.Choice) -> ExitCode {
    let text = complaint.text(.of(.errors, colors))
    unsafe _ = write(STDERR_FILENO, text, text.utf8.count)
    return complaint.code
  }

  /// Lines that are wider than this are hard to read on a wide terminal too.
  private static var helpWidth: Int {
    min(TerminalDevice.output.width ?? Help.widthWithoutTerminal, 100)
  }

  private static func asksForHelp(_ words: ArraySlice<String>) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private static func find(_ arguments: [String]) -> Command? {
    commands.first { command in
      let name = command.name.split(separator: " ").map(String.init)
      return Array(arguments.prefix(name.count)) == name
    }
  }

  /// Returns the help for a group of commands when the command line is only the group's name, or
  /// the name and a wish for help.
  private static func group(_ arguments: [String]) -> String? {
    guard let word = arguments.first, arguments.dropFirst().allSatisfy({ asksForHelp([$0]) })
    else { return nil }
    return Help.ofGroup(word, of: commands, width: helpWidth)
  }

  private static func noCommand(_ arguments: [String]) -> String {
    let words = arguments.prefix(2).prefix { !$0.hasPrefix("-") }
    guard let first = words.first else {
      return "There is no command \(arguments[0]). Options come after a command's name."
    }
    let name = words.joined(separator: " ")
    let names = commands.map(\.name)
    if let meant = Nearest.to(name, among: names) ?? Nearest.to(first, among: names) {
      return "There is no command \(name). Did you mean `muster \(meant)`?"
    }
    if commands.contains(where: { $0.name.hasPrefix(first + " ") }) {
      return "There is no command \(name). `muster \(first)` lists those that there are."
    }
    return "There is no command \(name)."
  }
}

extension Paint {
  fileprivate static func of(_ device: TerminalDevice, _ choice: Choice) -> Paint {
    Paint(
      choice, isTerminal: device.isTerminal, environment: ProcessInfo.processInfo.environment)
  }
}

import Domain
import Foundation
import Testing
import Wire

@testable import ServiceKit

private let size = NumberSetting("size", .count, default: 3, 1...10, "A number.")
private let patience = NumberSetting("patience-days", .days, default: 60, 1...90, "A time.")

@Suite struct ConfigurationTests {
  private let settings = [
    Setting("name", fallback: "nobody", "A text."),
    Setting("data-directory", "A text without a fallback."),
    Setting(size), Setting(patience),
    Setting("quick", .flag, fallback: "false", "A flag."),
    Setting("color", .choice(["red", "blue"]), fallback: "red", "A choice."),
    Setting("secret", fallback: "hush", isSecret: true, "A secret."),
    .task("tidy", "Tidies up."), .task("paint", "Paints."),
  ]

  private func read(
    _ arguments: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) throws -> Configuration {
    var arguments = arguments
    let path = NSTemporaryDirectory() + "muster-configuration-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    if let file {
      try file.write(toFile: path, atomically: true, encoding: .utf8)
      arguments += ["--config", path]
    }
    guard
      case .run(let configuration) = try Configuration.read(
        settings, arguments: arguments, environment: environment)
    else { throw ConfigurationError("it does not run") }
    return configuration
  }

  private func fault(
    _ arguments: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) -> String {
    do {
      _ = try read(arguments, environment, file: file)
      return ""
    } catch { return "\(error)" }
  }

  @Test("flags win over the environment, that over the file, and that over fallbacks")
  func precedence() throws {
    let file = "# who\n\nname = file\n  size=7\n"
    let environment = ["MUSTER_NAME": "environment", "MUSTER_DATA_DIRECTORY": "/data"]
    #expect(try read()["name"] == "nobody")
    #expect(try read(file: file)["name"] == "file")
    let foreign = try read(file: "name = file\r\nsize = 7\r\n")
    #expect(foreign["name"] == "file" && foreign.numbers[size] == 7)
    #expect(try read([], environment, file: file)["name"] == "environment")
    #expect(try read(["--name", "flag"], environment, file: file)["name"] == "flag")
    let all = try read(["--name=a=b"], environment, file: file)
    #expect(all["name"] == "a=b" && all.numbers[size] == 7)
    #expect(all["data-directory"] == "/data")
  }

  @Test("a flag needs no value, and takes one")
  func flags() throws {
    #expect(try read(["--quick"]).flag("quick"))
    #expect(try !read(["--quick=no"]).flag("quick"))
    #expect(try read([], ["MUSTER_QUICK": "1"]).flag("quick"))
    #expect(try !read().flag("quick"))
  }

  @Test("a task is said on the command line alone, and comes with the settings")
  func tasks() throws {
    guard
      case .perform("tidy", let configuration) = try Configuration.read(
        settings, arguments: ["--tidy", "--name", "Ada", "--tidy"], environment: [:])
    else { throw ConfigurationError("it does not tidy") }
    #expect(configuration["name"] == "Ada")
    #expect(fault([], ["MUSTER_TIDY": "true"]).isEmpty, "it runs")
    #expect(fault(file: "tidy = true").contains("--tidy is said on the command line alone"))
    #expect(fault(["--tidy=yes"]).contains("--tidy takes no value"))
    #expect(fault(["--tidy", "--paint"]).contains("--tidy and --paint"))
  }

  @Test("numbers come in milliseconds, from wherever they are set")
  func numbers() throws {
    let day: Int64 = 24 * 3600 * 1000
    #expect(try read().numbers[patience] == 60 * day)
    #expect(try read(file: "patience-days = 2").numbers[patience] == 2 * day)
    #expect(try read([], ["MUSTER_PATIENCE_DAYS": "3"]).numbers[patience] == 3 * day)
    #expect(try read(["--patience-days", "4"]).numbers[patience] == 4 * day)
  }

  @Test("a secret has no blanks: what follows one was meant as a comment; and it is not printed")
  func secrets() throws {
    for wrong in ["hush  # hunter2", "hush hunter2", "hunter2\t", "hunter2\r", "\u{a0}hunter2"] {
      let fault = fault([], ["MUSTER_SECRET": wrong])
      #expect(fault.contains("--secret contains a blank or a control character"), "\(fault)")
      #expect(!fault.contains("hunter2"))
    }
    #expect(fault(file: "secret = hush # hunter2").contains("--secret contains a blank"))
    #expect(try read([], ["MUSTER_SECRET": "#hush-é=1"])["secret"] == "#hush-é=1")
    #expect(try read([], ["MUSTER_NAME": "Ada L."])["name"] == "Ada L.")
  }

  @Test("two settings of one name trap")
  func oneName() async {
    await #expect(processExitsWith: .failure) {
      _ = try Configuration.read(
        [Setting(size), Setting("size", "A text.")], arguments: [], environment: [:])
    }
  }

  @Test("7.2 what is wrong is said with the setting's name")
  func faults() {
    #expect(fault(["--nonsense"]).contains("--nonsense"))
    #expect(fault(["stray"]).contains("stray"))
    #expect(!fault(["--pasword=hunter2"]).contains("hunter2"))
    #expect(fault(["--name"]).contains("--name needs a value"))
    #expect(fault(["--size", "11"]).contains("--size takes a whole number from 1 to 10"))
    #expect(fault(["--size", "many"]).contains("many"))
    #expect(fault([], ["MUSTER_PATIENCE_DAYS": "91"]).contains("--patience-days takes"))
    #expect(fault(file: "patience-days = 0").contains("--patience-days takes"))
    #expect(fault([], ["MUSTER_COLOR": "green"]).contains("red, blue"))
    #expect(fault(["--quick=perhaps"]).contains("--quick"))
    #expect(fault(file: "shape = round").contains("shape"))
    #expect(fault(file: "name = x\nnonsense").contains("line 2"))
    #expect(fault(["--config", "/nowhere/at/all"]).contains("/nowhere/at/all"))
  }

  @Test("a mistyped name is told with the nearest one, and a value never")
  func nearest() throws {
    #expect(fault(["--colr", "red"]) == "There is no option --colr; did you mean --color?")
    #expect(fault(["--data-dir=x"]).contains("did you mean --data-directory?"))
    #expect(fault(["--nonsense"]) == "There is no option --nonsense; see --help.")
    #expect(fault(["colr"]) == "There is no option colr; see --help.")
    #expect(fault(file: "secrt = hunter2").hasSuffix("setting: secrt. Did you mean secret?"))
    #expect(fault(file: "shape = round").hasSuffix("unknown setting: shape."))
    for secret in ["hunter2 = x", "= x", "Rm9v==", "\(String(repeating: "a", count: 65)) ="] {
      let fault = fault(file: "secret = s\n\(secret)")
      #expect(fault.hasSuffix("line 2: a setting's name is lowercase letters and hyphens."))
    }
    #expect(fault([], ["MUSTER_COLOR": "bleu"]).hasSuffix("not bleu. Did you mean blue?"))
    let variable = fault([], ["MUSTER_SECRTE": "hunter2"])
    #expect(variable == "There is no variable MUSTER_SECRTE; did you mean MUSTER_SECRET?")
    // Of another program.
    let others = ["MUSTER_CALLS_PER_SECOND": "7", "MUSTER_AS": "ben", "MUSTERCOLR": "x"]
    #expect(try read([], others)["name"] == "nobody")
  }

  @Test("all that is wrong is told at once")
  func allFaults() {
    let fault = fault(
      [], ["MUSTER_SIZE": "many", "MUSTER_COLR": "red"], file: "shape = round\npatience-days = 0")
    for text in ["MUSTER_COLR", "shape", "--size takes", "--patience-days takes"] {
      #expect(fault.contains(text), "\(fault)")
    }
    #expect(fault.split(separator: "\n").count == 4)
  }

  @Test("where faults are noted, what is right is read all the same")
  func notedFaults() throws {
    var faults = ConfigurationFaults()
    let request = try Configuration.read(
      settings, arguments: ["--size", "many", "--quick=perhaps", "--name", "ada", "--tidy"],
      environment: ["MUSTER_COLR": "red", "MUSTER_PATIENCE_DAYS": "4"], noting: &faults)
    guard case .perform("tidy", let configuration) = request else {
      throw ConfigurationError("it does not tidy")
    }
    #expect(configuration["name"] == "ada" && !configuration.flag("quick"))
    #expect(configuration.numbers[size] == 3, "its fallback")
    #expect(configuration.numbers[patience] == 4 * 24 * 3600 * 1000)
    #expect(faults.error?.texts.count == 3)
    #expect(throws: ConfigurationError.self) {
      var faults = ConfigurationFaults()
      _ = try Configuration.read(
        settings, arguments: ["--config", "/nowhere/at/all"], environment: [:], noting: &faults)
    }
  }

  @Test("a text of a form is read by its setting")
  func parsed() throws {
    let even = Setting(
      "even", .parsed(form: "two by two") { $0.count % 2 == 0 ? nil : "is odd: \($0)." },
      fallback: "", "A text.")
    for (text, fault) in [("ab", nil), ("abc", "--even is odd: abc.")] {
      do {
        _ = try Configuration.read([even], arguments: ["--even", text], environment: [:])
        #expect(fault == nil)
      } catch { #expect(error.description == fault) }
    }
    let help = Help.text(program: "p", summary: "s", settings: [even])
    #expect(help.contains("; two by two)"))
  }

  @Test("a required setting without a value is refused when it is asked for")
  func required() throws {
    let configuration = try read()
    #expect(throws: ConfigurationError("--data-directory is required; see --help.")) {
      try configuration.required("data-directory")
    }
    #expect(try configuration.required("name") == "nobody")
  }

  @Test("--help names everything and prints no secret; --version stops too")
  func help() throws {
    let text = Help.text(program: "p", summary: "s", settings: settings)
    for setting in settings {
      #expect(text.contains("--\(setting.name)"))
      #expect(text.contains(setting.environmentName) != setting.isTask)
    }
    #expect(!text.contains("hush"))
    #expect(text.contains("a line that begins with # is a comment"))
    #expect(text.contains("(MUSTER_PATIENCE_DAYS; default 60; 1 to 90 days)\n      A time."))
    #expect(text.contains("(MUSTER_SIZE; default 3; 1 to 10)"))
    for (word, isHelp) in [("--help", true), ("-h", true), ("--version", false)] {
      switch try Configuration.read(settings, arguments: [word], environment: [:]) {
      case .help: #expect(isHelp)
      case .version: #expect(!isHelp)
      case .run, .perform: Issue.record("\(word) runs")
      }
    }
  }

  @Test("addresses are host:port, also of IPv6, also several")
  func addresses() throws {
    let six = try NetworkAddress("[::1]:7400", setting: "listen")
    #expect(six.host == "::1" && six.port == 7400)
    let list = try NetworkAddress.list("a:1,b:2", setting: "request")
    #expect(list.map(\.host) == ["a", "b"] && list.map(\.port) == [1, 2])
    for wrong in ["", "a", "a:", "a:70000", "a:b", ":1", "[]:1", "[::1]"] {
      #expect(throws: ConfigurationError.self) {
        try NetworkAddress(wrong, setting: "listen")
      }
    }
  }
}

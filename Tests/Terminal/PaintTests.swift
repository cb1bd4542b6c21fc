import Terminal
import Testing

@Suite struct PaintTests {
  @Test(
    "colours are on a terminal alone, unless the environment or the user says otherwise",
    arguments: [
      (Paint.Choice.auto, true, ["TERM": "xterm"], true), (.auto, false, ["TERM": "xterm"], false),
      (.auto, true, ["TERM": "dumb"], false), (.auto, true, [:], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": ""], true),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, ["TERM": "xterm"], false),
    ])
  func choice(
    _ choice: Paint.Choice, _ isTerminal: Bool, _ environment: [String: String], _ isOn: Bool
  ) {
    #expect(Paint(choice, isTerminal: isTerminal, environment: environment).isOn == isOn)
  }

  @Test("without colours a text stays as it is, and an empty one does with them too")
  func plain() {
    #expect(Paint(isOn: false)(.red, "no") == "no")
    #expect(Paint(isOn: true)(.red, "") == "")
    #expect(Paint(isOn: true)(.red, "no") == "\u{1b}[31mno\u{1b}[0m")
  }
}

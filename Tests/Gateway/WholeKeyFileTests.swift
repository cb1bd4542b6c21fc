import Testing
import Wire

@testable import GatewayCore

/// A file of keys that lacks something is refused: what is missing would bring a former key back,
/// or a credential that was revoked. And gateways can be compared.
struct WholeKeyFileTests {
  private static let digits = (0...9).map { String(repeating: "\($0)a", count: 32) }
  private static let lines =
    "key tokens 2 \(digits[2]) current\ngame-server 1 1 demo\noperator alice \(digits[3])"

  private func keyring(_ lines: String) throws -> Keyring {
    try KeyFile(KeyFile.text(lines)).keyring(secret: [7], hash: SessionScript.hash)
  }

  @Test("a file that was cut short is refused, wherever it ends")
  func cutShort() throws { for lines in [Self.lines, "# none"] { try cut(lines) } }

  private func cut(_ lines: String) throws {
    let whole = Array(KeyFile.text(lines).utf8)
    for text in [whole, whole + Array("\n".utf8), whole + Array("\n\n# a note\n".utf8)] {
      _ = try KeyFile(String(decoding: text, as: UTF8.self))
    }
    for count in 0..<whole.count {
      let text = String(decoding: whole[..<count], as: UTF8.self)
      let fault = #expect(throws: KeyFile.Fault.self) { try KeyFile(text) }
      let isAtLineEnd = count == 0 || whole[count - 1] == UInt8(ascii: "\n")
      if isAtLineEnd {
        #expect(fault?.description.hasPrefix("the last line is not `end`") == true, "\(text)")
      }
    }
  }

  @Test("where one purpose has a key, each has one", arguments: KeyPurpose.allCases)
  func missingPurpose(purpose: KeyPurpose) throws {
    let lines = KeyPurpose.allCases.map { "key \($0.rawValue) 1 auth-secret current" }
    _ = try KeyFile((lines + ["end"]).joined(separator: "\n"))
    let rest = lines.filter { !$0.contains(" \(purpose.rawValue) ") } + ["end"]
    let fault = #expect(throws: KeyFile.Fault.self) {
      try KeyFile(rest.joined(separator: "\n"))
    }
    #expect(fault?.description.hasPrefix("there is no key for \(purpose.rawValue):") == true)
  }

  @Test("the generations of games are told")
  func generations() throws {
    let keyring = try keyring("game-server 1 2 demo\ngame-server 0 1 a game")
    #expect(keyring.generationSummary == "a game 0 to 1, demo 1 to 2")
    #expect(keyring.games == ["a game", "demo"])
    #expect(try self.keyring("# none").generationSummary == "")
  }

  @Test("gateways with the same keys tell the same, and a key of the same number is told apart")
  func outline() throws {
    let one = try keyring(Self.lines).outline
    #expect(try keyring(Self.lines).outline == one)
    #expect(one.count == KeyPurpose.allCases.count + 1 && one.last == "game-server 1 1 demo")
    let other = try keyring(Self.lines.replacing(Self.digits[2], with: Self.digits[4])).outline
    #expect(Set(one).subtracting(other).count == 1)
    #expect(Set(one).subtracting(other).first?.hasPrefix("key tokens 2 ") == true)
    let known = try keyring("key tokens 1 auth-secret current\nkey tokens 2 \(Self.digits[2])")
    let used = try keyring("key tokens 1 auth-secret\nkey tokens 2 \(Self.digits[2]) current")
    #expect(Set(known.outline).subtracting(used.outline).count == 2, "which one is current")
    let marks = one.filter { $0.hasPrefix("key ") }.map { $0.split(separator: " ")[3] }
    #expect(Set(marks).count == marks.count && marks.allSatisfy { $0.count == 8 })
    for line in one { #expect(!line.contains(Self.digits[2].prefix(8)), "no key is told") }
  }

  @Test("operators are told by name as they are now; of very many the last ones are one line")
  func operators() {
    var script = SessionScript(operators: ["bob": [1]])
    let first = script.state.outline
    #expect(first.count == KeyPurpose.allCases.count + 1)
    #expect(first.last?.hasPrefix("operator bob ") == true)
    script.state.use(script.state.keyring, operators: ["bob": [2], "carol": [1]])
    let second = script.state.outline
    #expect(second.count == first.count + 1 && second.dropLast().last != first.last)
    let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\(1000 + $0)", [UInt8(1)]) })
    let outlines = ([1, 2] as [UInt8]).map { last in
      script.state.use(script.state.keyring, operators: many.merging(["z": [last]]) { $1 })
      return script.state.outline
    }
    #expect(outlines.allSatisfy { $0.count == 128 })
    #expect(outlines[0].last?.contains(" more lines ") == true)
    #expect(outlines[0].last != outlines[1].last)
    #expect(outlines[0].dropLast() == outlines[1].dropLast())
  }
}

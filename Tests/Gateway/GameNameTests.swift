import GatewayCore
import Testing
import Wire

@Suite struct GameNameTests {
  @Test(
    "a game's name has one spelling and nothing that other programs take for something else",
    arguments: [
      "", "a\0b", "a\nb", "caf\u{e9}", "cafe\u{301}", "\u{7f}",
      String(repeating: "a", count: 65),
      " ", "demo ", " demo", "\"; rm", "../x", ".x", "-x", "_x", "a/b", "a\\b", "a\"b",
      "a'b", "a<b", "a>b", "a&b", "a;b",
    ])
  func refused(name: String) {
    #expect(GameName.failure(name)?.argument == "game")
  }

  @Test(
    "names that developers choose",
    arguments: [
      "demo", "com.example.game-2", "My Game!", "2048", "a", "C# (2)", "a_b",
      String(repeating: "a", count: 64),
    ])
  func accepted(name: String) {
    #expect(GameName.failure(name) == nil)
  }
}

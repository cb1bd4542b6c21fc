import GatewayCore
import Testing
import Wire

@Suite struct GameNameTests {
  @Test(
    "a game's name has one spelling and no separator",
    arguments: [
      "", "a\0b", "a\nb", "caf\u{e9}", "cafe\u{301}", "\u{7f}", String(repeating: "a", count: 65),
    ])
  func refused(name: String) {
    #expect(GameName.failure(name)?.argument == "game")
  }

  @Test(
    "names that developers choose",
    arguments: [
      "demo", "com.example.game-2", "My Game!", String(repeating: "a", count: 64),
    ])
  func accepted(name: String) {
    #expect(GameName.failure(name) == nil)
  }
}

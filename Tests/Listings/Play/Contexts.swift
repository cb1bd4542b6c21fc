import GamingServicesCompat
import MusterKit
import PlayKit

/// Runs the listings about contexts: Ada plays with Ben, and with Cleo, who is not in this game
/// yet.
@main @MainActor
struct ContextsPlay {
  static func main() async { await Play.run { try await ContextsPlay(play: $0).run() } }

  let play: Play
  let presenter = ScriptedPresenter()

  func run() async throws {
    let ada = try await play.player("Ada")
    let ben = try await play.player("Ben")
    let cleo = try await play.player("Cleo", in: "demo")
    try await ada.befriend(ben)
    try await ada.befriend(cleo)
    GamingServices.configure(client: ada.client, keepingContextIn: nil)
    GamingServices.presenter = presenter
    let withCleo = try await create(with: cleo)
    let withBen = try await create(with: ben)
    let seen = try await ben.client.call(ListContexts()).contexts.map(\.context.description)
    try play.expect(seen == [withBen], "Ben is in the context that Ada has created with him")
    play.ran("000", "4", "created the context of a pair, which the other one is in")
    try await change(from: withBen, to: withCleo)
    try await choose(withCleo, insteadOf: withBen)
  }

  private func create(with player: Player) async throws -> String {
    let controller = Creating.GameViewController()
    controller.createContext(withPlayerID: "")
    _ = try await play.output.next("Failed to create context: ")
    controller.createContext(withPlayerID: player.identifier.description)
    let created = try await play.output.next("Context created: ")
    try play.expect(!created.isEmpty, "a context was created")
    return created
  }

  private func change(from old: String, to new: String) async throws {
    let controller = Switching.GameViewController()
    controller.switchContext(toContextID: new)
    try play.expect(
      try await play.output.next("Switched to context: ") == new, "the context was changed")
    controller.switchContext(toContextID: String(new.reversed()))
    _ = try await play.output.next("Switch failed: ")
    tellOfCurrentContext()
    try play.expect(try await play.output.next("") == new, "the current context is the new one")
    try play.expect(try await play.output.next("") == "2", "there are two players in it")
    play.ran("000", "1", "printed the identifier and the size")
    controller.switchContext(toContextID: old)
    _ = try await play.output.next("Switched to context: ")
    play.ran("000", "5", "entered a context, and failed for one that is not there")
  }

  private func choose(_ expected: String, insteadOf current: String) async throws {
    var offered: [String] = []
    presenter.contextChoice = { choice in
      let contexts = try await choice.contexts.next()
      offered = contexts.map(\.identifier)
      return contexts.first
    }
    let controller = Choosing.GameViewController()
    controller.showChooseContext()
    let chosen = try await play.output.next("New context: ")
    try play.expect(chosen == "\(expected), players: 2", "the chosen context was entered")
    try play.expect(offered == [expected], "only the context with a new player was offered")
    let back = Switching.GameViewController()
    back.switchContext(toContextID: current)
    _ = try await play.output.next("Switched to context: ")
    ChooseContextDialog(content: contentOfChooser(), delegate: controller).show()
    _ = try await play.output.next("New context: ")
    play.ran("000", "2", "chose among contexts of two to eight players, one of them new")
    presenter.contextChoice = nil
    controller.showChooseContext()
    _ = try await play.output.next("User cancelled context selection")
    play.ran("000", "3", "chose the context with a new player, and cancelled")
  }
}

import GamingServicesCompat
import MusterKit
import PlayKit

/// Runs the listings about requests: Ada sends them to Ben.
@main @MainActor
struct RequestsPlay {
  static func main() async { await Play.run { try await RequestsPlay(play: $0).run() } }

  let play: Play
  let presenter = ScriptedPresenter()
  let controller = GameViewController()

  func run() async throws {
    let ada = try await play.player("Ada")
    let ben = try await play.player("Ben")
    try await ada.befriend(ben)
    GamingServices.configure(client: ada.client, keepingContextIn: nil)
    GamingServices.presenter = presenter
    presenter.recipientSelection = { selection in
      try await selection.friends("").next().map(\.playerID)
    }
    controller.showInOneStep(content: contentOfRequest())
    let sent = try await received(by: ben)
    try play.expect(
      sent.message == "Come join me in Puzzle Quest!" && sent.actionType == .invite,
      "Ben has received what the content says")
    play.ran("001", "1", "arrived with its message and its action")
    play.ran("001", "2", "was sent to the friend whom the selector had shown")
    try await sendFrictionless(from: ada, to: ben)
    presenter.recipientSelection = nil
    controller.showInOneStep(content: contentOfRequest())
    _ = try await play.output.next("User cancelled the game request")
    controller.showInOneStep(content: GameRequestContent())
    _ = try await play.output.next("Game request failed: ")
    play.ran("001", "4", "was told of success, of a failure and of the player's no")
  }

  /// Waits until the listing says that a request was sent, and Ben has it.
  private func received(by ben: Player) async throws -> ReceivedRequest {
    let said = try await play.output.next("Request ")
    let inbox = try await ben.client.call(Inbox()).requests
    guard let request = inbox.first,
      said == "\(request.request) sent to: [\"\(ben.identifier)\"]"
    else { throw PlayFailure("Ben has not received the request \(said)") }
    return request
  }

  private func sendFrictionless(from ada: Player, to ben: Player) async throws {
    _ = try await ben.client.call(GrantConsent(to: ada.identifier))
    _ = try await ada.event(ConsentChanged.self)
    while ada.client.frictionlessRecipients?.contains(ben.identifier) != true {
      await Task.yield()
    }
    var isShown = false
    presenter.requestConfirmation = { _ in
      isShown = true
      return true
    }
    let content = contentOfRequest()
    content.recipients = [ben.identifier.description]
    controller.showWithMoreControl(content: content)
    _ = try await received(by: ben)
    try play.expect(!isShown, "the dialog was skipped for who has accepted frictionless requests")
    play.ran("001", "3", "was sent without a dialog to who had accepted that")
  }
}

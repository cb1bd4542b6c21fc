import GamingServicesCompat
import MusterKit
import PlayKit

/// Runs the full example of requests: Ada tells Ben that it is his turn.
@main @MainActor
struct RequestExamplePlay {
  static func main() async {
    await Play.run { play in
      let ada = try await play.player("Ada")
      let ben = try await play.player("Ben")
      try await ada.befriend(ben)
      GamingServices.configure(client: ada.client, keepingContextIn: nil)
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      let controller = GameViewController()
      controller.inviteFriendsToPlay()
      presenter.recipientSelection = { selection in
        try await selection.friends("Ben").next().map(\.playerID)
      }
      controller.inviteFriendsToPlay()
      let sent = try await play.output.next("Request sent, ID: ")
      let request = try await ben.client.call(Inbox()).requests.first
      try play.expect(
        request?.request.description == sent && request?.actionType == .turn
          && request?.message == "It's your turn! Come play with me.",
        "Ben has received the request \(sent)")
      presenter.recipientSelection = { _ in throw PlayFailure("the selector is broken") }
      controller.inviteFriendsToPlay()
      _ = try await play.output.next("Error: ")
      play.ran("001", "5", "was sent and arrived; a presenter's failure was told")
    }
  }
}

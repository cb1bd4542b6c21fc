import Foundation
import GamingServicesCompat
import MusterKit

// What a game does at its start, with the public interface only. Nothing listens at this address,
// and nothing is connected to: the client connects when it is first used.
let client = MusterClient(MusterConfiguration(host: "localhost", game: "import-check"))
GamingServices.configure(client: client)

final class GameController: ContextDialogDelegate, GameRequestDialogDelegate {
  var failures: [String] = []

  func start() {
    let choose = ChooseContextContent()
    choose.filter = .newPlayersOnly
    choose.minParticipants = 2
    ChooseContextDialog(content: choose, delegate: self).show()
    let create = CreateContextContent(playerID: "")
    let dialog = CreateContextDialog(
      content: create, windowFinder: InternalUtility.shared, delegate: self)
    dialog.show()
    let content = GameRequestContent()
    content.actionType = .invite
    GameRequestDialog.show(content: content, delegate: self)
  }

  func contextDialogDidComplete(_ contextDialog: ContextWebDialog) {}
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error) {
    failures.append((error as? GamingServicesError)?.argument ?? "")
  }
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog) {}

  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didCompleteWithResults results: [String: Any]
  ) {}
  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didFailWithError error: any Error
  ) {
    failures.append((error as? GamingServicesError)?.argument ?? "")
  }
  func gameRequestDialogDidCancel(_ gameRequestDialog: GameRequestDialog) {}
}

let controller = GameController()
controller.start()
guard controller.failures == ["presenter", "playerID", "message"], GamingContext.current == nil,
  client.state == .signedOut
else {
  print("GamingServicesCompat does not behave: \(controller.failures)")
  exit(1)
}
print("GamingServicesCompat is there")

import Foundation
import GameKitCompat
import GamingServicesCompat
import MusterKit
import TerminalDialogs

// Both compatible libraries in one game, which shows their dialogs on a terminal.
let client = MusterClient(MusterConfiguration(host: "localhost", game: "import-check"))
GamingServices.configure(client: client)
GameKit.configure(client: client)
let presenter = TerminalPresenter(isColoured: false)
GamingServices.presenter = presenter
GameKit.presenter = presenter

let draft = RequestDraft(title: "", message: "Come and play!", callToAction: "Send")
do {
  _ = try await presenter.confirmRequest(draft)
  print("TerminalDialogs does not behave: there is no terminal here")
  exit(1)
} catch is TerminalPresenter.NoTerminal {
  print("TerminalDialogs is there")
}

import Foundation
import GameKitCompat
import MusterKit
import Terminal

/// CollabCounter, the app of an article about GameKit, on a terminal. All that it needs besides
/// GameKit's calls is where the server is and who the player is.
@main
enum CounterMain {
  static let usage = """
    usage: collab-counter [option...] [startLocalCounter | startOnlineCounter]

    A number that everybody in a match changes. With one of the two words it opens as by a link,
    as soon as the player is authenticated.

      --gateway HOST:PORT   where the gateway listens (localhost:7400)
      --authority PEM       whose certificates are trusted (.muster/certificates/authority.pem)
      --game NAME           the game (demo)
      --credential FILE     of the player; a new one is made, where there is none
                            (.muster/counter-player)
      --name NAME           of a new player (Counter)
    """

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") { return print(usage) }
    guard let options = CounterOptions(arguments) else { end(2, usage) }
    let client = MusterClient(options.configuration)
    do {
      GameKit.configure(client: client, credential: try await options.credential(client))
    } catch let unusable as CredentialFile.Unusable {
      end(1, "collab-counter: \(unusable) --credential names another file.")
    } catch {
      end(1, "collab-counter: \(error)\nIs a stack running? `make run` starts one.")
    }
    let environment = ProcessInfo.processInfo.environment
    let paint = Paint(
      .auto, isTerminal: TerminalDevice.output.isTerminal, environment: environment)
    let hadTerminal = await CounterApp(paint: paint).run(options.link)
    await GameKit.finish()
    await client.close()
    if !hadTerminal { end(1, "collab-counter needs a terminal.") }
  }

  private static func end(_ code: Int32, _ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(code)
  }
}

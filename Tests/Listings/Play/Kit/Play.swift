import Foundation
import MusterKit

public struct PlayFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// A run of listings against the stack that MUSTER_GATEWAY and MUSTER_AUTHORITY name.
@MainActor public struct Play {
  /// The game that `boards.json` beside this folder declares.
  public static let game = "listings"
  public let output = Output()
  private let (gateway, authority): (NetworkAddress, String)

  /// Runs to the end of the process: 0 when everything was as it should be.
  public static func run(_ body: @MainActor (Play) async throws -> Void) async -> Never {
    do {
      try await body(Play())
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("failed: \(error)\n".utf8))
      exit(1)
    }
  }

  private init() throws {
    let variables = ProcessInfo.processInfo.environment
    guard let gateway = NetworkAddress(variables["MUSTER_GATEWAY"] ?? ""),
      let authority = variables["MUSTER_AUTHORITY"]
    else { throw PlayFailure("MUSTER_GATEWAY and MUSTER_AUTHORITY say where the stack is") }
    (self.gateway, self.authority) = (gateway, authority)
  }

  /// A new player.
  ///
  /// - Parameter isSignedIn: whether the player is in the game already.
  public func player(_ name: String, in game: String = Self.game, isSignedIn: Bool = true)
    async throws -> Player
  {
    let client = MusterClient(
      MusterConfiguration(
        host: gateway.host, port: gateway.port, game: game, trust: .authority(authority),
        serverName: "localhost"))
    let player = Player(client, try await client.signUp(displayName: name))
    if isSignedIn { try await client.signIn(player.credential) }
    return player
  }

  public func expect(_ isSo: Bool, _ what: String) throws {
    if !isSo { throw PlayFailure("it is not so that \(what)") }
  }

  /// Says that a listing has run, for the report; `what` has been seen of it.
  public func ran(_ text: String, _ listing: String, _ what: String) {
    output.tell("ran \(text) \(listing) \(what)")
  }
}

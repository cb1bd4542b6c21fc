import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension Stack {
  /// A client that is not signed in, and connects when it is first used.
  nonisolated func client() throws -> RawClient {
    try RawClient(port: gatewayPort, TLSClientContext(trust: .authority(authority)))
  }

  /// So many connected clients, in this order.
  nonisolated func clients(_ count: Int) async throws -> [RawClient] {
    var clients: [RawClient] = []
    for _ in 0..<count {
      let client = try client()
      #expect(await client.call(Echo()).code == nil)
      clients.append(client)
    }
    return clients
  }

  /// A client that is signed in as the operator.
  nonisolated func operatorClient() async throws -> RawClient {
    let client = try client()
    var signIn = SignInOperator()
    signIn.secret = Stack.operatorSecret
    _ = try await client.call(signIn).get()
    return client
  }

  /// Starts the gateway anew, so that it has seen nobody: not even who has declared the game.
  nonisolated func renewGateway() async throws {
    let gateway = try await process("gateway")
    gateway.signal(SIGTERM)
    await gateway.ended()
    try await start("gateway")
  }

  /// What an operator is told of the gateway.
  nonisolated func gatewayStatus() async throws -> ServiceStatus {
    let client = try await operatorClient()
    let reply = try await client.call(DeploymentStatus()).get()
    await client.end()
    return try #require(reply.processes.first)
  }
}

extension SignIn {
  init(_ credential: Credential, game: String = Stack.game) {
    self.init()
    self.game = game
    player = credential.player
    device = credential.device
    secret = Bytes(credential.secret)
  }
}

/// Makes two players friends.
func befriend(
  _ one: (client: MusterClient, Credential), _ other: (client: MusterClient, Credential)
) async throws {
  var invite = InviteFriend()
  invite.player = other.1.player
  _ = try await one.client.call(invite)
  var answer = AnswerFriend()
  answer.player = one.1.player
  answer.accept = true
  for await event in other.client.events where event.kind == FriendInvitation.opcode { break }
  _ = try await other.client.call(answer)
  for await event in one.client.events where event.kind == FriendAccepted.opcode { break }
}

extension ServiceStatus {
  /// The value of a metric, and of a series of it.
  subscript(_ metric: String, label: String = "") -> UInt64? {
    metrics.first { $0.name == metric && $0.label == label }?.value
  }
}

/// Reads a player's events one after the other.
@MainActor
final class EventReader {
  private let client: MusterClient
  private var place: StreamPlace?

  init(_ client: MusterClient) { self.client = client }

  /// The next event of a kind; nil when the client was closed.
  func next<Told: Wire.Event>(_ kind: Told.Type) async -> Told? {
    for await event in client.events(after: place) {
      place = event.place
      if let told = event.decode(kind) { return told }
    }
    return nil
  }
}

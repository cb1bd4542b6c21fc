package import Foundation
package import Stack

/// An attack by `Attack/attack.c`, and what is asked of the server beside it.
package struct HostileAttack: Sendable {
  package enum Goal: Sendable {
    /// Whoever does this can be cut off, so that the players hardly notice.
    case cutOff
    /// The same, but the attacker takes processor time of this machine for its own, to connect
    /// again and again. How much that is to the players is seen where the C server is attacked.
    case cutOffBesideItsOwnShare
    /// Nobody can tell who does this from players who come: the players keep their share.
    case fairShare
  }

  package var name: String
  package var kind: String
  package var goal: Goal
  /// How many of 127.1.0.1 and the addresses after it take part.
  package var hosts = 1
  package var connections: Int
  /// Connections made in a second; nil makes each again as soon as it has ended.
  package var rate: Int?
  /// What players send who are signed in.
  package var call: ScriptedLoad.Frames?

  package static let all = [
    HostileAttack(
      name: "keyupdates", kind: "keyupdates", goal: .cutOffBesideItsOwnShare, connections: 16),
    HostileAttack(
      name: "silent", kind: "silent", goal: .cutOff, connections: openMax, rate: 2_000),
    HostileAttack(
      name: "silent-many", kind: "silent", goal: .cutOff, hosts: 64, connections: openMax,
      rate: 2_000),
    HostileAttack(
      name: "onebyte", kind: "onebyte", goal: .cutOff, hosts: 64, connections: openMax,
      rate: 2_000),
    HostileAttack(
      name: "hello", kind: "hello", goal: .fairShare, hosts: 64, connections: openMax,
      rate: 2_000),
    HostileAttack(
      name: "hangup", kind: "hangup", goal: .fairShare, hosts: 64, connections: openMax,
      rate: 2_000),
    HostileAttack(
      name: "deaf", kind: "deaf", goal: .cutOffBesideItsOwnShare, connections: 1_000, call: .half),
    HostileAttack(name: "large", kind: "flood", goal: .cutOff, connections: 64, call: .large),
    HostileAttack(
      name: "handshakes", kind: "handshakes", goal: .cutOffBesideItsOwnShare, connections: 32),
    HostileAttack(
      name: "handshakes-many", kind: "handshakes", goal: .fairShare, hosts: 256, connections: 256),
  ]

  /// More than the system lets a process have; the attack takes what it gets.
  private static let openMax = 1_000_000

  /// It takes places for handshakes, and nothing else.
  package var onlyConnects: Bool {
    ["silent", "onebyte", "hello", "hangup"].contains(kind)
  }

  /// What the attack says of itself at its end.
  package struct Report: Decodable, Sendable {
    package var seconds, connects, failed, handshakes, signed_in, refused, sent, bytes: Double
    /// Connections that the server has ended, and that the attack itself has for want of room.
    package var ended, dropped: Double
    package var open: Double

    package var text: String {
      let parts = [
        ("connections", connects), ("handshakes", handshakes), ("signed in", signed_in),
        ("refused", refused), ("sent", sent), ("ended by the server", ended),
        ("could not connect", failed),
        ("given up for others, as the system has no descriptors for more", dropped),
        ("open at its end", open),
      ]
      return parts.filter { $0.1 > 0 }.map { String(format: "%.0f %@", $0.1, $0.0) }
        .joined(separator: ", ")
    }
  }

  /// An attack that could not even begin, such as one whose players cannot sign in, shows nothing.
  package func expectDone(_ did: Report, _ attacker: ServerProcess) throws {
    let done =
      switch kind {
      case _ where onlyConnects: did.connects
      case "handshakes": did.handshakes
      default: did.sent
      }
    if done == 0 {
      throw BenchFailure("There was no attack, but \(did.text). \(attacker.errors)")
    }
  }

  /// Begins the attack, which goes on until SIGTERM, or for so many seconds.
  ///
  /// - Parameter accounts: frames of as many players as there are connections, for an attack whose
  ///   players sign in.
  package func start(
    _ programs: URL, port: UInt16, _ accounts: ScriptedLoad?, seconds: Int = 0
  ) throws -> ServerProcess {
    var arguments = [
      "--kind", kind, "--port", "\(port)", "--hosts", "\(hosts)",
      "--connections", "\(connections)", "--rate", "\(rate ?? 0)", "--seconds", "\(seconds)",
    ]
    if let call, let accounts {
      arguments += ["--openings", accounts.path(.openings), "--call", accounts.path(call)]
    }
    return try Commands.start(programs.appendingPathComponent("attack").path, arguments)
  }

  /// Signs up the players of an attack whose players sign in.
  package func accounts(on stack: Stack, programs: URL) async throws -> ScriptedLoad? {
    guard call != nil else { return nil }
    var load = Load()
    load.play = .idle
    load.connections = connections
    return try await ScriptedLoad(load, on: stack, programs: programs)
  }
}

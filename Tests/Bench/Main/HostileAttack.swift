import BenchStack
import Foundation
import Stack

/// An attack by `Attack/attack.c`, and what is asked of the server beside it.
struct HostileAttack: Sendable {
  enum Goal: Sendable {
    /// Whoever does this can be cut off, so that the players hardly notice.
    case cutOff
    /// The same, but the attacker takes processor time of this machine for its own, to connect again
    /// and again. How much that is to the players is seen where the C server is attacked.
    case cutOffBesideItsOwnShare
    /// Nobody can tell who does this from players who come: the players keep their share.
    case fairShare
  }

  var name: String
  var kind: String
  var goal: Goal
  /// How many of 127.1.0.1 and the addresses after it take part.
  var hosts = 1
  var connections: Int
  /// Connections made in a second; nil makes each again as soon as it has ended.
  var rate: Int?
  /// What players send who are signed in.
  var call: ScriptedLoad.Frames?

  static let all = [
    HostileAttack(
      name: "keyupdates", kind: "keyupdates", goal: .cutOffBesideItsOwnShare, connections: 16),
    HostileAttack(
      name: "silent", kind: "silent", goal: .cutOff, connections: openMax, rate: 2_000),
    HostileAttack(
      name: "silent-many", kind: "silent", goal: .cutOff, hosts: 64, connections: openMax,
      rate: 2_000),
    HostileAttack(name: "deaf", kind: "deaf", goal: .cutOff, connections: 1_000, call: .half),
    HostileAttack(name: "large", kind: "flood", goal: .cutOff, connections: 64, call: .large),
    HostileAttack(
      name: "handshakes", kind: "handshakes", goal: .cutOffBesideItsOwnShare, connections: 32),
    HostileAttack(
      name: "handshakes-many", kind: "handshakes", goal: .fairShare, hosts: 256, connections: 256),
  ]

  /// More than the system lets a process have; the attack takes what it gets.
  private static let openMax = 1_000_000

  /// What the attack says of itself at its end.
  struct Report: Decodable, Sendable {
    var seconds, connects, failed, handshakes, signed_in, refused, sent, bytes: Double
    /// Connections that the server has ended, and that the attack itself has for want of room.
    var ended, dropped: Double
    var open: Double

    var text: String {
      let parts = [
        ("connections", connects), ("handshakes", handshakes), ("signed in", signed_in),
        ("refused", refused), ("sent", sent), ("ended by the server", ended),
        ("could not connect", failed), ("given up for others", dropped), ("open at its end", open),
      ]
      return parts.filter { $0.1 > 0 }.map { String(format: "%.0f %@", $0.1, $0.0) }
        .joined(separator: ", ")
    }
  }

  /// An attack that could not even begin, such as one whose players cannot sign in, shows nothing.
  func expectDone(_ did: Report, _ attacker: ServerProcess) throws {
    let done = kind == "silent" ? did.connects : kind == "handshakes" ? did.handshakes : did.sent
    if done == 0 {
      throw BenchFailure("There was no attack, but \(did.text). \(attacker.errors)")
    }
  }

  func start(_ programs: URL, port: UInt16, _ accounts: ScriptedLoad?) throws -> ServerProcess {
    var arguments = [
      "--kind", kind, "--port", "\(port)", "--hosts", "\(hosts)",
      "--connections", "\(connections)", "--rate", "\(rate ?? 0)",
    ]
    if let call, let accounts {
      arguments += ["--openings", accounts.path(.openings), "--call", accounts.path(call)]
    }
    return try Commands.start(programs.appendingPathComponent("attack").path, arguments)
  }
}

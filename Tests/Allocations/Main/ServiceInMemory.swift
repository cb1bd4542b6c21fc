import Domain
import ServiceKit
import Storage
import Transport
import Wire

/// A service's process on this loop, and a gateway's link to it.
final class ServiceInMemory {
  private static let now: Int64 = 1_700_000_000_000
  let link: Link
  private let node: ServiceNode
  private let committer: Committer

  init<Core: ServiceCore>(_ core: Core, on loop: Loop) throws {
    let store = MemoryStore(Engine.tables(of: Core.self))
    let engine = Engine(
      core: core, partition: .whole, store: store.storeID, lastBatch: 0, lastTime: 0,
      clock: 0, random: .seeded(1))
    try engine.load(store.load)
    var committed: (UInt64) -> Void = { _ in }
    let mailbox = loop.mailbox { (number: UInt64) in committed(number) }
    let committer = Committer(
      store: store, callbacks: .init(committed: { number, _ in mailbox.send(number) }))
    let peers = Peers(links: [:], here: (Core.service, .whole))
    let node = ServiceNode(
      loop: loop, engine: engine, store: store, committer: committer, peers: peers,
      log: Log(source: "allocations", level: .error), clock: { Self.now },
      steadyClock: SteadyClock(
        time: Self.now, microseconds: ProcessShell.steadyMicroseconds()))
    committed = { node.committed($0) }
    self.node = node
    self.committer = committer
    let port = LocalPort(on: loop) { node.accept($0) }
    link = Link(
      on: loop, to: port, peerName: PeerRole.certificateName(of: .gateway))
    node.start()
  }
}

extension ServiceEnvelope {
  /// A call of a player of the game "game".
  init(_ player: PlayerID, at key: RoutingKey, counter: UInt64 = 0, session: UInt64 = 0) {
    self.init()
    principal = Principal(
      kind: .player, game: "game", player: player, device: DeviceID(reinterpreting: player))
    routingKey = key
    idempotency = IdempotencyKey(instance: player.low, counter: counter, floor: counter)
    self.session = session
  }
}

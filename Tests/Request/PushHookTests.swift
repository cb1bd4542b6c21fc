import Domain
import LocalServer
import Locking
import Operations
import Outgoing
import ServiceKit
import Storage
import TestKit
import Testing
import Transport
import Wire

@testable import RequestCore
@testable import muster_request

/// The push hook of a process, with a real endpoint and a store in memory.
@Suite struct PushHookTests {
  /// What ends with the loop.
  private final class Life {
    let node: ServiceNode
    let hook: PushHook
    let committer: Committer

    init(_ store: MemoryStore, _ plan: PushHookPlan, now: Int64, on loop: Loop) throws {
      let core = RequestCore()
      hook = PushHook(plan, of: core)
      let engine = Engine(
        core: core, partition: .whole, store: store.storeID, lastBatch: store.lastBatch,
        lastTime: store.lastTime, clock: now, random: .seeded(1))
      try engine.load(store.load)
      var committed: (UInt64) -> Void = { _ in }
      let mailbox = loop.mailbox { (number: UInt64) in committed(number) }
      committer = Committer(
        store: store, callbacks: .init(committed: { number, _ in mailbox.send(number) }))
      let node = ServiceNode(
        loop: loop, engine: engine, store: store, committer: committer,
        peers: Peers(links: [:], here: (.request, .whole)),
        log: Log(source: "test", level: .error), clock: { now },
        steadyClock: SteadyClock(time: now, microseconds: ProcessShell.steadyMicroseconds()),
        metrics: Metrics(.service + .push))
      committed = { [unowned node] in node.committed($0) }
      self.node = node
      node.start()
      hook.start(on: node)
    }
  }

  private let world = World()

  /// A store with what `world` has written.
  private func store() throws -> MemoryStore {
    var changes = RowChanges()
    func add<R: Row>(_ type: R.Type) throws {
      for row in world.driver.rows[R.tableID, default: [:]].values {
        changes.put(try R(decoding: row))
      }
    }
    try add(PlayerRow.self)
    try add(PlayerGameRow.self)
    try add(StreamRow.self)
    try add(EventRow.self)
    try add(PushQueueRow.self)
    let store = MemoryStore(Engine.tables(of: RequestCore.self))
    try store.commit(Batch(number: 1, changes: changes), time: world.driver.clock)
    return store
  }

  private func plan(_ server: TestServer) throws -> PushHookPlan {
    let request = try Configuration.read(
      PushHookPlan.companion.settings,
      arguments: [
        "--push-hook", "\(server.url)/hook", "--push-hook-authority", TestAuthority.shared.file,
        "--push-hook-secret", "whsec_" + String(repeating: "AAAA", count: 10),
      ], environment: [:])
    guard case .run(let configuration) = request else { throw Failure(.malformed, "no run") }
    return try #require(try PushHookPlan(configuration))
  }

  /// The acknowledged ones stand first, and are more than one read finds.
  @Test("2.8 a process that starts sends what waits, after what was acknowledged is removed")
  func starts() async throws {
    let anna = try world.player(1, session: 1)
    world.driver.close(session: 1)
    world.driver.core.eventQueued = { _ in }
    try world.append(300, to: anna)
    world.driver.clock += 1000
    let trace = TraceID(high: 3, low: 5)
    try world.append(10, to: anna, trace: trace)
    var acknowledge = Acknowledge()
    acknowledge.through = 300
    try world.call(acknowledge, as: anna, game: "game")
    let unread = try Set(world.stream(of: anna).filter { $0.sequence > 300 }.map(\.id.description))
    #expect(unread.count == 10)

    let store = try store()
    let range = ColdRange(
      table: PushQueueRow.tableID, from: PushQueueKey().keyBytes, through: [0xff], limit: 1000)
    #expect(try store.read(range).count == 310)
    let (taken, rowCounts) = (Locked<[String]>([]), Locked<[Int]>([]))
    let traces = Locked<Set<String?>>([])
    let done = Promise<Void>()
    let server = TestServer.start { request in
      let rows = try? store.read(range)
      rowCounts.withLock { $0.append(rows?.count ?? .max) }
      traces.withLock { _ = $0.insert(request.headers["muster-trace"]) }
      let count = taken.withLock { taken in
        taken.append(request.headers["webhook-id"] ?? "")
        return taken.count
      }
      if count == unread.count { done.set(()) }
      return [.answer(204)]
    }
    let (plan, now) = (try plan(server), world.driver.clock)
    let thread = LoopThread(name: "test")
    try await thread.run { loop in loop.keep(try Life(store, plan, now: now, on: loop)) }
    await done.value
    await thread.run { loop in loop.keptObject(Life.self)?.hook.stop() }
    thread.stop()
    await thread.stopped()
    server.stop()
    #expect(Set(taken.withLock { $0 }) == unread)
    #expect(traces.withLock { $0 } == [trace.description])
    #expect(rowCounts.withLock { $0.allSatisfy { $0 <= unread.count } })
  }
}

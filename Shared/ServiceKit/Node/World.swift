package import Domain
package import Storage
package import Wire

/// What an `EngineRunner` needs of the world: time, a store, other processes and clients. A
/// `ServiceNode` gives it the real ones, and the simulation makes them from a seed.
package protocol World: AnyObject {
  /// The wall clock, in milliseconds since 1970.
  var clock: Int64 { get }
  /// A clock that only goes forward, for how long something takes.
  var microseconds: UInt64 { get }
  /// The same in milliseconds, as of the start of this turn: it costs no look at a clock.
  var milliseconds: UInt64 { get }
  /// Runs `body` in this turn, before anything else comes in.
  func atEndOfTurn(_ body: @escaping () -> Void)
  func after(_ milliseconds: UInt64, _ body: @escaping () -> Void)
  /// Hands a batch to the committer; `EngineRunner.committed` is called when it is durable.
  func submit(_ batch: Batch, time: Int64)
  /// Reads cold rows as of the last durable batch; `done` runs later, on the loop.
  func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void)
  /// Nil for a service that the deployment leaves out.
  func address(_ service: Service, slot: Int) -> Peers.Address?
  func isHere(_ address: Peers.Address) -> Bool
  /// Calls another process; `done` runs exactly once, not from inside this call.
  func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void)
  func push(_ push: Push)
}

extension World {
  package var milliseconds: UInt64 { microseconds / 1000 }
}

import Locking
public import Transport
public import Wire

/// Tells the log which processes of services are there and which are lost, for all loops of a
/// process.
///
/// Loops lock it when a link opens or ends, and one of them once a second.
public final class ServiceWatches: Sendable {
  private static let lookMilliseconds: UInt64 = 1_000

  private let log: Log
  private let counts: [Service: Int]
  private let watches: Locked<[ProcessAddress: ServiceWatch]>

  /// - Parameters:
  ///   - counts: how many processes of each service there are links to.
  ///   - loops: how many loops have a link to each.
  public init(
    _ counts: [Service: Int], loops: Int = 1, log: Log, now: UInt64
  ) {
    self.log = log[.services]
    self.counts = counts
    var watches: [ProcessAddress: ServiceWatch] = [:]
    for (service, count) in counts {
      for partition in 0..<count {
        watches[ProcessAddress(service: service, partition: partition)] = ServiceWatch(
          links: 1...loops, now: now)
      }
    }
    self.watches = Locked(watches)
  }

  /// Looks at all of them from now on, for as long as the loop runs.
  public func start(on loop: Loop) {
    loop.every(Self.lookMilliseconds) { [self, unowned loop] in
      look(now: loop.monotonicMilliseconds)
    }
  }

  func look(now: UInt64) {
    let notes = watches.withLock { watches in
      watches.keys.sorted { $0.description < $1.description }.compactMap { address in
        watches[address]?.look(now: now).map { (address, $0) }
      }
    }
    for (address, note) in notes { write(note, address) }
  }

  public func opened(_ address: ProcessAddress, loop number: Int, now: UInt64) {
    watches.withLock { $0[address]?.opened(number, now: now) }
  }

  /// - Parameter wasServed: whether the peer had sent something over the connection that ended.
  public func failed(
    _ address: ProcessAddress, loop number: Int, _ reason: CloseReason, wasServed: Bool,
    now: UInt64
  ) {
    let note = watches.withLock {
      $0[address]?.failed(number, reason, wasServed: wasServed, now: now)
    }
    if let note { write(note, address) }
  }

  private func write(_ note: ServiceWatch.Note, _ address: ProcessAddress) {
    let name = address.service.name
    let partition = "\(address.partition + 1)/\(counts[address.service] ?? 1)"
    switch (note.reason?.text, note.seconds) {
    case (let reason?, let seconds?):
      log.write(
        note.level, note.event,
        [
          "service": name, "partition": partition, "reason": reason, "seconds": "\(seconds)",
        ])
    case (let reason?, nil):
      log.write(
        note.level, note.event, ["service": name, "partition": partition, "reason": reason])
    case (nil, let seconds?):
      log.write(
        note.level, note.event,
        ["service": name, "partition": partition, "seconds": "\(seconds)"])
    case (nil, nil):
      log.write(note.level, note.event, ["service": name, "partition": partition])
    }
  }
}

extension Link {
  /// Tells the watches of every attempt that fails and every connection that ends. Whoever hears of
  /// changes of the link's state tells them of those that open.
  public func report(to watches: ServiceWatches, _ address: ProcessAddress, loop number: Int) {
    onAttemptFailed = { [unowned self] reason in
      watches.failed(
        address, loop: number, reason, wasServed: wasServed, now: loop.monotonicMilliseconds)
    }
  }
}

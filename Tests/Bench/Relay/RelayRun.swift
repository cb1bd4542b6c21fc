import ServiceKit
import Transport
import Wire

/// Signs players in, a few at a time, opens their matches, and lets them play for the time planned.
final class RelayRun {
  /// Rooms that are opened side by side.
  private static let startingMax = 8
  /// What comes late still counts as delivered, so that only what is lost is lost.
  private static let settleMilliseconds: UInt64 = 1_000

  private let loop: Loop
  private let plan: RelayPlan
  private let report = RelayReport()
  private let rooms: [[RelayPlayer]]
  private let opener: RelayOpener
  private let done: (Result<String, ProcessShell.Fatal>) -> Void
  private var started = 0
  private var ready = 0
  private var watch: LoopTimer?
  private var ticker: LoopTimer?
  /// When each player sends next, of rooms; in microseconds.
  private var due: [UInt64] = []

  init(
    loop: Loop, plan: RelayPlan, done: @escaping (Result<String, ProcessShell.Fatal>) -> Void
  ) throws {
    self.loop = loop
    self.plan = plan
    self.done = done
    let tls = try TLSClientContext(trust: .authority(plan.authority), serverName: "localhost")
    opener = try RelayOpener(loop: loop, plan: plan)
    rooms = (0..<plan.rooms).map { [report] _ in
      (0..<plan.size).map { _ in RelayPlayer(loop: loop, plan: plan, tls: tls, report: report) }
    }
  }

  func start() {
    for _ in 0..<min(Self.startingMax, rooms.count) { startNext() }
    watch = loop.every(100) { [self] in
      if let failure = report.failure { finish(.failure(.init(.software, failure))) }
    }
  }

  private func startNext() {
    guard started < rooms.count else { return }
    let players = rooms[started]
    started += 1
    var left = players.count
    for player in players {
      player.begin { [self] in
        left -= 1
        if left == 0 { opener.open(players, report) { [self] in didStart() } }
      }
    }
  }

  private func didStart() {
    ready += 1
    if ready < rooms.count { startNext() } else { measure() }
  }

  private func measure() {
    report.open()
    switch plan.kind {
    case .roundTrip: for players in rooms { bounce(players[0], players[1]) }
    case .flood:
      for players in rooms {
        flood(players[0], players[1])
        flood(players[1], players[0])
      }
    case .rooms: tick()
    }
    loop.after(UInt64(plan.seconds) * 1000) { [self] in
      ticker?.cancel()
      report.close()
      loop.after(Self.settleMilliseconds) { [self] in finish(.success(report.json)) }
    }
  }

  private func finish(_ result: Result<String, ProcessShell.Fatal>) {
    watch?.cancel()
    done(result)
  }

  // MARK: What players do

  private func bounce(_ one: RelayPlayer, _ other: RelayPlayer) {
    other.onData = { [unowned other, plan] in other.send($0, isReliable: plan.isReliable) }
    one.onData = { [unowned one, self] payload in
      took(payload)
      if report.isOpen { one.send(stamped(), isReliable: plan.isReliable) }
    }
    one.send(stamped(), isReliable: plan.isReliable)
  }

  private func flood(_ player: RelayPlayer, _ other: RelayPlayer) {
    other.onData = { [unowned player, unowned self] in
      took($0)
      player.underWay -= 1
      fill(player)
    }
    fill(player)
  }

  private func fill(_ player: RelayPlayer) {
    while report.isOpen, player.underWay < plan.depth {
      player.underWay += 1
      player.send(stamped(), isReliable: true)
    }
  }

  /// The players' moments are spread over the time between two of one player's messages.
  private func tick() {
    let players = Array(rooms.joined())
    let interval = 1_000_000 / UInt64(plan.rate)
    let now = loop.monotonicMicroseconds
    due = players.indices.map {
      now + interval * UInt64($0 * 7_919 % players.count)
        / UInt64(players.count)
    }
    for player in players { player.onData = { [unowned self] in took($0) } }
    ticker = loop.every(1) { [unowned self] in
      let now = loop.monotonicMicroseconds
      for (index, player) in players.enumerated() where due[index] <= now {
        // What the load is late counts: it is the time from when the message was due.
        player.send(stamped(due[index]), isReliable: plan.isReliable)
        due[index] += interval
      }
    }
  }

  /// A message that begins with the time.
  private func stamped(_ time: UInt64? = nil) -> [UInt8] {
    var writer = Writer(capacity: plan.payload)
    (time ?? loop.monotonicMicroseconds).encode(to: &writer)
    if plan.payload > 8 { writer.raw([UInt8](repeating: 1, count: plan.payload - 8)) }
    return writer.bytes
  }

  private func took(_ payload: [UInt8]) {
    if case .success(let time) = Reader.read(payload, { UInt64.decode(from: &$0) }) {
      let now = loop.monotonicMicroseconds
      report.delivered(microseconds: now - min(time, now))
    }
  }
}

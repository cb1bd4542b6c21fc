import Foundation
import ServiceKit
import Transport
import Wire

/// Signs players in, a few at a time, opens their matches, and lets them play for the time planned.
final class RelayRun {
  /// Rooms that are opened side by side.
  private static let startingMax = 8
  /// How long the run waits for what has not come when it ends. Of reliable data all comes, so that
  /// only what is lost is missing.
  private static let settleMilliseconds: (reliable: UInt64, unreliable: UInt64) = (10_000, 1_000)

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
    say("measuring")
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
      say("measured")
      settle()
    }
  }

  private func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// Ends when all has come that was sent, or a time has passed.
  private func settle() {
    let wait = Self.settleMilliseconds
    let end = loop.monotonicMilliseconds + (plan.isReliable ? wait.reliable : wait.unreliable)
    ticker = loop.every(20) { [self] in
      guard hasAll || loop.monotonicMilliseconds >= end else { return }
      ticker?.cancel()
      finish(.success(report.json))
    }
  }

  private var hasAll: Bool {
    switch plan.kind {
    // A message back and forth is delivered once.
    case .roundTrip: report.deliveredCount * 2 >= report.sentCount
    case .flood: report.deliveredCount >= report.sentCount
    case .rooms: report.deliveredCount >= report.sentCount * UInt64(plan.size - 1)
    }
  }

  private func finish(_ result: Result<String, ProcessShell.Fatal>) {
    watch?.cancel()
    done(result)
  }

  // MARK: What players do

  private func bounce(_ one: RelayPlayer, _ other: RelayPlayer) {
    other.onData = { [unowned other] in other.send(time: $0) }
    one.onData = { [unowned one, self] time in
      took(time)
      if report.isOpen { one.send(time: loop.monotonicMicroseconds) }
    }
    one.send(time: loop.monotonicMicroseconds)
  }

  private func flood(_ player: RelayPlayer, _ other: RelayPlayer) {
    other.onData = { [unowned player, unowned self] in
      player.underWay -= 1
      fill(player, now: took($0))
    }
    fill(player, now: loop.monotonicMicroseconds)
  }

  private func fill(_ player: RelayPlayer, now: UInt64) {
    while report.isOpen, player.underWay < plan.depth {
      player.underWay += 1
      player.send(time: now)
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
        player.send(time: due[index])
        due[index] += interval
      }
    }
  }

  /// A message has come that was sent at that time. Returns the present one.
  @discardableResult
  private func took(_ time: UInt64) -> UInt64 {
    let now = loop.monotonicMicroseconds
    report.delivered(microseconds: now - min(time, now))
    return now
  }
}

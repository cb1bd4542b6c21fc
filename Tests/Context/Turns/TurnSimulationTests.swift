import ContextCore
import Domain
import Foundation
import Operations
import TestKit
import Testing
import Wire

@Suite(.inTurn) struct TurnSimulationTests {
  /// `MUSTER_TURN_SEEDS=1000` for more.
  static let seedCount =
    ProcessInfo.processInfo.environment["MUSTER_TURN_SEEDS"].flatMap { UInt64($0) } ?? 60

  @Test("1.9 1.11 random calls of all players agree with a slow model, and nobody is told a secret")
  func seeds() throws {
    for seed in 1...Self.seedCount {
      if let fault = Self.run(seed) {
        Issue.record("seed \(seed): \(fault)")
        return
      }
    }
  }

  private static func run(
    _ seed: UInt64, sabotage: ((inout TurnSimulation.Rows) -> Bool)? = nil
  ) -> String? {
    do {
      let simulation = try TurnSimulation(seed: seed)
      do {
        try simulation.run(calls: 150, sabotage: sabotage)
        return nil
      } catch {
        return "\(error)\n\(simulation.log.suffix(12).joined(separator: "\n"))"
      }
    } catch {
      return "\(error)"
    }
  }

  /// Seeds until one notices what was done to the rows.
  private func expectNoticed(_ sabotage: @escaping (inout TurnSimulation.Rows) -> Bool) {
    var doneCount = 0
    for seed in UInt64(1)...40 {
      var isDone = false
      let fault = Self.run(seed) { rows in
        isDone = sabotage(&rows)
        return isDone
      }
      if isDone { doneCount += 1 }
      if isDone && fault != nil { return }
    }
    Issue.record("nothing was noticed, although it was done \(doneCount) times")
  }

  @Test("1.9 canary: a move that is lost is noticed")
  func lostMove() {
    expectNoticed { rows in
      guard let key = rows[33]?.keys.max(by: { $0.lexicographicallyPrecedes($1) }) else {
        return false
      }
      rows[33]?[key] = nil
      return true
    }
  }

  @Test("1.9 canary: a move that is applied twice is noticed")
  func doubledMove() {
    expectNoticed { rows in
      let key = rows[33]?.keys.max { $0.lexicographicallyPrecedes($1) }
      guard let key, let bytes = rows[33]?[key], rows[32]?.count == 1 else { return false }
      // The index is the eight bytes behind the context and the number.
      var copy = bytes
      copy[27] &+= 1
      rows[33]?[Array(copy.prefix(29))] = copy
      return true
    }
  }

  @Test("1.9 canary: an older state under a newer version is noticed")
  func olderState() {
    expectNoticed { rows in
      let keys = (rows[34] ?? [:]).keys.filter { $0.last == 255 }
        .sorted { $0.lexicographicallyPrecedes($1) }
      guard keys.count > 2, let older = rows[34]?[keys[keys.count - 2]], let last = keys.last else {
        return false
      }
      rows[34]?[last] = last + older.dropFirst(last.count)
      return true
    }
  }

  @Test("1.11 canary: a hidden state that is told to another player is noticed")
  func leakedHidden() {
    expectNoticed { rows in
      let keys = (rows[34] ?? [:]).keys.filter { $0.last != 255 }
        .sorted { $0.lexicographicallyPrecedes($1) }
      guard let key = keys.last, let bytes = rows[34]?[key] else { return false }
      for other in rows[34]?.keys.filter({ $0.last == 255 }) ?? [] {
        rows[34]?[other] = other + bytes.dropFirst(other.count)
      }
      return true
    }
  }

  @Test("1.11 canary: a sealed move that is read before its round is over is noticed")
  func leakedSealed() {
    expectNoticed { rows in
      guard let sealed = rows[35]?.values.min(by: { $0.lexicographicallyPrecedes($1) }),
        let row = rows[35]?.keys.min(by: { $0.lexicographicallyPrecedes($1) }),
        let key = rows[34]?.keys.filter({ $0.last == 255 && $0.prefix(16) == row.prefix(16) })
          .max(by: { $0.lexicographicallyPrecedes($1) }), let state = rows[34]?[key]
      else { return false }
      // The state takes the place of the sealed payload's bytes.
      var writer = Writer()
      Bytes(Array(sealed.suffix(8))).encode(to: &writer)
      rows[34]?[key] = Array(state.prefix(29 + 16)) + writer.bytes
      return true
    }
  }

  @Test("1.9 canary: a time-out that never comes is noticed")
  func lostTimer() {
    expectNoticed { rows in
      guard rows[TimerRow.tableID]?.isEmpty == false else { return false }
      rows[TimerRow.tableID] = [:]
      return true
    }
  }

  @Test("1.9 canary: an answer in an exchange that is lost is noticed")
  func lostWords() {
    expectNoticed { rows in
      guard let row = rows[37]?.keys.max(by: { $0.lexicographicallyPrecedes($1) }) else {
        return false
      }
      rows[37]?[row] = nil
      return true
    }
  }

  @Test("1.9 the random calls take open seats, and complete and resolve exchanges")
  func coverage() throws {
    var counts: [String: Int] = [:]
    for seed in UInt64(1)...30 {
      let simulation = try TurnSimulation(seed: seed)
      try simulation.run(calls: 100)
      for (what, count) in simulation.counts { counts[what, default: 0] += count }
    }
    for what in ["taken", "answered", "complete", "resolved", "left"] {
      #expect(counts[what, default: 0] > 0, "\(what)")
    }
  }

  @Test("1.11 canary: conditional moves that are lost are noticed")
  func lostLines() {
    expectNoticed { rows in
      guard rows[36]?.isEmpty == false else { return false }
      rows[36] = [:]
      return true
    }
  }
}

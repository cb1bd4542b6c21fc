import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// A gate whose batches are committed when the test says so.
private final class Disk {
  var submitted: [Batch] = []
  var times: [Int64] = []
  var started = 0
  var told: [String] = []
  private(set) lazy var gate = CommitGate(
    lastBatch: 10,
    submit: { [unowned self] batch, time in
      submitted.append(batch)
      times.append(time)
    }, startBatch: { [unowned self] _ in started += 1 })

  func pass(_ name: String, _ changes: RowChanges = RowChanges(), slot: Int, time: Int64 = 0) {
    gate.pass(changes, slot: slot, time: time) { [unowned self] in told.append(name) }
  }

  static func outcome(_ slot: Int, _ changes: RowChanges, time: Int64 = 0) -> Outcome {
    var outcome = Outcome(answer: .reply([]), slot: slot)
    outcome.changes = changes
    outcome.time = time
    return outcome
  }

  static func change(_ number: UInt64) -> RowChanges {
    var changes = RowChanges()
    changes.remove(OutboxRow.self, OutboxKey(slot: 0, sequence: number))
    return changes
  }
}

@Suite struct CommitGateTests {
  private let disk = Disk()

  @Test("7.1 an output waits for its own changes")
  func waits() {
    disk.pass("reply", Disk.change(1), slot: 3, time: 5)
    #expect(disk.told.isEmpty && !disk.gate.isIdle)
    disk.gate.commit()
    #expect(disk.submitted == [Batch(number: 11, changes: Disk.change(1))])
    #expect(disk.times == [5] && disk.started == 1 && disk.told.isEmpty)
    disk.gate.committed(11)
    #expect(disk.told == ["reply"] && disk.gate.isIdle)
  }

  @Test("an output that waits for all that was done so far holds up no other")
  func whenDurable() {
    func whenDurable(_ name: String) {
      disk.gate.whenDurable { [disk] in disk.told.append(name) }
    }
    whenDurable("nothing open")
    #expect(disk.told == ["nothing open"])
    disk.pass("one", Disk.change(1), slot: 3)
    whenDurable("behind one")
    disk.gate.commit()
    whenDurable("behind one, too")
    disk.pass("two", Disk.change(2), slot: 4)
    whenDurable("behind two")
    disk.pass("a read elsewhere", slot: 5)
    #expect(disk.told.dropFirst() == ["a read elsewhere"])
    disk.gate.committed(11)
    #expect(disk.told.dropFirst(2) == ["one", "behind one", "behind one, too"])
    disk.gate.commit()
    disk.gate.committed(12)
    #expect(disk.told.dropFirst(5) == ["two", "behind two"])
  }

  @Test("an output that may concern any slot keeps its place among those of each slot")
  func orderOverSlots() {
    func passAll(_ name: String) {
      disk.gate.passAll { [disk] in disk.told.append(name) }
    }
    passAll("nothing open")
    #expect(disk.told == ["nothing open"])
    disk.pass("joined", Disk.change(1), slot: 3)
    passAll("gone")
    disk.pass("back", slot: 4)
    #expect(disk.told == ["nothing open"])
    disk.gate.commit()
    passAll("gone in flight")
    disk.pass("back in flight", slot: 5)
    #expect(disk.told == ["nothing open"])
    disk.gate.committed(11)
    #expect(
      disk.told.dropFirst() == ["joined", "gone", "back", "gone in flight", "back in flight"])
  }

  @Test("an output that changed nothing leaves at once, unless its slot has open changes")
  func reads() {
    disk.pass("read before", slot: 3)
    #expect(disk.told == ["read before"])
    disk.pass("write", Disk.change(1), slot: 3)
    disk.pass("read", slot: 3)
    disk.pass("read elsewhere", slot: 4)
    #expect(disk.told == ["read before", "read elsewhere"])
    disk.gate.commit()
    disk.pass("read in flight", slot: 3)
    #expect(disk.told.count == 2)
    disk.gate.committed(11)
    #expect(disk.told.suffix(3) == ["write", "read", "read in flight"])
  }

  @Test("what comes during a commit makes one next batch")
  func groups() {
    disk.pass("first", Disk.change(1), slot: 1)
    disk.gate.commit()
    disk.pass("second", Disk.change(2), slot: 2)
    disk.pass("third", Disk.change(3), slot: 3)
    disk.gate.committed(11)
    #expect(disk.told == ["first"] && disk.submitted.count == 1)
    disk.gate.commit()
    #expect(disk.submitted.map(\.number) == [11, 12])
    var both = Disk.change(2)
    both.append(Disk.change(3))
    #expect(disk.submitted.last?.changes == both)
    disk.gate.committed(12)
    #expect(disk.told == ["first", "second", "third"] && disk.gate.isIdle)
  }

  @Test("changes of any slot hold every slot back")
  func all() {
    var outcomes = [Disk.outcome(3, Disk.change(1))]
    #expect(disk.gate.gather(&outcomes))
    disk.gate.passAll { [disk] in disk.told.append("tick") }
    disk.pass("read", slot: 700)
    disk.gate.commit()
    #expect(disk.told.isEmpty)
    disk.gate.committed(11)
    #expect(disk.told == ["tick", "read"])
    disk.gate.passAll { [disk] in disk.told.append("nothing") }
    #expect(disk.told.last == "nothing" && disk.gate.isIdle)
  }

  @Test("7.1 what becomes durable together holds each of its slots back")
  func together() {
    var outcomes = [
      Disk.outcome(3, RowChanges()), Disk.outcome(4, Disk.change(1), time: 7),
      Disk.outcome(5, Disk.change(2), time: 6),
    ]
    #expect(disk.gate.gather(&outcomes) && outcomes.allSatisfy(\.changes.isEmpty))
    for slot in 2...5 { disk.pass("\(slot)", slot: slot) }
    #expect(disk.told == ["2"])
    disk.gate.commit()
    var both = Disk.change(1)
    both.append(Disk.change(2))
    #expect(disk.submitted.map(\.changes) == [both] && disk.times == [7])
    disk.gate.committed(11)
    #expect(disk.told == ["2", "3", "4", "5"])
    #expect(!disk.gate.gather(&outcomes) && disk.gate.isIdle)
  }

  @Test("7.1 what changed nothing together waits for what any of it has seen")
  func seenTogether() {
    disk.pass("changed", Disk.change(1), slot: 4)
    var outcomes = [Disk.outcome(3, RowChanges()), Disk.outcome(4, RowChanges())]
    #expect(!disk.gate.gather(&outcomes))
    disk.pass("told", slot: 3)
    disk.gate.commit()
    #expect(disk.told.isEmpty)
    disk.gate.committed(11)
    #expect(disk.told == ["changed", "told"])
  }

  @Test("a batch without changes, or beside another, and one that was not under way trap")
  func impossible() async {
    await #expect(processExitsWith: .failure) { Disk().gate.commit() }
    await #expect(processExitsWith: .failure) {
      let disk = Disk()
      for number in UInt64(1)...2 {
        disk.pass("change", Disk.change(number), slot: 1)
        disk.gate.commit()
      }
    }
    await #expect(processExitsWith: .failure) { Disk().gate.committed(11) }
  }

  @Test("too much gathered is overload")
  func bounds() {
    #expect(!disk.gate.isOverloaded)
    var row = OutboxRow()
    row.body = Bytes([UInt8](repeating: 0, count: CommitGate.gatheringBytesMax))
    var changes = RowChanges()
    changes.put(row)
    disk.pass("large", changes, slot: 0)
    #expect(disk.gate.isOverloaded)
    disk.gate.commit()
    #expect(!disk.gate.isOverloaded)
  }
}

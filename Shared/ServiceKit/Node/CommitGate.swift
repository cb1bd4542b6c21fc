import Domain
import Storage
import Wire

/// Holds every output back until what it depends on is durable.
///
/// What arrived while a batch was under way forms the next one (group commit), so under load one
/// flush to disk serves many calls. An output waits for the last batch that touched its slot, also
/// when it changed nothing itself: nobody may be told of something that a crash would undo. At any
/// time there are at most two batches that are not durable, the one in flight and the one being
/// gathered, so two lists are all the bookkeeping there is.
final class CommitGate {
  /// Past this size of the batch being gathered, new changes are refused: the disk does not keep
  /// up.
  static let gatheringBytesMax = 8 << 20
  /// Outputs that may wait, those of reads too. They pile up while a disk is full, since a reader
  /// that gave up asks again; at half a kilobyte each this is 64 MiB.
  static let outputsMax = 1 << 17

  private let submit: (Batch, Int64) -> Void
  private let startBatch: (UInt64) -> Void
  private var durable: UInt64
  private var gathering = RowChanges()
  private var gatheringTime: Int64 = 0
  private var gatheringOutputs: [() -> Void] = []
  private var inFlightOutputs: [() -> Void] = []
  private(set) var isCommitting = false
  private var lastBatch = [UInt64](repeating: 0, count: Slot.count)

  /// - Parameters:
  ///   - submit: hands a batch to the committer.
  ///   - startBatch: told the number right before, so that later changes are numbered for the next.
  init(
    lastBatch: UInt64, submit: @escaping (Batch, Int64) -> Void,
    startBatch: @escaping (UInt64) -> Void
  ) {
    durable = lastBatch
    self.submit = submit
    self.startBatch = startBatch
  }

  var isIdle: Bool { !isCommitting && gathering.isEmpty }
  /// True when the next batch has changes.
  var hasGathered: Bool { !gathering.isEmpty }
  var isOverloaded: Bool { gathering.bytes.count > Self.gatheringBytesMax }
  var isFull: Bool { gatheringOutputs.count + inFlightOutputs.count >= Self.outputsMax }

  /// True when all changes of the slot are durable, so that `pass` without changes would not wait.
  func isDurable(slot: Int) -> Bool { lastBatch[slot] <= durable }

  /// True when the batch under way is the last one that changed something of the slot.
  func isUnderWay(slot: Int) -> Bool { isCommitting && lastBatch[slot] == durable + 1 }

  /// Adds the changes of one command on `slot`, and runs `output` when these and every earlier
  /// change of the slot are durable, which may be at once.
  func pass(_ changes: RowChanges, slot: Int, time: Int64, output: @escaping () -> Void) {
    if !changes.isEmpty {
      gathering.append(changes)
      gatheringTime = max(gatheringTime, time)
      lastBatch[slot] = gatheringNumber
    }
    wait(for: lastBatch[slot], output)
  }

  /// Adds the changes of commands that become durable together: what is told of any of their slots
  /// from now on waits for all of them, and for what each of them has seen. Takes the changes out,
  /// so that each outcome can be passed on alone.
  ///
  /// - Returns: false when nothing has changed.
  func gather(_ outcomes: inout [Outcome]) -> Bool {
    let hasChanges = !outcomes.allSatisfy(\.changes.isEmpty)
    for index in outcomes.indices where hasChanges {
      gathering.append(outcomes[index].changes)
      outcomes[index].changes = RowChanges()
      gatheringTime = max(gatheringTime, outcomes[index].time)
    }
    let seen = outcomes.reduce(0) { max($0, lastBatch[$1.slot]) }
    for outcome in outcomes { lastBatch[outcome.slot] = hasChanges ? gatheringNumber : seen }
    return hasChanges
  }

  /// Runs `output` when everything is durable that was done so far, and has every slot's later
  /// output wait behind it.
  func passAll(output: @escaping () -> Void) {
    let newest = gathering.isEmpty ? gatheringNumber - 1 : gatheringNumber
    if newest > durable {
      for slot in lastBatch.indices { lastBatch[slot] = newest }
    }
    wait(for: newest, output)
  }

  /// Runs `output` when everything is durable that was done so far. Other outputs do not wait for
  /// it.
  func whenDurable(_ output: @escaping () -> Void) {
    wait(for: gathering.isEmpty ? gatheringNumber - 1 : gatheringNumber, output)
  }

  /// Submits what was gathered as the next batch.
  func commit() {
    precondition(!isCommitting, "a batch begins while the one before it is under way")
    precondition(!gathering.isEmpty, "a batch without changes begins")
    let batch = Batch(number: gatheringNumber, changes: gathering)
    isCommitting = true
    swap(&inFlightOutputs, &gatheringOutputs)
    gathering = RowChanges()
    startBatch(batch.number)
    submit(batch, gatheringTime)
  }

  /// Sends out what waited for the batch in flight, which is durable now.
  func committed(_ number: UInt64) {
    precondition(isCommitting && number == durable + 1, "batch \(number) was not in flight")
    durable = number
    isCommitting = false
    var outputs: [() -> Void] = []
    swap(&outputs, &inFlightOutputs)
    for output in outputs { output() }
  }

  private var gatheringNumber: UInt64 { durable + (isCommitting ? 2 : 1) }

  private func wait(for batch: UInt64, _ output: @escaping () -> Void) {
    if batch <= durable {
      output()
    } else if isCommitting && batch == durable + 1 {
      inFlightOutputs.append(output)
    } else {
      precondition(
        batch == gatheringNumber && !gathering.isEmpty,
        "an output waits for batch \(batch), which nothing will make durable")
      gatheringOutputs.append(output)
    }
  }
}

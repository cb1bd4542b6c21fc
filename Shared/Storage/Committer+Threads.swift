internal import Locking
import Domain

extension Committer {
  /// What the committing thread runs until `stop` or a failure.
  func commitUntilStopped() {
    while true {
      state.wait { $0.submitted != nil || $0.isStopping || $0.hasFailed }
      guard let (batch, time) = state.withLock({ $0.submitted }) else { return }
      waitForRoomInJournal()
      let result = commitWhenThereIsRoom(batch, time)
      let isFailed = (try? result.get()) == nil
      state.withLock { state in
        precondition(
          state.submitted?.batch.number == batch.number,
          "another batch was submitted while batch \(batch.number) was written")
        state.submitted = nil
        if isFailed { state.hasFailed = true }
        if case .failure(.full) = result { state.abandoned = batch.number }
      }
      state.wake()
      callbacks.committed(batch.number, result)
      if isFailed { return }
    }
  }

  /// Slows the service down while the journal is longer than its bound. Each step of folding wakes
  /// this thread to look again.
  private func waitForRoomInJournal() {
    state.wait { state in
      state.hasFailed || state.isStopping || store.journalBytes <= options.journalBytesMax
    }
  }

  /// Commits the batch, and tries again for as long as the disk is full. `.full` is returned only
  /// when the committer is stopped meanwhile.
  private func commitWhenThereIsRoom(_ batch: Batch, _ time: Int64) -> Result<Void, StoreError> {
    while true {
      do throws(StoreError) {
        let began = ContinuousClock.now
        try store.commit(batch, time: time)
        let took = (ContinuousClock.now - began) / .microseconds(1)
        state.withLock { $0.flushMicroseconds = UInt64(took) }
        noteFull(\.isCommitFull, false)
        return .success(())
      } catch {
        guard error == .full else { return .failure(error) }
        noteFull(\.isCommitFull, true)
        if state.withLock({ $0.isStopping || $0.hasFailed }) { return .failure(.full) }
        state.wait(seconds: options.fullRetrySeconds) { $0.isStopping || $0.hasFailed }
      }
    }
  }

  /// What the folding thread runs until `stop` or a failure. It cleans, too, since nothing can be
  /// folded meanwhile.
  func foldUntilStopped() {
    var cleaning = CleaningPace(pauseSeconds: options.cleanPauseSeconds)
    while true {
      state.wait {
        $0.isStopping || $0.hasFailed || $0.cleanThrough != nil || store.journalBytes > 0
      }
      // Waiting a little lets rows that change again be written once.
      state.wait(seconds: options.foldDelaySecondsMax) { state in
        state.isStopping || state.hasFailed || store.journalBytes >= options.foldBytesMin
      }
      if state.withLock({ $0.isStopping || $0.hasFailed }) { return }
      guard foldOnce() else { return }
      guard cleanOnce(&cleaning) else { return }
    }
  }

  /// Cleans when it is due and what is to be cleaned is in the tables; returns whether folding may
  /// go on.
  private func cleanOnce(_ pace: inout CleaningPace) -> Bool {
    guard let through = state.withLock({ $0.cleanThrough }), pace.isDue(at: .now),
      store.foldedTo >= through
    else { return true }
    let result = pace.measure { () throws(StoreError) in try store.clean(through: through) }
    if (try? result.get()) != nil {
      state.withLock { if $0.cleanThrough == through { $0.cleanThrough = nil } }
    } else if case .failure(.outcomeUnknown(let text)) = result {
      state.withLock { $0.hasFailed = true }
      state.wake()
      callbacks.foldFailed(.outcomeUnknown(text))
      return false
    }
    callbacks.cleaned(through, result)
    return true
  }

  /// Folds one step; returns whether folding may go on.
  private func foldOnce() -> Bool {
    do throws(StoreError) {
      _ = try store.fold()
      noteFull(\.isFoldFull, false)
      state.wake()
      return true
    } catch {
      if error == .full {
        noteFull(\.isFoldFull, true)
        state.wait(seconds: options.fullRetrySeconds) { $0.isStopping || $0.hasFailed }
        return true
      }
      state.withLock { $0.hasFailed = true }
      state.wake()
      callbacks.foldFailed(error)
      return false
    }
  }
}

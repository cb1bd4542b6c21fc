import GameKitCompat

/// The invitation that the player is asked about, one at a time: another one's time goes by.
@MainActor
final class InviteQuestion {
  private(set) var invite: GKInvite?
  private var asker: CheckedContinuation<Bool?, Never>?
  private let onChange: () -> Void

  init(onChange: @escaping () -> Void) { self.onChange = onChange }

  /// Returns the player's answer; nil when the task is cancelled, because there is nothing to
  /// answer any more.
  func ask(about invite: GKInvite) async -> Bool? {
    if self.invite != nil || Task.isCancelled { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation {
        (self.invite, asker) = (invite, $0)
        onChange()
      }
    } onCancel: {
      Task { await self.withdraw(invite) }
    }
  }

  func answer(_ isAccepted: Bool?) {
    asker?.resume(returning: isAccepted)
    (invite, asker) = (nil, nil)
    onChange()
  }

  /// The player may have answered meanwhile, and be asked about another one.
  private func withdraw(_ invite: GKInvite) {
    if self.invite === invite { answer(nil) }
  }
}

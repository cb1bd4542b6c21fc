internal import Dialogs
internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

/// The screen on which the player begins a turn-based match: `GameKit.presenter` shows it, from
/// when the controller appears. The delegate hears of its end once, also when the presenter never
/// answers; a match is also told to the listeners, as GameKit's newer games expect it.
open class GKTurnBasedMatchmakerViewController: UIViewController {
  public weak var turnBasedMatchmakerDelegate: (any GKTurnBasedMatchmakerViewControllerDelegate)?
  /// Changes nothing: a game shows the matches that go on by `GKTurnBasedMatch.loadMatches`.
  public var showExistingMatches = true
  public var matchmakingMode = GKMatchmakingMode.default

  private let matchRequest: GKMatchRequest
  private var dialog: Task<Void, Never>?
  private var hasEnded = false

  public init(matchRequest request: GKMatchRequest) {
    matchRequest = request
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  #if canImport(UIKit)
    @available(*, unavailable, message: "A matchmaker is made of a request.")
    public required init?(coder: NSCoder) { return nil }
  #endif

  deinit { dialog?.cancel() }

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    if dialog != nil { return }
    let shown = MatchmakerDialog(
      goal: .turnBased, request: matchRequest.copy(), mode: matchmakingMode
    ) { _ in }
    dialog = Task { [weak self] in
      let outcome = await shown.outcome()
      self?.end(outcome)
    }
  }

  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    if dialog == nil || !isTakenAway { return }
    dialog?.cancel()
    end(.cancelled)
  }

  private func end(_ outcome: DialogOutcome<MatchmakerDialog.Found>) {
    if hasEnded { return }
    hasEnded = true
    let delegate = turnBasedMatchmakerDelegate
    switch outcome {
    case .answered(.turnBased(let match)):
      delegate?.turnBasedMatchmakerViewController(self, didFind: match)
      for listener in GKLocalPlayer.local.listeners.live {
        listener.player(GKLocalPlayer.local, receivedTurnEventFor: match, didBecomeActive: true)
      }
    case .answered, .cancelled: delegate?.turnBasedMatchmakerViewControllerWasCancelled(self)
    case .failed(let error):
      delegate?.turnBasedMatchmakerViewController(self, didFailWithError: error)
    case .timedOut:
      delegate?.turnBasedMatchmakerViewController(
        self, didFailWithError: GKError(.deadlineExceeded, "No match was found in time."))
    }
  }
}

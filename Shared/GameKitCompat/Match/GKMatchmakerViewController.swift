internal import Dialogs
internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

/// The screen on which the player finds a match: `GameKit.presenter` shows it, from when the
/// controller appears. The delegate hears of its end once, also when the presenter never answers.
/// When the game takes the controller from the screen before that, the search is cancelled.
open class GKMatchmakerViewController: UIViewController {
  public weak var matchmakerDelegate: (any GKMatchmakerViewControllerDelegate)?
  public let matchRequest: GKMatchRequest
  /// Whether players are looked for who play on the game's own server.
  public var isHosted = false
  public var matchmakingMode = GKMatchmakingMode.default
  /// Changes nothing: a match begins when all its players are connected, or without those who do
  /// not come in time.
  public var canStartWithMinimumPlayers = false
  /// The older form of the request's `inviteMessage`.
  public var defaultInvitationMessage: String?

  private let invite: GKInvite?
  private var extendedMatch: GKMatch?
  private var dialog: Task<Void, Never>?
  private var hasEnded = false

  /// Nil for a request that asks for more players at least than at most.
  public init?(matchRequest request: GKMatchRequest) {
    if request.minPlayers > request.maxPlayers { return nil }
    (matchRequest, invite) = (request, nil)
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  /// Waits for the match of an invitation that the local player has accepted.
  public init?(invite: GKInvite) {
    let request = GKMatchRequest()
    (request.playerGroup, request.playerAttributes) = (invite.playerGroup, invite.playerAttributes)
    (matchRequest, self.invite) = (request, invite)
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  #if canImport(UIKit)
    @available(*, unavailable, message: "A matchmaker is made of a request or an invitation.")
    public required init?(coder: NSCoder) { return nil }
  #endif

  deinit { dialog?.cancel() }

  /// Looks for more players of a match, which goes on; the delegate gets the match.
  public func addPlayers(to match: GKMatch) { extendedMatch = match }

  /// Changes nothing: only the game's own server knows who is connected to it.
  public func setHostedPlayer(_ player: GKPlayer, didConnect connected: Bool) {}

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    if dialog == nil { begin() }
  }

  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    if dialog == nil || !isTakenAway { return }
    dialog?.cancel()
    end(.cancelled)
  }

  // MARK: The dialog

  private var goal: MatchmakerDialog.Goal {
    if let invite { return .invitation(invite, isHosted: isHosted || invite.isHosted) }
    if let extendedMatch { return .addition(extendedMatch) }
    return .match(isHosted: isHosted)
  }

  private func begin() {
    let request = matchRequest.copy()
    if let defaultInvitationMessage { request.inviteMessage = defaultInvitationMessage }
    let dialog = MatchmakerDialog(goal: goal, request: request, mode: matchmakingMode) {
      [weak self] player in
      guard let self else { return }
      matchmakerDelegate?.matchmakerViewController(self, hostedPlayerDidAccept: player)
    }
    self.dialog = Task { [weak self] in
      let outcome = await dialog.outcome()
      self?.end(outcome)
    }
  }

  private func end(_ outcome: DialogOutcome<MatchmakerDialog.Found>) {
    if hasEnded { return }
    hasEnded = true
    switch outcome {
    case .answered(.match(let match)):
      matchmakerDelegate?.matchmakerViewController(self, didFind: match)
    case .answered(.players(let players)):
      matchmakerDelegate?.matchmakerViewController(self, didFindHostedPlayers: players)
    case .answered(.turnBased), .cancelled:
      matchmakerDelegate?.matchmakerViewControllerWasCancelled(self)
    case .failed(let error):
      matchmakerDelegate?.matchmakerViewController(self, didFailWithError: error)
    case .timedOut:
      matchmakerDelegate?.matchmakerViewController(
        self, didFailWithError: GKError(.deadlineExceeded, "No match was found in time."))
    }
  }
}

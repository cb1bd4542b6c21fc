internal import Dialogs
internal import Foundation
internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

/// The screen on which the player says whom to challenge, and in which words: `GameKit.presenter`
/// shows it, from when the controller appears. Nobody is challenged unless the player says so.
///
/// The game's handler is called once for a composer that has appeared: also when the presenter
/// never answers, when there is none, and when the game takes the controller away before.
public final class ChallengeComposeController: UIViewController {
  /// Why nobody could be challenged, or asked; nil before the end, and when the player has closed
  /// the composer.
  public private(set) var error: (any Error)?
  /// Why some of the chosen players got no challenge, by their ids.
  public private(set) var refusals: [String: any Error] = [:]

  private let composition: ChallengeComposition
  private let handler: @MainActor (ChallengeComposeController, [GKPlayer]?) -> Void
  private var dialog: Task<Void, Never>?
  private var isAnswered = false

  /// - Parameter handler: gets the challenged players; nil for nobody.
  init(
    _ composition: ChallengeComposition,
    _ handler: @escaping @MainActor (ChallengeComposeController, [GKPlayer]?) -> Void
  ) {
    (self.composition, self.handler) = (composition, handler)
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  #if canImport(UIKit)
    @available(*, unavailable, message: "A composer is made of a score or an achievement.")
    public required init?(coder: NSCoder) { return nil }
  #endif

  public override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    // The composer lives until its handler was called, whoever else keeps it.
    if dialog == nil { dialog = Task { await self.run() } }
  }

  public override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    if !isAnswered && isTakenAway { dialog?.cancel() }
  }

  private func run() async {
    let outcome = await ask()
    isAnswered = true
    switch outcome {
    case .answered(let choice): handler(self, await issue(choice))
    case .cancelled: handler(self, nil)
    case .failed(let failure): end(failure)
    case .timedOut: end(GKError(.deadlineExceeded, "The player has not answered in time."))
    }
  }

  private func end(_ failure: any Error) {
    error = failure
    handler(self, nil)
  }

  private func ask() async -> DialogOutcome<ChallengeDraft.Choice> {
    guard let presenter = GameKit.presenter else {
      return .failed(
        GKError(.notAllowed, "GameKit.presenter is not set: nobody can ask the player."))
    }
    do throws(GKError) { _ = try GameKit.signedInClient() } catch { return .failed(error) }
    let selected = composition.players.map(\.playerID)
    let draft = ChallengeDraft(
      subject: await composition.subject(), message: composition.message, selected: selected
    ) { search in
      DialogPages(friendsWith: search, suggested: selected)
    }
    return await dialogOutcome(within: GameKit.dialogTimeout) {
      try await presenter.composeChallenge(draft)
    }
  }

  /// Challenges the players whom the player has chosen, and returns those who got a challenge.
  private func issue(_ choice: ChallengeDraft.Choice) async -> [GKPlayer]? {
    do throws(GKError) {
      refusals = try await composition.issue(choice.playerIDs, choice.message)
    } catch {
      self.error = error
      return nil
    }
    var told: Set<PlayerID> = []
    let challenged = choice.playerIDs.compactMap { PlayerID($0) }
      .filter { refusals[$0.description] == nil && told.insert($0).inserted }
    if challenged.isEmpty { return nil }
    let profiles = (try? await GameKit.signedInClient().profiles(of: challenged)) ?? [:]
    return challenged.map { id in
      profiles[id].map { GKPlayer($0) } ?? GKPlayer(id, displayName: "")
    }
  }
}

import GameKitCompat

/// The listings 6-1 to 6-9 of the chapter "Challenges", in Swift: the same calls in the same order.
/// Where the document has a misprint (`issueingPlayerID`, a colon that is missing), the name that
/// GameKit has stands here. What the listings call of their game says what it was given.
final class ChallengeListings: StoryboardController {
  let presented = AsyncStream.makeStream(of: String.self)

  // MARK: Listing 6-1. Displaying the challenge user interface

  func bossMonsterDefeated() {
    let achievement = GKAchievement(identifier: "MyGame.bossDefeated")
    achievement.percentComplete = 100.0
    achievement.showsCompletionBanner = false

    GKAchievement.report([achievement], withCompletionHandler: nil)
    performSegue(withIdentifier: "achievementChallenge", sender: achievement)
  }

  // MARK: Listing 6-2. Preparing the challenge view controller

  override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
    if segue.identifier == "achievementChallenge" {
      let challengeVC = segue.destination as? MyAchievementChallengeViewController
      challengeVC?.delegate = self
      challengeVC?.achievement = sender as? GKAchievement
    }
  }

  // MARK: Listing 6-4. Retrieving the list of players with lower scores than the one just earned

  func challengeLesserMortals(forScore playerScore: Int64, inCategory category: String) {
    let query = GKLeaderboard()
    query.category = category
    query.playerScope = GKLeaderboardPlayerScope.friendsOnly
    query.range = NSRange(location: 1, length: 100)
    query.loadScores { scores, error in
      let lesserScores = scores?.filter { $0.value < playerScore }
      self.presentChallenge(withPreselectedScores: lesserScores)
    }
  }

  // MARK: Listing 6-5. Determining the list of players who can complete an achievement challenge

  func challengePlayers(toCompleteAchievement achievement: GKAchievement) {
    achievement.selectChallengeablePlayerIDs(GKLocalPlayer.localPlayer().friends) {
      challengeablePlayerIDs, error in
      if let challengeablePlayerIDs {
        self.presentChallenge(withPreselectedPlayerIDs: challengeablePlayerIDs)
      }
    }
  }

  // MARK: Listing 6-6. Retrieving the list of challenges

  func showChallengesList() {
    GKChallenge.loadReceivedChallenges { challenges, error in
      if let challenges { self.presentChallengeList(challenges) }
    }
  }

  // MARK: Listing 6-7. Installing a challenge event handler

  func installChallengeHandler() {
    let eventHandler = GKChallengeEventHandler.challengeEventHandler()
    eventHandler.delegate = self
  }
}

// MARK: Listing 6-3. Dismissing the challenge view controller

extension ChallengeListings: MyAchievementChallengeViewControllerDelegate {
  func challengeViewController(
    _ controller: MyAchievementChallengeViewController, wasDismissedWithChallenge issued: Bool
  ) {
    dismiss(animated: true, completion: nil)
    if issued {
      controller.achievement?.issueChallenge(
        toPlayers: controller.players, message: controller.message)
    }
  }
}

extension ChallengeListings: GKChallengeEventHandlerDelegate {
  // MARK: Listing 6-8. Suppressing the challenge banner when the player completes a challenge

  func shouldShowBanner(forLocallyCompletedChallenge challenge: GKChallenge) -> Bool {
    false
  }

  // MARK: Listing 6-9. Displaying a custom user interface when the player completes a challenge

  func localPlayerDidComplete(_ challenge: GKChallenge) {
    let issuerID: String = challenge.issuingPlayerID
    GKPlayer.loadPlayers(forIdentifiers: [issuerID]) { players, error in
      guard let player = players?.last else { return }
      // Load the challenging player's photo.
      player.loadPhoto(for: GKPhotoSize.normal) { photo, error in
        self.presentCompletedChallenge(challenge, photo: photo, name: player.displayName)
      }
    }
  }
}

// What the game does with it.
extension ChallengeListings {
  private func presentChallenge(withPreselectedScores scores: [GKScore]?) {
    let lesser = scores?.map { "\($0.player.displayName) \($0.value)" } ?? []
    presented.continuation.yield("scores: " + lesser.joined(separator: ", "))
  }

  private func presentChallenge(withPreselectedPlayerIDs playerIDs: [String]) {
    presented.continuation.yield("players: " + playerIDs.joined(separator: ", "))
  }

  private func presentChallengeList(_ challenges: [GKChallenge]) {
    let messages = challenges.map { $0.message ?? "" }
    presented.continuation.yield("challenges: " + messages.joined(separator: ", "))
  }

  private func presentCompletedChallenge(
    _ challenge: GKChallenge, photo: UIImage?, name: String
  ) {
    presented.continuation.yield("\(name), a photo: \(photo != nil)")
  }
}

import MusterKit

/// Returns how a sentence names a turn-based game.
private func game(_ number: UInt32, _ context: ContextID) -> String {
  "game \(number) in the context \(context)"
}

extension TurnGameInvitation: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(inviter)) invites you to \(game(number, context))"
  }
}

extension TurnPassed: Told {
  func words(_ reading: Reading) -> String {
    if round > 0 {
      return "round \(round) is next in \(game(number, context)), after \(moveCount) moves"
    }
    return player.isNil
      ? "it is your turn in \(game(number, context)), after \(moveCount) moves"
      : "it is your turn in \(game(number, context)): \(reading.who(player)) made move \(moveCount)"
  }
}

extension TurnGameEnded: Told {
  func words(_ reading: Reading) -> String { "\(game(number, context)) has ended" }
}

extension TurnExchangeChanged: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.whose(player)) exchange \(exchange) is \(state), in \(game(number, context))"
  }
}

extension TurnProposalChanged: Told {
  func words(_ reading: Reading) -> String {
    let what = kind == .undo ? "to take moves back" : "to pause"
    let end = isOpen ? "waits for an answer" : isAccepted ? "is accepted" : "is off"
    return "\(reading.whose(player)) proposal \(what) in \(game(number, context)) \(end)"
  }
}

extension TurnReminder: Told {
  func words(_ reading: Reading) -> String {
    player.isNil
      ? "\(game(number, context)) waits for you"
      : "\(reading.who(player)) reminds you of \(game(number, context))"
  }
}

extension YourTurn: Told {
  func words(_ reading: Reading) -> String { "it is your turn in \(game(number, context))" }
}

extension TurnGameChanged: Told {
  func words(_ reading: Reading) -> String { "\(game(number, context)) has changed" }
}

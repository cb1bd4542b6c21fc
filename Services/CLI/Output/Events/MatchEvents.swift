import MusterKit

extension MatchFound: Told {
  func words(_ reading: Reading) -> String {
    let others = players.filter { $0 != reading.reader }
    return "a match is found with \(reading.who(others)): join it now by "
      + "`muster match \(context)`"
  }
}

extension TicketEnded: Told {
  func words(_ reading: Reading) -> String {
    let reason = info.reason == .none ? "" : " (\(info.reason))"
    return "the search for a match in group \(info.playerGroup) has ended: \(info.state)\(reason)"
  }
}

extension MatchInvitation: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(inviter)) invites you to a match\(quoted(message)) (invitation \(invite) of "
      + "\(inviter))"
  }
}

extension MatchInviteAnswered: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(player)) answered your invitation to a match: \(answer)"
  }
}

extension MatchInviteEnded: Told {
  func words(_ reading: Reading) -> String {
    let end =
      if let context {
        "join it by `muster match \(context)`"
      } else if ticket != nil {
        "more players are looked for"
      } else {
        "no match begins"
      }
    return "\(reading.whose(inviter)) invitation to a match is over: \(end)"
  }
}

extension JoiningEnded: Told {
  func words(_ reading: Reading) -> String {
    let outcome =
      switch outcome {
      case .begins: "begins without \(reading.who(absent))"
      case .tooFew where ticket != nil:
        "is over, as \(reading.who(absent)) did not join; you wait again"
      default: "is over, as \(reading.who(absent)) did not join"
      }
    return "the match of the context \(context) \(outcome)"
  }
}

extension MatchExpected: Told {
  func words(_ reading: Reading) -> String {
    "a match expects you: `muster match \(context)` joins it"
  }
}

extension TicketChanged: Told {
  func words(_ reading: Reading) -> String {
    "the search for a match has ended: \(state) (ticket \(ticket))"
  }
}

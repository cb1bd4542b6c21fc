import MusterKit

/// Returns a text of a player's, as a sentence quotes it.
func quoted(_ text: String) -> String { text.isEmpty ? "" : ": \"\(text)\"" }

extension FriendInvitation: Told {
  func words(_ reading: Reading) -> String { "\(reading.who(player)) asks you to be friends" }
}

extension FriendAccepted: Told {
  func words(_ reading: Reading) -> String { "\(reading.who(player)) is your friend now" }
}

extension RequestReceived: Told {
  func words(_ reading: Reading) -> String {
    let action = request.actionType == .none ? "" : " (\(request.actionType))"
    return "\(reading.who(request.sender)) sends you a request\(action)\(quoted(request.message))"
  }
}

extension RequestAnswered: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(recipient)) has \(accepted ? "accepted" : "declined") your request \(request)"
  }
}

extension RequestExpired: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(recipient)) has not answered your request \(request), which has expired"
  }
}

extension RequestDropped: Told {
  func words(_ reading: Reading) -> String {
    let whom = recipient.isNil ? "whoever has the invite token \(token)" : reading.who(recipient)
    return "your request \(request) did not reach \(whom): \(outcome)"
  }
}

extension RequestDelivered: Told {
  func words(_ reading: Reading) -> String {
    "your request \(request) has reached \(reading.who(recipient))"
  }
}

extension ConsentChanged: Told {
  func words(_ reading: Reading) -> String {
    let change = isGiven ? "may" : "may no longer"
    return "\(reading.who(sender)) \(change) send requests to \(reading.who(recipient)) without "
      + "a dialog"
  }
}

extension InviteTokenClaimed: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(player)) has come by your invite token \(token)"
  }
}

extension EventsDropped: Told {
  func words(_ reading: Reading) -> String {
    "\(count) events were dropped, because too many were unread"
  }
}

extension PresenceChanged: Told {
  func words(_ reading: Reading) -> String { "\(reading.who(player)) is \(presence)" }
}

extension ServiceRestored: Told {
  func words(_ reading: Reading) -> String {
    let name = Service(rawValue: service)?.name ?? "\(service)"
    return "the \(name) service is back; hints may have been lost meanwhile"
  }
}

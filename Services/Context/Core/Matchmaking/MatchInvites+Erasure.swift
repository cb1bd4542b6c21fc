import Domain
import Operations
import Wire

extension MatchInvites {
  /// The player's own invitations end. In those of others the player cannot come any more, whether
  /// or not the player was told of them; a match that waits to be confirmed is none.
  ///
  /// The timers stay, which are at another key: without a row they do nothing, and an invitation
  /// that waits for nobody else is concluded when its time is over.
  func erase(_ row: MatchInviteRow, _ erasure: Erasure, _ transaction: inout Transaction) {
    guard let known = table[row.key] else { return }
    table.erase(row.key, erasure, &transaction)
    guard var rest = table[row.key] else { return endOwn(known, &transaction) }
    guard let place = rest.recipients.firstIndex(where: { $0.player == erasure.standIn }),
      rest.mayCome(place)
    else { return }
    rest.recipients[place].answer = .unableToConnect
    tell(rest, erasure.standIn, .unableToConnect, &transaction)
    if rest.confirmation.isNil { return table.put(rest, &transaction) }
    table.remove(rest.key, &transaction)
    announceEnd(of: rest, to: [rest.key.inviter] + rest.accepted, &transaction)
  }

  private func endOwn(_ row: MatchInviteRow, _ transaction: inout Transaction) {
    let waiting = row.recipients.filter { recipient in
      recipient.isTold
        && (recipient.answer == .pending || !recipient.seatRequest.isNil
          || recipient.answer == .accepted && row.match == 0)
    }
    announceEnd(of: row, to: waiting.map(\.player), unlessBlocked: true, &transaction)
  }
}

extension MatchInviteRow {
  /// Whether a recipient has not answered, or has accepted and is not in the match yet. Who has
  /// asked for a seat in a running match gets it, or not, there.
  fileprivate func mayCome(_ place: Int) -> Bool {
    switch recipients[place].answer {
    case .pending: true
    case .accepted: match == 0
    default: false
    }
  }
}

import Operations
import Wire

extension Simulation {
  /// Both sides of a consent agree, it is one between friends, and each was told of it.
  func checkConsents() throws(Violation) {
    let model = try ConsentModel(deployment.ledger.done)
    var given: [ConsentModel.Pair: Bool] = [:]
    var held: [ConsentModel.Pair: Bool] = [:]
    for client in workload.clients {
      let friends = try reply(ListFriends(), as: client.player).friends
        .filter { $0.state == .friends }.map(\.player)
      for consent in try reply(ListConsents(), as: client.player).consents {
        try require(
          friends.contains(consent.player),
          "2.6 \(client.player) has a consent with \(consent.player), no friend")
        let own = ConsentModel.Pair(giver: client.player, holder: consent.player)
        let others = ConsentModel.Pair(giver: consent.player, holder: client.player)
        given[own] = consent.isGiven
        held[others] = consent.isHeld
      }
    }
    for giver in workload.clients {
      for holder in workload.clients where holder !== giver {
        let pair = ConsentModel.Pair(giver: giver.player, holder: holder.player)
        let isGiven = given[pair] ?? false
        try require(
          isGiven == held[pair] ?? false,
          "2.6 \(pair.giver) and \(pair.holder) disagree on their consent, given: \(isGiven)")
        try require(
          model.holds(pair) ?? isGiven == isGiven,
          "2.6 the consent of \(pair.giver) to \(pair.holder) should not be \(isGiven)")
        for client in [giver, holder] {
          let told = client.feed.all(ConsentChanged.self)
            .last { $0.sender == pair.holder && $0.recipient == pair.giver }?.isGiven
          try require(
            told ?? false == isGiven || !isGiven && model.mayHaveEnded(pair),
            "2.6 \(client.player) was told \(String(describing: told)) of the consent of "
              + "\(pair.giver) to \(pair.holder), which is \(isGiven)")
        }
      }
    }
    for (happening, count) in model.counts { happenings.set(happening, count) }
  }
}

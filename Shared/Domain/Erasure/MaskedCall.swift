import Wire

/// A call that names erased players, as its handler gets it: with others in their place whom nobody
/// knows (`Erasure.mask`). So the rest of the call goes on as if they had never been, and nothing
/// of them is written again.
struct MaskedCall {
  private(set) var request: Request
  /// As it came, with its body.
  let original: Request
  /// From who takes the place back to each erased player.
  private var players = ErasedPlayers()

  /// - Parameter masks: from each erased player of the call to who takes the place.
  init(of request: Request, _ body: RawSpan, masks: [Erasure]) {
    var original = request
    original.body = [UInt8](copying: body)
    self.original = original
    var taken = ErasedPlayers()
    for mask in masks {
      taken.insert(mask)
      players.insert(mask.reversed)
    }
    self.request = original
    self.request.body = taken.renamed(original.body)
    self.request.envelope.routingKey = taken.renamed(request.envelope.routingKey)
    // What is said of the players themselves. In what is said of others they are nobody.
    for (place, fact) in request.envelope.facts.all.enumerated()
    where taken[PlayerID(reinterpreting: fact.key)] != nil {
      self.request.envelope.facts.all[place].key = taken.renamed(fact.key)
      self.request.envelope.facts.all[place].reply.array = taken.renamed(fact.reply.array)
    }
  }

  /// What the caller is told: by the ids that the call came with.
  func told(_ step: Step) -> Step {
    guard case .done(var outcome) = step else { return step }
    switch outcome.answer {
    case .reply(let reply): outcome.answer = .reply(players.renamed(reply))
    case .failure(var failure):
      failure.text = players.renamed(failure.text)
      failure.detail = Bytes(players.renamed(failure.detail.array))
      outcome.answer = .failure(failure)
    }
    return .done(outcome)
  }
}

extension Erasure {
  /// Who takes the player's place in calls of others: somebody whom nobody knows, so that to
  /// callers who is erased is as unknown as who never was. It is not the stand-in, which has a
  /// place in what belongs to others, and of which a caller must not learn whose it was; and it is
  /// the same in every process and at every try of a call.
  package var mask: Erasure {
    var random = RandomSource.seeded(digest.low)
    return Erasure(of: player) { random.next() }
  }
}

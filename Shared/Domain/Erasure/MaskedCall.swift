import Wire

/// A call that names erased players, as its handler gets it: with others in their place whom nobody
/// knows (`Engine.mask`). So the rest of the call goes on as if they had never been, and nothing of
/// them is written again.
struct MaskedCall {
  private(set) var request: Request
  private let erased: [Erasure]
  /// From each erased player to who takes the place.
  private let masks: [Erasure]

  init(
    of request: Request, _ body: RawSpan, naming erased: [Erasure],
    as mask: (Erasure) -> Erasure
  ) {
    self.erased = erased
    masks = erased.map(mask)
    self.request = request
    self.request.body = [UInt8](copying: body)
    for mask in masks {
      self.request.body = mask.renamed(self.request.body)
      self.request.envelope.routingKey = mask.renamed(self.request.envelope.routingKey)
      for place in request.envelope.facts.all.indices {
        let key = request.envelope.facts.all[place].key
        if key == RoutingKey(reinterpreting: mask.player) {
          self.request.envelope.facts.all[place].key = mask.renamed(key)
        }
      }
    }
  }

  /// The answer as it is remembered: with stand-ins, from which the caller's ids can be had again.
  func kept(_ reply: [UInt8]) -> [UInt8] {
    zip(masks, erased).reduce(reply) { $1.1.renamed($1.0.reversed.renamed($0)) }
  }

  /// What the caller is told: by the ids that the call came with.
  func told(_ step: Step) -> Step {
    guard case .done(var outcome) = step else { return step }
    switch outcome.answer {
    case .reply(let reply): outcome.answer = .reply(told(reply))
    case .failure(var failure):
      failure.text = masks.reduce(failure.text) { $1.reversed.renamed($0) }
      failure.detail = Bytes(told(failure.detail.array))
      outcome.answer = .failure(failure)
    }
    return .done(outcome)
  }

  private func told(_ bytes: [UInt8]) -> [UInt8] {
    masks.reduce(bytes) { $1.reversed.renamed($0) }
  }
}

import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

extension GatewayNode {
  /// Warns of games in the file of keys that are not declared: under a name that was mistyped no
  /// credential is revoked. The first loop looks for all, at the start and at each change.
  func lookAtGames() {
    guard isFirst, peers.count(of: .request) > 0 else { return }
    lookAtGamesCount += 1
    for game in state.keyring.games { look(at: game, number: lookAtGamesCount) }
  }

  /// - Parameter number: that of the look; it ends with the next one, however long no service
  ///   answers.
  private func look(at game: String, number: UInt64) {
    let question = FetchGame(game)
    let slot = Slot.of(question.key)
    let owner = Partition.owner(of: slot, count: peers.count(of: .request))
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.routingKey = question.key
    control(
      UInt8(truncatingIfNeeded: FetchGame.opcode.rawValue), envelope, question.encoded,
      at: ProcessAddress(service: .request, partition: owner)
    ) { [unowned self] result in
      guard number == lookAtGamesCount else { return }
      switch result {
      case .success(let body):
        guard let reply = try? FetchGame.Reply(decoding: body), !reply.isDeclared else { return }
        log.warning("keys-file has a line of a game that is not declared", ["game": game])
      case .failure(let failure) where failure.code.isTransient:
        loop.after(Self.retryMilliseconds) { [unowned self] in look(at: game, number: number) }
      case .failure(let failure):
        log.warning(
          "a game of keys-file cannot be looked up",
          ["game": game, "reason": failure.description])
      }
    }
  }
}

public import Foundation
internal import MusterKit

/// What a participant asks others beside the turns, such as a trade.
@preconcurrency @MainActor
public final class GKTurnBasedExchange {
  let exchange: TurnExchange
  private weak var match: GKTurnBasedMatch?
  private let context: ContextID
  private let number: UInt32
  /// Who asks.
  public let sender: GKTurnBasedParticipant
  public let recipients: [GKTurnBasedParticipant]
  public internal(set) var status: GKTurnBasedExchangeStatus
  public let data: Data?
  /// What was replied, as far as the local player may know.
  public private(set) var replies: [GKTurnBasedExchangeReply]?
  /// When this client has first heard of it: the server tells when its time is up alone.
  public let sendDate: Date
  /// Tells it apart from the exchanges of all matches.
  private let name: String
  /// When its time is up.
  public let timeoutDate: Date?
  /// Always nil: the server does not tell when it was completed.
  public var completionDate: Date? { nil }
  /// Always nil: the texts of notifications are not carried.
  public var message: String? { nil }

  init(_ said: ReadTurnExchange.Reply, in match: GKTurnBasedMatch) {
    exchange = said.exchange
    self.match = match
    (context, number) = (match.info.context, match.info.number)
    @MainActor func participant(_ player: PlayerID) -> GKTurnBasedParticipant {
      match.participant(of: player) ?? GKTurnBasedParticipant(player, match.name(of: player))
    }
    sender = participant(said.exchange.player)
    recipients = said.exchange.receivers.map(participant)
    status = said.exchange.isComplete ? .complete : .active
    data = Data(aligned: said.request.array)
    timeoutDate = said.exchange.dueAt == 0 ? nil : Date(milliseconds: said.exchange.dueAt)
    let dates = ExchangeDates.shared
    let name = "\(match.matchID):\(said.exchange.id)"
    self.name = name
    sendDate = dates.firstHeard(name)
    replies = said.answers.map { answer in
      GKTurnBasedExchangeReply(
        participant(answer.player), Data(aligned: answer.payload.array),
        dates.firstHeard("\(name):\(answer.player)"))
    }
  }

  /// Names the exchange within its match.
  public var exchangeID: String { "\(exchange.id)" }

  func waits(for player: PlayerID) -> Bool {
    exchange.receivers.contains(player) && !exchange.answered.contains(player)
  }

  /// Takes the exchange back, which the local player has opened.
  public func cancel(
    withLocalizableMessageKey key: String, arguments: [String],
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = CancelTurnExchange()
    (operation.context, operation.number, operation.exchange) = (context, number, exchange.id)
    complete(completionHandler) { [operation] () async throws(GKError) in
      let info = try await GameKit.signedInClient().call(operation)
      self.status = .canceled
      self.match?.update(info)
      self.match?.exchanges?.removeAll { $0 === self }
    }
  }

  public func cancel(withLocalizableMessageKey key: String, arguments: [String]) async throws {
    try await outcome {
      cancel(withLocalizableMessageKey: key, arguments: arguments, completionHandler: $0)
    }
  }

  /// Replies for the local player, once.
  public func reply(
    withLocalizableMessageKey key: String, arguments: [String], data: Data,
    completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = AnswerTurnExchange()
    (operation.context, operation.number, operation.exchange) = (context, number, exchange.id)
    operation.payload = Bytes(Array(data))
    complete(completionHandler) { [operation] () async throws(GKError) in
      let client = try GameKit.signedInClient()
      if let fault = operation.fault { throw GKError(fault) }
      let info = try await client.call(operation)
      self.match?.update(info)
      if let local = self.recipients.first(where: { $0.player == GKLocalPlayer.local }) {
        let date = ExchangeDates.shared.firstHeard("\(self.name):\(GKLocalPlayer.local.identifier)")
        self.replies = (self.replies ?? []) + [GKTurnBasedExchangeReply(local, data, date)]
      }
      await self.tellIfComplete(info, client)
    }
  }

  /// The server tells who has the turn that an exchange is complete, but not the player whose reply
  /// has completed it.
  private func tellIfComplete(_ info: TurnGameInfo, _ client: any GameKitClient) async {
    guard info.next.first == client.session?.player,
      info.exchanges.contains(where: { $0.id == exchange.id && $0.isComplete })
    else { return }
    var change = TurnExchangeChanged()
    (change.context, change.number, change.exchange) = (context, number, exchange.id)
    change.state = .complete
    await TurnNews.load(change, client)?.tell()
  }

  public func reply(withLocalizableMessageKey key: String, arguments: [String], data: Data)
    async throws
  {
    try await outcome {
      reply(
        withLocalizableMessageKey: key, arguments: arguments, data: data, completionHandler: $0)
    }
  }
}

public import Foundation
internal import MusterKit

extension GKTurnBasedMatch {
  /// Asks other participants something, in turn or out of it. They get the data alone: the key of a
  /// message and its arguments are for notifications, which Muster does not write.
  public func sendExchange(
    to participants: [GKTurnBasedParticipant], data: Data, localizableMessageKey key: String,
    arguments: [String], timeout: TimeInterval,
    completionHandler: (@MainActor (GKTurnBasedExchange?, (any Error)?) -> Void)? = nil
  ) {
    var operation = OpenTurnExchange()
    (operation.context, operation.number) = (info.context, info.number)
    operation.players = players(of: participants)
    operation.payload = Bytes(Array(data))
    operation.lifetimeMilliseconds = timeout.exchangeMilliseconds
    complete(completionHandler) { [operation] () async throws(GKError) in
      let client = try GameKit.signedInClient()
      if let fault = operation.fault { throw GKError(fault) }
      let reply = try await client.call(operation)
      self.update(reply.info)
      var opened = ReadTurnExchange.Reply()
      opened.exchange = reply.info.exchanges.first { $0.id == reply.exchange } ?? TurnExchange()
      opened.exchange.id = reply.exchange
      opened.request = operation.payload
      let exchange = GKTurnBasedExchange(opened, in: self)
      self.exchanges = (self.exchanges ?? []) + [exchange]
      return exchange
    }
  }

  public func sendExchange(
    to participants: [GKTurnBasedParticipant], data: Data, localizableMessageKey key: String,
    arguments: [String], timeout: TimeInterval
  ) async throws -> GKTurnBasedExchange {
    try await outcome {
      sendExchange(
        to: participants, data: data, localizableMessageKey: key, arguments: arguments,
        timeout: timeout, completionHandler: $0)
    }
  }

  /// Reminds participants on whom the match waits: once an hour in a match. What the reminder says
  /// is the game's to write where it comes.
  public func sendReminder(
    to participants: [GKTurnBasedParticipant], localizableMessageKey key: String,
    arguments: [String], completionHandler: (@MainActor ((any Error)?) -> Void)? = nil
  ) {
    var operation = RemindPlayers()
    (operation.context, operation.number) = (info.context, info.number)
    operation.players = players(of: participants)
    complete(completionHandler) { [operation] () async throws(GKError) in
      let client = try GameKit.signedInClient()
      if let fault = operation.fault { throw GKError(fault) }
      _ = try await client.call(operation)
    }
  }

  public func sendReminder(
    to participants: [GKTurnBasedParticipant], localizableMessageKey key: String,
    arguments: [String]
  ) async throws {
    try await outcome {
      sendReminder(
        to: participants, localizableMessageKey: key, arguments: arguments, completionHandler: $0)
    }
  }

  // MARK: Calls about this match

  /// The players among participants; free seats have none.
  func players(of participants: [GKTurnBasedParticipant]) -> [PlayerID] {
    participants.compactMap { $0.player?.identifier }
  }

  /// Makes a call whose reply is this match, and brings this object up to date by it.
  func perform<O: Operation>(
    _ operation: O, _ fault: Failure?, state: Data?,
    _ completionHandler: (@MainActor ((any Error)?) -> Void)?
  ) where O.Reply == TurnGameInfo {
    let isInTurn = !(operation is QuitTurnGame)
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      if let fault {
        let isTooLong = fault.argument == "state"
        throw GKError(
          fault.code, argument: fault.argument, as: isTooLong ? .turnBasedMatchDataTooLarge : nil,
          fault.text)
      }
      do throws(MusterError) {
        self.update(try await client.call(operation, deadline: nil), state: state)
      } catch {
        if let view = error.turnGameView { self.update(view) }
        throw GKError(error, isInTurn: isInTurn)
      }
    }
  }
}

extension GKError {
  /// Why a call about a turn-based match has failed.
  init(_ error: MusterError, isInTurn: Bool) {
    self.init(error)
    switch error.code {
    case .conflict, .matchEnded: code = .turnBasedInvalidState
    case .notAllowed where isInTurn: code = .turnBasedInvalidTurn
    case .invalidArgument where ["next", "outcomes", "players"].contains(error.argument):
      code = .turnBasedInvalidParticipant
    default: break
    }
  }
}

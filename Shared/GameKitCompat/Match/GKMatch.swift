public import Foundation
internal import MusterKit

/// A match with other players.
///
/// A match that too few players join fails with `matchEnded` before it begins: find another one. It
/// also fails so for a player who was away, or took no data, for too long, and is not told whether
/// the match goes on for the others.
///
/// Events wait until the first delegate is set. When the game releases the match, the local player
/// leaves it.
@preconcurrency @MainActor
public final class GKMatch {
  /// Pieces of data that may wait for the client's thread; more are refused with `backpressure`.
  static let outboxCountMax = 1024
  static let messageSizeMax = ContextLimits.matchMessageSizeMax

  private struct Outgoing: Sendable {
    var bytes: [UInt8]
    var players: [PlayerID]?
    var isReliable: Bool
  }

  public weak var delegate: (any GKMatchDelegate)? {
    didSet { if delegate != nil { listen() } }
  }

  let seat: any MatchSeating
  var names: [PlayerID: String]
  /// Nil for a rematch.
  let found: FoundMatch?
  var hasBegun: Bool {
    didSet { if hasBegun { found?.begin() } }
  }
  private let outbox: AsyncStream<Outgoing>.Continuation
  /// Sends what is in the outbox, and leaves.
  private var sender: Task<Void, Never>?
  var listener: Task<Void, Never>?
  /// What has happened before a delegate was set.
  var untold: [MatchEvent] = []
  /// The context in which the match is played.
  var context: ContextID { seat.context }

  init(_ seat: any MatchSeating, names: [PlayerID: String], found: FoundMatch? = nil) {
    self.seat = seat
    self.names = names
    self.found = found
    hasBegun = seat.expectedPlayerCount == 0
    let (stream, outbox) = AsyncStream.makeStream(
      of: Outgoing.self, bufferingPolicy: .bufferingOldest(Self.outboxCountMax))
    self.outbox = outbox
    if seat.expectedPlayerCount == 0 { found?.begin() }
    sender = Task { [weak self] in
      for await data in stream {
        do throws(MusterError) {
          try await Self.send(data, seat)
        } catch {
          self?.failed(GKError(error))
        }
      }
      // The stream ends after the data that was sent before `disconnect`, so that data goes out
      // first.
      if seat.expectedPlayerCount == 0 { found?.begin() }
      try? await seat.leave()
      await found?.leave()
    }
  }

  deinit {
    listener?.cancel()
    outbox.finish()
    OngoingCalls.leaves.follow(sender)
  }

  /// The other players in the match, without the local player.
  public var players: [GKPlayer] { seat.players.map(player) }
  /// How many players have not joined yet; the match begins at 0.
  public var expectedPlayerCount: Int { seat.expectedPlayerCount }

  /// Sends data to all other players.
  ///
  /// - Throws: `GKError`: the match is over (`matchEnded`), the data is too long
  ///   (`invalidArgument`), or too much waits to be sent (`backpressure`). The delegate is told of
  ///   what fails later, for example because the other player takes no data for a long time.
  public func sendData(toAllPlayers data: Data, with mode: SendDataMode) throws {
    try enqueue(data, nil, mode)
  }

  /// Sends data to some of `players`.
  public func send(_ data: Data, to players: [GKPlayer], dataMode mode: SendDataMode)
    throws
  {
    let chosen = players.map(\.identifier)
    guard !chosen.isEmpty, Set(chosen).isSubset(of: seat.players) else {
      throw GKError(
        .invalidArgument, argument: "players", "Data goes to one or more players of the match.")
    }
    try enqueue(data, chosen, mode)
  }

  /// Leaves the match for good, after the data that was sent before. The delegate hears nothing
  /// more. The others of a match that was found, and has not begun, do not wait for the player.
  public func disconnect() {
    listener?.cancel()
    delegate = nil
    outbox.finish()
    OngoingCalls.leaves.follow(sender)
  }

  /// Tells who is best connected to all others, perhaps the local player: the same for everybody.
  /// The handler gets nil while players are expected or their connections are not known, and is to
  /// ask again then.
  public func chooseBestHostingPlayer(
    completionHandler: @escaping @MainActor (GKPlayer?) -> Void
  ) {
    Task { [seat] in
      let host = (try? await seat.chooseHost()) ?? nil
      completionHandler(host.map(player))
    }
  }

  public func chooseBestHostingPlayer() async -> GKPlayer? {
    await withCheckedContinuation { continuation in
      chooseBestHostingPlayer { continuation.resume(returning: $0) }
    }
  }

  /// Starts the next match with the same players, or joins the one that another has started. This
  /// match must be over for the local player.
  public func rematch(
    completionHandler: (@MainActor (GKMatch?, (any Error)?) -> Void)? = nil
  ) {
    Task { [seat, names] in
      do throws(MusterError) {
        completionHandler?(GKMatch(try await seat.rematchSeat(), names: names), nil)
      } catch {
        completionHandler?(nil, GKError(error))
      }
    }
  }

  public func rematch() async throws -> GKMatch {
    try await outcome { rematch(completionHandler: $0) }
  }

  @available(*, unavailable, message: "Muster carries no voice.")
  public func voiceChat(withName name: String) -> AnyObject? { nil }

  @available(
    *, unavailable, message: "What a ticket offers is not told to the others of its match."
  )
  public var playerProperties: [GKPlayer: GKMatchProperties]? { nil }

  private func enqueue(_ data: Data, _ players: [PlayerID]?, _ mode: SendDataMode)
    throws(GKError)
  {
    if data.count > Self.messageSizeMax {
      throw GKError(
        .invalidArgument, argument: "data", "Data has at most \(Self.messageSizeMax) bytes.")
    }
    if seat.isEnded { throw GKError(.matchEnded, "The match is over.") }
    let outgoing = Outgoing(bytes: Array(data), players: players, isReliable: mode == .reliable)
    switch outbox.yield(outgoing) {
    case .enqueued: break
    case .dropped: throw GKError(.backpressure, "Too much data waits to be sent.")
    default: throw GKError(.matchEnded, "You have left the match.")
    }
  }

  private nonisolated static func send(_ data: Outgoing, _ seat: any MatchSeating)
    async throws(MusterError)
  {
    if data.isReliable {
      try await seat.sendReliable(data.bytes, to: data.players)
    } else {
      try await seat.sendUnreliable(data.bytes, to: data.players)
    }
  }
}

public import Foundation
internal import MusterKit

/// A turn-based match, as it was when it was loaded or last changed by the local player. A call for
/// a match that others have changed meanwhile fails with `turnBasedInvalidState`, changes nothing,
/// and brings this object up to date: look, and call again.
///
/// A turn's time is a rule of the whole match, which its starter has chosen: one week for matches
/// that this library starts. What single turns say of it changes nothing.
@preconcurrency @MainActor
public final class GKTurnBasedMatch {
  var info: TurnGameInfo
  private(set) var names: [PlayerID: String]
  private var lastMove: TurnMove?
  public private(set) var participants: [GKTurnBasedParticipant] = []
  /// The public state; nil before it was loaded.
  public private(set) var matchData: Data?
  /// The exchanges that the local player is part of, or has to bring to an end.
  public internal(set) var exchanges: [GKTurnBasedExchange]?
  /// A text that goes to the others with the next turn, and that of the last turn before that. It
  /// is the move's payload, of at most 4 KiB of UTF-8.
  public var message: String?

  init(_ info: TurnGameInfo, names: [PlayerID: String]) {
    (self.info, self.names) = (info, names)
    update(info)
  }

  /// Names the match, for `load(withID:)`.
  public var matchID: String { Self.id(of: info.context, info.number) }
  public var creationDate: Date { Date(milliseconds: info.startedAt) }
  public var status: Status {
    switch info.phase {
    case .ended: .ended
    case .active, .paused: info.seats.contains { $0.state == .matching } ? .matching : .open
    default: .unknown
    }
  }
  /// Who has the turn; nil for a match that has ended.
  public var currentParticipant: GKTurnBasedParticipant? {
    info.next.first.flatMap { participant(of: $0) }
  }

  public var matchDataMaximumSize: Int { TurnLimits.stateSizeMax }
  public var exchangeDataMaximumSize: Int { TurnLimits.exchangeSizeMax }
  public var exchangeMaxInitiatedExchangesPerPlayer: Int { TurnLimits.exchangesPerPlayerMax }

  /// Those that wait for the local player's reply.
  public var activeExchanges: [GKTurnBasedExchange]? {
    let local = GKLocalPlayer.local.identifier
    return exchanges?.filter { $0.status == .active && $0.waits(for: local) }
  }
  /// Those whose results the local player has to bring into the match data; nil out of turn.
  public var completedExchanges: [GKTurnBasedExchange]? {
    guard currentParticipant?.player == GKLocalPlayer.local else { return nil }
    return exchanges?.filter { $0.status == .complete }
  }

  /// Sets the message from the game's own table of strings, where it is there, with its arguments.
  public func setLocalizableMessageWithKey(_ key: String, arguments: [String]?) {
    message = Self.text(key, arguments ?? [])
  }

  static func text(_ key: String, _ arguments: [String]) -> String {
    String(
      format: Bundle.main.localizedString(forKey: key, value: nil, table: nil),
      arguments: arguments.map { $0 as any CVarArg })
  }

  // MARK: What the server says

  func participant(of player: PlayerID) -> GKTurnBasedParticipant? {
    participants.first { $0.player?.identifier == player }
  }

  func name(of player: PlayerID) -> String { names[player] ?? "" }

  func update(_ info: TurnGameInfo) {
    self.info = info
    let due = info.dueAt == 0 ? nil : Date(milliseconds: info.dueAt)
    participants = info.seats.map { seat in
      let hasTurn = !seat.player.isNil && seat.player == info.next.first
      let moved = seat.player == lastMove?.player ? lastMove?.time : nil
      return GKTurnBasedParticipant(
        seat, name(of: seat.player), timeoutDate: hasTurn ? due : nil,
        lastTurnDate: moved.map { Date(milliseconds: $0) })
    }
  }

  func update(_ view: TurnGameView) {
    update(view.info)
    if let state = view.state { matchData = Data(aligned: state.array) }
  }

  func update(_ info: TurnGameInfo, state: Data?) {
    update(info)
    if let state { matchData = state }
  }

  /// The last move has its message, and says when it was made.
  func know(_ move: TurnMove) {
    lastMove = move
    let payload = move.payload.array
    message = payload.isEmpty ? nil : String(validating: payload, as: UTF8.self)
    update(info)
  }

  func know(_ names: [PlayerID: String]) {
    self.names.merge(names) { _, new in new }
    update(info)
  }

  // MARK: Names

  static func id(of context: ContextID, _ number: UInt32) -> String { "\(context):\(number)" }

  /// The context and the number in a match's id; nil for another text.
  static func place(of matchID: String) -> (context: ContextID, number: UInt32)? {
    let parts = matchID.split(separator: ":")
    guard parts.count == 2, let context = ContextID(String(parts[0])),
      let number = UInt32(parts[1])
    else { return nil }
    return (context, number)
  }
}

/// Objects of one match are equal, whenever they were loaded.
extension GKTurnBasedMatch: @MainActor Hashable {
  public static func == (left: GKTurnBasedMatch, right: GKTurnBasedMatch) -> Bool {
    left.matchID == right.matchID
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(matchID) }
}

import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// Groups, and what the request service knows of their players.
final class GroupWorld {
  let driver: ContextDriver
  var book = FactBook()
  /// The facts that calls have asked for.
  var asked: Set<Opcode> = []
  private var keyCount: UInt64 = 0

  init(settings: [NumberSetting: Int] = [:]) { driver = ContextDriver(settings: settings) }

  @discardableResult
  func ask<O: Operation>(_ operation: O, as player: PlayerID, key: RoutingKey? = nil) throws
    -> O.Reply
  {
    driver.clock += 1
    let reply = try driver.ask(operation, as: player, key: key, book) { asked.insert($0) }
    try driver.deliverOwnEffects()
    return reply
  }

  @discardableResult
  func create(
    _ owner: PlayerID = ann, _ policy: JoinPolicy = .byInvite, sizeMax: UInt32 = 10,
    inviting players: [PlayerID] = [], name: String = ""
  ) throws -> CreateGroupContext.Reply {
    var operation = CreateGroupContext()
    (operation.policy, operation.sizeMax, operation.name) = (policy, sizeMax, name)
    operation.players = players
    keyCount += 1
    return try ask(operation, as: owner, key: RoutingKey(high: 70, low: keyCount))
  }

  /// A group of these players, the first of whom owns it.
  func group(_ players: PlayerID..., policy: JoinPolicy = .byInvite, sizeMax: UInt32 = 10) throws
    -> ContextID
  {
    let others = Array(players.dropFirst())
    let id = try create(players[0], policy, sizeMax: sizeMax, inviting: others).info.context
    for player in others { try enter(id, player) }
    return id
  }

  @discardableResult
  func enter(_ context: ContextID, _ player: PlayerID) throws -> ContextInfo {
    var operation = SwitchContext()
    operation.context = context
    return try ask(operation, as: player)
  }

  @discardableResult
  func join(_ context: ContextID, _ player: PlayerID, link: ContextLink = ContextLink()) throws
    -> ContextInfo
  {
    var operation = JoinContext()
    (operation.context, operation.link) = (context, link)
    return try ask(operation, as: player)
  }

  @discardableResult
  func invite(_ players: [PlayerID], to context: ContextID, by inviter: PlayerID) throws
    -> [InvitationOutcome]
  {
    var operation = InviteToContext()
    (operation.context, operation.players) = (context, players)
    return try ask(operation, as: inviter).outcomes.map(\.outcome)
  }

  @discardableResult
  func answer(
    _ context: ContextID, _ player: PlayerID, _ accept: Bool = true, by moderator: PlayerID
  ) throws -> ContextInfo {
    var operation = AnswerContextRequest()
    (operation.context, operation.player, operation.accept) = (context, player, accept)
    return try ask(operation, as: moderator)
  }

  @discardableResult
  func change(_ context: ContextID, _ player: PlayerID, to role: ContextRole, by owner: PlayerID)
    throws -> ContextInfo
  {
    var operation = ChangeContextRole()
    (operation.context, operation.player, operation.role) = (context, player, role)
    return try ask(operation, as: owner)
  }

  @discardableResult
  func settings(
    _ context: ContextID, by owner: PlayerID, _ set: (inout ChangeContextSettings) -> Void
  ) throws -> ContextInfo {
    var operation = ChangeContextSettings()
    operation.context = context
    set(&operation)
    return try ask(operation, as: owner)
  }

  @discardableResult
  func remove(_ player: PlayerID, from context: ContextID, by moderator: PlayerID) throws
    -> ContextInfo
  {
    var operation = RemoveFromContext()
    (operation.context, operation.player) = (context, player)
    return try ask(operation, as: moderator)
  }

  func leave(_ context: ContextID, _ player: PlayerID) throws {
    var operation = LeaveContext()
    operation.context = context
    try ask(operation, as: player)
  }

  func close(_ context: ContextID, by owner: PlayerID, isForGood: Bool = false) throws {
    var operation = CloseContext()
    (operation.context, operation.isForGood) = (context, isForGood)
    try ask(operation, as: owner)
  }

  @discardableResult
  func reopen(_ context: ContextID, by player: PlayerID) throws -> ContextInfo {
    var operation = ReopenContext()
    operation.context = context
    return try ask(operation, as: player)
  }

  @discardableResult
  func get(_ context: ContextID, _ player: PlayerID) throws -> ContextInfo {
    try driver.get(context, as: player)
  }

  func list(_ player: PlayerID) throws -> [ContextInfo] {
    try driver.list(player, limit: 100).contexts
  }

  func block(_ other: PlayerID, by player: PlayerID, _ isBlocked: Bool = true) throws {
    if isBlocked {
      book.blocks[player, default: []].insert(other)
    } else {
      book.blocks[player]?.remove(other)
    }
    try tellBlock(other, by: player, isBlocked, at: driver.clock)
  }

  /// What the request service tells the list of whoever blocks.
  func tellBlock(_ other: PlayerID, by player: PlayerID, _ isBlocked: Bool, at time: Int64) throws {
    var news = RecordBlock()
    (news.player, news.other, news.isBlocked, news.time) = (player, other, isBlocked, time)
    try driver.call(news, as: PlayerID(), kind: .service)
    try driver.deliverOwnEffects()
  }

  func events<E: Event>(_ type: E.Type) throws -> [(player: PlayerID, event: E)] {
    try driver.streamEvents(type)
  }

  /// Forgets what was told so far.
  func forgetEvents() throws {
    _ = try driver.takeEffects(AppendEvent.self)
    _ = try driver.takeEffects(RecordRecentPlayers.self)
  }
}

let (dan, eve, fay) = (PlayerID.sample(4), PlayerID.sample(5), PlayerID.sample(6))

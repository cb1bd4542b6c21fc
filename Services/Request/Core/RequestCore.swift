public import Domain
import Operations
public import Wire

/// The rules of the request service: players, sessions, friends, requests and event streams, keyed
/// by player.
///
/// A handler changes only the state of its own player. What it wants of another is an effect on
/// that player's key, so every rule about two players holds also when they live in two processes.
public final class RequestCore: ServiceCore {
  public static var service: Service { .request }
  /// Requests that one tick expires, each with an effect, and players whose instances it looks at.
  static let tickStepMax = 64
  /// Looks of one tick that mostly find nothing to do.
  static let tickLooksMax = 1024

  var players = ResidentTable<PlayerRow>()
  var devices = ResidentTable<DeviceRow>()
  var instances = Instances()
  var games = PlayerGames()
  var edges = FriendEdges()
  var requests = ReceivedRequests()
  var streams = ResidentTable<StreamRow>()
  var subscriptions = Subscriptions()
  var invitationBudgets = Budgets(
    burst: FriendLimits.invitationBurst,
    refillMilliseconds: FriendLimits.invitationRefillMilliseconds)
  var sendBudgets = Budgets(
    burst: RequestLimits.sendBurst, refillMilliseconds: RequestLimits.sendRefillMilliseconds)
  var receiveBudgets = Budgets(
    burst: RequestLimits.receiveBurst, refillMilliseconds: RequestLimits.receiveRefillMilliseconds)

  public init() {}

  public static var tables: [TableDescription] {
    [
      TableDescription(PlayerRow.self), TableDescription(DeviceRow.self),
      TableDescription(InstanceRow.self), TableDescription(PlayerGameRow.self),
      TableDescription(FriendEdgeRow.self), TableDescription(ReceivedRequestRow.self),
      TableDescription(StreamRow.self), TableDescription(EventRow.self),
    ]
  }

  public var router: Router {
    var router = Router()
    router.on(RegisterDevice.self, registerDevice)
    router.on(OpenSession.self, openSession)
    router.on(RevokeSession.self, revokeSession)
    router.on(GetProfile.self, getProfile)
    router.on(SetProfile.self, setProfile)

    router.on(FetchFriends.self, fetchFriends)
    router.on(ListFriends.self, listFriends)
    router.on(InviteFriend.self, inviteFriend)
    router.on(AnswerFriend.self, answerFriend)
    router.on(RemoveFriend.self, removeFriend)
    router.on(BlockPlayer.self, blockPlayer)
    router.on(UnblockPlayer.self, unblockPlayer)
    router.on(FriendEdgeChanged.self, friendEdgeChanged)

    router.on(SendRequest.self, sendRequest)
    router.on(DeliverRequest.self, deliverRequest)
    router.on(Inbox.self, inbox)
    router.on(AnswerRequest.self, answerRequest)
    router.on(DeleteRequest.self, deleteRequest)
    router.on(RequestConcluded.self, requestConcluded)

    router.on(AppendEvent.self, appendEvent)
    router.on(Acknowledge.self, acknowledge)
    router.on(ReadEvents.self, readEvents)
    router.on(OfferReturnChallenge.self, offerReturnChallenge)
    return router
  }

  public func load(table: UInt16, row: RawSpan) throws(WireError) {
    switch table {
    case PlayerRow.tableID: try players.load(row)
    case DeviceRow.tableID: try devices.load(row)
    case InstanceRow.tableID: try instances.load(row)
    case PlayerGameRow.tableID: try games.load(row)
    case FriendEdgeRow.tableID: try edges.load(row)
    case ReceivedRequestRow.tableID: try requests.load(row)
    case StreamRow.tableID: try streams.load(row)
    default: preconditionFailure("table \(table) is not a resident one of the request service")
    }
  }

  public func loaded() {
    instances.loaded()
    edges.loaded()
    requests.loaded()
  }

  public func tick(_ transaction: inout Transaction) {
    expireRequests(&transaction)
    expireInstances(&transaction)
    edges.forget(countMax: Self.tickLooksMax, &transaction)
    invitationBudgets.sweep(countMax: Self.tickLooksMax, now: transaction.now)
    sendBudgets.sweep(countMax: Self.tickLooksMax, now: transaction.now)
    receiveBudgets.sweep(countMax: Self.tickLooksMax, now: transaction.now)
  }

  public func closed(_ channel: Channel, _ transaction: inout Transaction) {
    guard let subscription = subscriptions.close(channel) else { return }
    instances.touch(
      InstanceKey(player: subscription.player, instance: subscription.instance), &transaction)
  }

  /// The caller's own row. The gateway vouches for the player, so it is missing only after erasure.
  func caller(_ call: Call) throws(Stop) -> PlayerRow {
    guard let player = players[call.player] else {
      throw .refuse(.notAuthenticated, "There is no such player any more.")
    }
    return player
  }
}

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
  public static var recordsExport: (any RecordsExport.Type)? { ExportRequestRecords.self }
  public static var recordsErasure: (any RecordsErasure.Type)? { EraseRequestRecords.self }
  /// Requests that one timer expires, each with an effect.
  static let expiredPerStep = 64

  var players = ResidentTable<PlayerRow>()
  var profiles = ResidentTable<ProfileRow>()
  var uploads = GroupedTable<PhotoUploadRow, PlayerID> { $0.player }
  var devices = Devices()
  var identities = ResidentTable<IdentityRow>()
  var proofs = GroupedTable<UsedProofRow, RoutingKey> { $0.identity }
  var holdings = GroupedTable<PlayerIdentityRow, PlayerID> { $0.player }
  var bans = GroupedTable<BanRow, PlayerID> { $0.player }
  var instances: Instances
  var games = GroupedTable<PlayerGameRow, PlayerID> { $0.player }
  var edges: FriendEdges
  var requests: ReceivedRequests
  var inviteTokens: InviteTokens
  var consents = ResidentTable<ConsentRow>()
  var streams = ResidentTable<StreamRow>()
  var shares: StreamShares
  var cursors = DeviceCursors()
  var subscriptions = Subscriptions()
  /// Whose friends have been told that they are online.
  var toldOnline: Set<PlayerID> = []
  var presencePace = PresencePace()
  var latePresence = LatePresence()
  /// In memory alone: of all players who erase themselves.
  var erasurePace = TokenBucket()
  var budgets: Budgets
  var receivedBudgets = KeyedBudgetRows<ReceivedBudgetRow>()
  /// What a recipient may get in a game of one sender, and of all.
  let receivedRates: (ofSender: TokenBucket.Rate, ofAll: TokenBucket.Rate)
  /// Acknowledged events that are kept all the same.
  let keptEvents: UInt64
  var declaredGames = ResidentTable<GameRow>()
  /// In memory alone, like what they are for: hints, which are lost anyway where nobody hears them.
  var hintBudgets = Budgets(
    [
      .hints: TokenBucket.Rate(
        burst: HintLimits.burst, refillMilliseconds: HintLimits.refillMilliseconds),
      .presenceHints: TokenBucket.Rate(
        burst: HintLimits.burst, refillMilliseconds: HintLimits.refillMilliseconds),
      .toldPresence: TokenBucket.Rate(
        burst: 1, refillMilliseconds: PresenceLimits.againMilliseconds),
    ], isKept: false)
  /// In memory alone: whoever only reads writes nothing.
  var readBudgets: Budgets
  /// Set where there is a push hook: told when a row of `PushQueueRow` is due, while the command
  /// that puts it still runs.
  package var eventQueued: ((_ due: Int64) -> Void)?
  public let settings: SettingValues

  public static let declaredSettings: [NumberSetting] = [
    .requestLifetime, .inboxMax, .sessionIdle, .sessionsPerPlayerMax, .streamEventsMax,
    .streamEventsPerSender, .streamEventsKept, .streamReplayMax, .streamDeviceLag,
    .streamEventLifetime, .refuseLongTexts,
    .sendBurst, .sendRefill, .receiveBurst, .receiveRefill, .invitationBurst, .invitationRefill,
    .invitationLifetime, .photoBurst, .photoRefill,
    .inboxPerSender, .receivePerSenderBurst, .receivePerSenderRefill, .inviteTokenLifetime,
    .inviteTokenBurst, .inviteTokenRefill, .consentBurst, .consentRefill, .inboxTotal,
    .selectBurst, .selectRefill, .pushHookDelay, .unusedAccount,
  ]

  public init(settings: SettingValues) {
    self.settings = settings
    instances = Instances(settings)
    receivedRates = (
      settings.rate(.receivePerSenderBurst, refill: .receivePerSenderRefill),
      settings.rate(.receiveBurst, refill: .receiveRefill)
    )
    keptEvents = UInt64(settings[.streamEventsKept])
    shares = StreamShares(settings)
    requests = ReceivedRequests(settings)
    inviteTokens = InviteTokens(lifetimeMilliseconds: settings[.inviteTokenLifetime])
    readBudgets = Budgets(
      [.selections: settings.rate(.selectBurst, refill: .selectRefill)], isKept: false)
    edges = FriendEdges(invitationLifetime: settings[.invitationLifetime])
    budgets = Budgets([
      .invitations: settings.rate(.invitationBurst, refill: .invitationRefill),
      .sentRequests: settings.rate(.sendBurst, refill: .sendRefill),
      .photos: settings.rate(.photoBurst, refill: .photoRefill),
      .consents: settings.rate(.consentBurst, refill: .consentRefill),
      .inviteTokens: settings.rate(.inviteTokenBurst, refill: .inviteTokenRefill),
    ])
  }

  public func register(_ tables: inout Tables) {
    tables.resident(PlayerRow.self) { self.players.load($0) }
    tables.resident(DeviceRow.self) { self.devices.load($0) }
    tables.resident(InstanceRow.self) { self.instances.load($0) }
    tables.resident(PlayerGameRow.self) { self.games.load($0) }
    tables.resident(FriendEdgeRow.self) { self.edges.load($0) }
    tables.resident(ReceivedRequestRow.self) { self.requests.load($0) }
    tables.resident(StreamRow.self) { self.streams.load($0) }
    tables.resident(PlayerBudgetRow.self) { self.budgets.load($0) }
    tables.resident(GameRow.self, about: .nobody) { self.declaredGames.load($0) }
    tables.resident(StreamShareRow.self) { self.shares.load($0) }
    tables.cold(EventRow.self)
    tables.resident(DeviceCursorRow.self) { self.cursors.load($0) }
    tables.resident(ProfileRow.self) { self.profiles.load($0) }
    tables.resident(PhotoUploadRow.self) { self.uploads.load($0) }
    tables.cold(PhotoPieceRow.self)
    tables.cold(RecentPlayersRow.self)
    registerAccounts(&tables)
    tables.resident(ConsentRow.self) { self.consents.load($0) }
    tables.resident(ReceivedBudgetRow.self) { self.receivedBudgets.load($0) }
    tables.resident(InviteTokenRow.self) { self.inviteTokens.load($0) }
    tables.cold(TokenRequestRow.self)
    tables.cold(PushQueueRow.self)
    registerErasure(&tables)
  }

  public var router: Router {
    var router = Router()
    router.on(RegisterDevice.self, registerDevice)
    router.on(OpenSession.self, openSession)
    router.on(RevokeSession.self, revokeSession)
    router.on(ExpireInstances.self, expireInstances)
    registerAccounts(&router)
    router.on(GetProfile.self, getProfile)
    router.on(GetProfiles.self, getProfiles)
    router.on(FetchProfile.self, fetchProfile)
    router.on(FetchPlayer.self, fetchPlayer)
    router.on(SetProfile.self, setProfile)
    router.on(FetchFriendSample.self, fetchFriendSample)
    router.on(SuggestFriends.self, suggestFriends)
    router.on(InviteFriends.self, inviteFriends)
    router.on(ImportFriends.self, importFriends)
    router.on(TellPresence.self, tellPresence)
    router.on(TellLatePresence.self, tellLatePresence)
    router.on(RecordRecentPlayers.self, recordRecentPlayers)
    router.on(ListRecentPlayers.self, listRecentPlayers)
    router.on(PutPhotoPiece.self, putPhotoPiece)
    router.on(RemovePhoto.self, removePhoto)
    router.on(ReadPhoto.self, readPhoto)
    router.on(ExpirePhotoUpload.self, expirePhotoUpload)

    router.on(FetchFriends.self, fetchFriends)
    router.on(FetchBlocks.self, fetchBlocks)
    router.on(ConfirmMatch.self, confirmMatch)
    router.on(ListFriends.self, listFriends)
    router.on(InviteFriend.self, inviteFriend)
    router.on(AnswerFriend.self, answerFriend)
    router.on(RemoveFriend.self, removeFriend)
    router.on(BlockPlayer.self, blockPlayer)
    router.on(UnblockPlayer.self, unblockPlayer)
    router.on(FriendEdgeChanged.self, friendEdgeChanged)
    router.on(ForgetFriendEdge.self, forgetFriendEdge)
    router.on(ExpireInvitation.self, expireInvitation)

    router.on(SendRequest.self, sendRequest)
    router.on(DeliverRequest.self, deliverRequest)
    router.on(Inbox.self, inbox)
    router.on(AnswerRequest.self, answerRequest)
    router.on(DeleteRequest.self, deleteRequest)
    router.on(RequestConcluded.self, requestConcluded)
    router.on(ExpireRequests.self, expireRequests)
    router.on(SelectRecipients.self, selectRecipients)
    router.on(FetchConsent.self, fetchConsent)
    router.on(GrantConsent.self, grantConsent)
    router.on(RevokeConsent.self, revokeConsent)
    router.on(RecordConsent.self, recordConsent)
    router.on(ListConsents.self, listConsents)
    router.on(CreateInviteTokens.self, createInviteTokens)
    router.on(ListInviteTokens.self, listInviteTokens)
    router.on(RevokeInviteToken.self, revokeInviteToken)
    router.on(ClaimInviteToken.self, claimInviteToken)
    router.on(ExpireInviteToken.self, expireInviteToken)

    router.on(AppendEvent.self, appendEvent)
    router.on(Acknowledge.self, acknowledge)
    router.on(ReadEvents.self, readEvents)
    router.on(SweepStream.self, sweepStream)
    router.on(ExpireEvents.self, expireEvents)
    router.on(ReadSnapshot.self, readSnapshot)
    router.on(DeliverHint.self, deliverHint)
    router.on(OfferReturnChallenge.self, offerReturnChallenge)
    router.on(BeginPush.self, beginPush)
    router.on(EndPush.self, endPush)

    router.on(ErasePlayer.self, erasePlayer)
    router.on(EraseMyself.self, eraseMyself)
    router.on(DeclareGame.self, declareGame)
    router.on(FetchGame.self, fetchGame)
    return router
  }

  public func loaded(_ transaction: inout Transaction) {
    instances.loaded(&transaction)
    requests.loaded(&transaction)
    inviteTokens.loaded(&transaction)
    edges.loaded(&transaction)
    accountsLoaded(&transaction)
    streamsLoaded(&transaction)
    for player in uploads.groups {
      for upload in uploads.rows(of: player) { setTimer(of: upload, &transaction) }
    }
  }

  /// How many devices need each of the gateways' keys: an older one may go when none needs it.
  public var deviceCountsByKey: [UInt16: Int] { devices.countsByKey }

  public func closed(_ channel: Channel, _ transaction: inout Transaction) {
    guard let subscription = subscriptions.close(channel) else { return }
    instances.touch(
      InstanceKey(player: subscription.player, instance: subscription.instance), &transaction)
    lookAtPresence(of: subscription.player, &transaction)
  }

  /// The caller's own row. The gateway vouches for the player, so it is missing only after erasure.
  func caller(_ call: Call) throws(Stop) -> PlayerRow {
    guard let player = players[call.player] else {
      throw .refuse(.notAuthenticated, "There is no such player any more.")
    }
    return player
  }
}

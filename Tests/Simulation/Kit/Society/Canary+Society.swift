import ContextCore
import Domain
import Operations
import RequestCore
import Wire

extension Canary {
  /// What the settings of the services' processes are instead.
  var settings: [NumberSetting: Int] {
    switch self {
    case .endlessJoining: [.matchJoin: 3_600]
    case .endlessRequests: [.requestLifetime: 3_650]
    case .endlessTokens: [.inviteTokenLifetime: 3_650]
    case .roomyInbox: [.inboxMax: 12, .inboxPerSender: 6]
    case .forgottenDevices: [.streamDeviceLag: 0]
    case .shortEvents: [.streamEventLifetime: 1]
    case .endlessEvents: [.streamEventLifetime: 3_650]
    default: [:]
    }
  }

  /// A player of nobody's, of whose bytes no others remind.
  private static let anybody = PlayerID(high: 0x3c1d_88a7_52e6_0b9f, low: 0x94f3_6ad0_17c8_e52b)

  func spoilSociety(_ request: inout Request) {
    switch self {
    case .toldRecipients:
      change(SendRequest.self, &request) { send in
        if send.recipients.count > 1 { send.data = send.recipients.joined(separator: ", ") }
      }
    case .wrongAnswer: change(AnswerRequest.self, &request) { $0.accept.toggle() }
    case .noReceipts: change(SendRequest.self, &request) { $0.wantsReceipts = false }
    case .emptyToken: change(DeliverRequest.self, &request) { $0.isInvited = false }
    case .keptRequest: makeNothing(of: DeleteRequest.opcode, &request)
    case .noRevocation: makeNothing(of: RevokeInviteToken.opcode, &request)
    case .keptConsent:
      change(RevokeConsent.self, &request) { $0.player = PlayerID(high: 1, low: 1) }
    case .untoldConsent:
      change(RecordConsent.self, &request) { $0.other = PlayerID(high: 1, low: 1) }
    case .noConsent: change(SendRequest.self, &request) { $0.isFrictionless = false }
    case .keptIdentity: change(PassIdentity.self, &request) { $0.from = 0 }
    case .keptRows:
      change(EraseRequestRecords.self, &request) { $0.player = Self.anybody }
    case .ownStandIn:
      change(EraseRequestRecords.self, &request) { news in
        var random = RandomSource.seeded(1)
        news.standIn = Erasure(of: news.player) { random.next() }.standIn
      }
    case .softBlock:
      guard request.opcode == BlockPlayer.opcode,
        let block = try? BlockPlayer(decoding: request.body)
      else { return }
      var remove = RemoveFriend()
      remove.player = block.player
      (request.opcode, request.body) = (RemoveFriend.opcode, remove.encoded)
    default: break
    }
  }

  /// Makes of a call that has an empty reply one that changes nothing.
  private func makeNothing(of opcode: Opcode, _ request: inout Request) {
    guard request.opcode == opcode else { return }
    (request.opcode, request.body) = (RevokeConsent.opcode, RevokeConsent().encoded)
  }
}

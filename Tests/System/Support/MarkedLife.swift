import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

/// The life of a player who leaves a marker wherever a player can write something, among ten
/// others; and what can be found of it afterwards (rule 7.3).
struct MarkedLife {
  static let marker = "Markermaid"
  static let board = "high"
  private static let photoBytes = 80_000

  let stack: Stack
  let anna: MusterClient
  let credential: Credential
  /// Ten others: some are her friends, and some meet her in a group alone; the last one blocks her.
  let others: [(client: MusterClient, credential: Credential)]
  let group: ContextID
  let photo: PhotoID

  var player: PlayerID { credential.player }

  /// Plays everything.
  init(in stack: Stack, _ issuer: TokenIssuer) async throws {
    self.stack = stack
    let client = MusterClient(stack.configuration)
    let proof = try await issuer.proof(Self.marker, client.beginIdentity())
    let found = try await client.signUp(
      with: proof, displayName: Self.marker, deviceName: "\(Self.marker)'s phone")
    try await client.signIn(found.credential)
    (anna, credential) = (client, found.credential)
    var others: [(client: MusterClient, credential: Credential)] = []
    for number in 0..<10 {
      let other = try await stack.player("Other \(number)")
      others.append((other.client, other.1))
    }
    self.others = others
    photo = try await Self.showHerself(client)
    for friend in others[..<6] { try await befriend((client, found.credential), friend) }
    _ = try await others[9].client.call(blocking(found.credential.player))
    group = try await Self.meet(client, others)
    try await Self.takeTurns(client, found.credential.player, others, in: group)
    try await askAndAnswer()
    try await compete()
    try await playMatches()
  }

  func close() async {
    for other in others { await other.client.close() }
    await anna.close()
  }

  // MARK: What she does

  private static func showHerself(_ anna: MusterClient) async throws -> PhotoID {
    var profile = SetProfile()
    profile.alias = "\(marker) the First"
    _ = try await anna.call(profile)
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
    let scan = Array(String(repeating: marker, count: photoBytes / marker.utf8.count).utf8)
    return try await anna.setPhoto(
      [0xFF, 0xD8] + frame + [0xFF, 0xDA, 0, 2] + scan + [0xFF, 0xD9])
  }

  private static func meet(
    _ anna: MusterClient, _ others: [(client: MusterClient, credential: Credential)]
  ) async throws -> ContextID {
    let friends = others[..<6].map(\.credential.player)
    let group = try await anna.createGroup(
      name: "Hers", sizeMax: 20, policy: .open, inviting: Array(friends))
    let context = group.info.context
    for other in others[..<4] { _ = try await other.client.switchContext(to: context) }
    for other in others[6..<9] { _ = try await other.client.joinContext(context) }
    for other in others[..<3] { _ = try await anna.createContext(with: other.credential.player) }
    _ = try await others[3].client.createContext(with: anna.session?.player ?? PlayerID())
    try await anna.createSoloContext()
    _ = try await anna.switchContext(to: context)
    return context
  }

  /// Moves, hidden states, an exchange and foreseen moves in a game that goes on, and another game
  /// with a sealed move.
  private static func takeTurns(
    _ anna: MusterClient, _ player: PlayerID,
    _ others: [(client: MusterClient, credential: Credential)], in group: ContextID
  ) async throws {
    let secret = Array("hidden of \(marker)".utf8)
    let players = [player] + others[..<3].map(\.credential.player)
    let games = anna.turns(in: group)
    let game = try await games.start(players: players, state: [1], hidden: [player: secret])
    for other in others[..<3] {
      try await other.client.turns(in: group).answer(game.number, accept: true)
    }
    _ = try await games.move(
      Array("e4".utf8), in: games.read(game.number).info, hidden: secret + [2])
    var exchange = OpenTurnExchange()
    (exchange.context, exchange.number) = (group, game.number)
    exchange.players = [others[0].credential.player]
    exchange.payload = Bytes(Array("words of \(marker)".utf8))
    _ = try await anna.call(exchange)
  }

  private func askAndAnswer() async throws {
    var send = SendRequest()
    (send.message, send.title) = ("From \(Self.marker)", Self.marker)
    (send.actionType, send.objectID) = (.askFor, "\(Self.marker)-1")
    (send.data, send.cta) = ("data of \(Self.marker)", Self.marker)
    send.recipients = others[..<4].map { "\($0.credential.player)" }
    _ = try await anna.call(send)
    let token = try await anna.call(CreateInviteTokens(count: 1)).tokens[0].token
    (send.recipients, send.actionType, send.objectID) = ([token], .none, "")
    _ = try await anna.call(send)
    _ = try await others[7].client.claim(inviteToken: token)
    (send.message, send.title, send.data, send.cta) = ("For you", "", nil, "")
    send.recipients = ["\(player)"]
    for other in others[..<2] { _ = try await other.client.call(send) }
    let asked = try await anna.call(Inbox()).requests
    var answer = AnswerRequest()
    (answer.request, answer.accept) = (try #require(asked.first).request, true)
    _ = try await anna.call(answer)
  }

  private func compete() async throws {
    for (index, client) in ([anna] + others[..<5].map(\.client)).enumerated() {
      var submit = SubmitScore()
      (submit.board, submit.value) = (Self.board, Int64(4_711 - index))
      _ = try await client.call(submit)
    }
    var issue = IssueScoreChallenge()
    (issue.board, issue.message) = (Self.board, "Beat \(Self.marker)")
    issue.receivers = others[..<3].map(\.credential.player)
    _ = try await anna.call(issue)
    (issue.message, issue.receivers) = ("Beat me", [player])
    _ = try await others[4].client.call(issue)
    var report = ReportAchievements()
    report.reports = [AchievementReport()]
    (report.reports[0].achievement, report.reports[0].percentComplete) = ("first", 100)
    _ = try await anna.call(report)
    _ = try await anna.issueChallenge(
      toEarn: "first", receivers: [others[1].credential.player], message: "Earn \(Self.marker)")
  }

  /// A match that is found and played, and a ticket that waits.
  private func playMatches() async throws {
    async let one = anna.findMatch(in: "pair")
    async let other = others[5].client.findMatch(in: "pair")
    let (own, others) = try await (one, other)
    try await own.sendReliable(Array("data of \(Self.marker)".utf8))
    _ = others
    var find = FindMatch()
    find.playerGroup = "waiting"
    find.criteria.words = [TicketWord()]
    (find.criteria.words[0].name, find.criteria.words[0].word) = ("mode", Self.marker)
    _ = try await anna.call(find)
  }

  // MARK: What is left

  private var wanted: [Data] {
    [Data(player.bytes), Data("\(player)".utf8), Data(Self.marker.utf8)]
  }

  private func isTrace(_ bytes: Data) -> Bool {
    wanted.contains { bytes.range(of: $0) != nil }
  }

  /// The files of services that have her id or what she wrote; the lists of who was erased have to
  /// name her.
  func files() throws -> [String] {
    let data = stack.directory.appendingPathComponent("data")
    let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension != "erased", let bytes = try? Data(contentsOf: file) else {
        continue
      }
      if isTrace(bytes) { found.append(file.path) }
    }
    return found
  }

  /// The calls by which others still read something of her.
  func readings() async throws -> [String] {
    var found: [String] = []
    for (index, other) in others.enumerated() {
      for (name, bytes) in try await replies(to: other.client) where isTrace(Data(bytes)) {
        found.append("\(name) of \(index)")
      }
    }
    return found
  }

  /// What a player can read, encoded.
  private func replies(to client: MusterClient) async throws -> [(name: String, bytes: [UInt8])] {
    var replies: [(name: String, bytes: [UInt8])] = []
    func read<O: MusterKit.Operation>(_ operation: O) async throws {
      replies.append(("\(O.self)", try await client.call(operation).encoded))
    }
    try await read(ReadEvents())
    try await read(ReadSnapshot())
    try await read(ListFriends())
    try await read(SuggestFriends())
    try await read(ListRecentPlayers())
    try await read(SelectRecipients())
    try await read(ListConsents())
    try await read(ListInviteTokens())
    try await read(Inbox())
    try await read(ListContexts())
    try await read(CurrentContext())
    try await read(SuggestContexts())
    try await read(ListTurnGames())
    try await read(ListMatchInvites())
    try await read(ReceivedChallenges())
    try await read(IssuedChallenges())
    var top = TopScores()
    top.board = Self.board
    try await read(top)
    var friends = FriendScores()
    friends.board = Self.board
    try await read(friends)
    for context in try await client.call(ListContexts()).contexts.map(\.context) {
      try await read(getting(context))
    }
    if let game = try? await client.turns(in: group).read() {
      replies.append(("read turn game", game.encoded))
      // Who has no seat in the game sees that it is played, and no moves.
      let moves = try? await client.turns(in: group).moves()
      replies += (moves ?? []).map { ("moves", $0.encoded) }
      for exchange in game.info.exchanges {
        if let words = try? await client.turns(in: group)
          .readExchange(exchange.id, in: game.info.number)
        {
          replies.append(("exchange", words.encoded))
        }
      }
    }
    return replies
  }
}

func getting(_ context: ContextID) -> GetContext {
  var get = GetContext()
  get.context = context
  return get
}

private func blocking(_ player: PlayerID) -> BlockPlayer {
  var block = BlockPlayer()
  block.player = player
  return block
}

import TestKit
import Testing
import Wire

@testable import Domain

/// What is left of a message about an erased player (rule 7.3).
struct MessageEraserTests {
  private let erasure = Erasure(of: .sample(1), as: .sample(9))

  struct Word: Message {
    var player = PlayerID()
    var board = ""
    var text = ""
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("board", &board)
      visit.field("text", &text)
    }
  }

  /// It says nothing of a player by itself.
  struct Holding: Message {
    var subject = ""
    var word = Word()
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("subject", &subject)
      visit.field("word", &word)
    }
  }

  struct Enrolment: Message {
    var player = PlayerID()
    var holdings: [Holding] = []
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("holdings", &holdings)
    }
  }

  struct Talk: Message {
    var key = WordKey()
    var players: [PlayerID] = []
    var text = ""
    var words: [Word] = []
    var last: Word?
    var code = PrincipalKind()
    var ratio = 0.5
    var data = Bytes()
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("key", &key)
      visit.field("players", &players)
      visit.field("text", &text)
      visit.field("words", &words)
      visit.field("last", &last)
      visit.field("code", &code)
      visit.field("ratio", &ratio)
      visit.field("data", &data)
    }
  }

  struct WordKey: RowKey {
    var game: UInt64 = 0
    var player = PlayerID()
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("game", &game)
      visit.field("player", &player)
    }
  }

  private func word(_ player: PlayerID) -> Word {
    var word = Word()
    (word.player, word.board, word.text) = (player, "speed", "hello")
    return word
  }

  private func rest<M: Message>(of message: M) throws -> M {
    try M(decoding: #require(erasure.rest(of: message.encoded, M.shape)))
  }

  @Test("7.3 the words beside the player's id go, those of others stay")
  func words() throws {
    var talk = Talk()
    talk.players = [.sample(2), .sample(1)]
    talk.text = "of all"
    talk.words = [word(.sample(1)), word(.sample(2))]
    talk.last = word(.sample(1))
    talk.code = .player
    let rest = try rest(of: talk)
    #expect(rest.players == [.sample(2), .sample(9)])
    #expect(rest.text == "of all", "a list says nothing of who wrote it")
    #expect(rest.words[0].player == .sample(9) && rest.words[0].text.isEmpty)
    #expect(rest.words[0].board == "speed", "a board's name is nobody's words")
    #expect(rest.words[1] == word(.sample(2)))
    #expect(rest.last == rest.words[0])
    #expect(rest.code == .player && rest.ratio == 0.5)
  }

  @Test("7.3 a message without a player is that of the message around it")
  func inherited() throws {
    var enrolment = Enrolment()
    enrolment.player = .sample(1)
    enrolment.holdings = [Holding()]
    enrolment.holdings[0].subject = "anna@provider"
    enrolment.holdings[0].word = word(.sample(2))
    let rest = try rest(of: enrolment)
    #expect(rest.holdings[0].subject.isEmpty)
    #expect(rest.holdings[0].word == word(.sample(2)), "another player's words")
    enrolment.player = .sample(3)
    #expect(try self.rest(of: enrolment) == enrolment)
  }

  @Test("7.3 a key that has the player makes the message the player's")
  func key() throws {
    var talk = Talk()
    (talk.key.game, talk.key.player) = (7, .sample(1))
    (talk.text, talk.data) = ("mine", Bytes([1, 2, 3]))
    let rest = try rest(of: talk)
    #expect(rest.key.game == 7 && rest.key.player == .sample(9))
    #expect(rest.text.isEmpty && rest.data.array.isEmpty)
  }

  @Test("7.3 ids within bytes and texts are replaced, in both their forms")
  func opaque() throws {
    var talk = Talk()
    talk.text = "\(PlayerID.sample(1)) and \(PlayerID.sample(2))"
    talk.data = Bytes([0xff] + PlayerID.sample(1).bytes + [0])
    let rest = try rest(of: talk)
    #expect(rest.text == "\(PlayerID.sample(9)) and \(PlayerID.sample(2))")
    #expect(rest.data.array == [0xff] + PlayerID.sample(9).bytes + [0])
  }

  @Test("7.3 fields of a later version stay, but for the id")
  func unknown() throws {
    let later = word(.sample(1)).encoded + [7] + PlayerID.sample(1).bytes
    let rest = try #require(erasure.rest(of: later, Word.shape))
    #expect(rest.suffix(17) == [7] + PlayerID.sample(9).bytes)
  }

  @Test("7.3 any message can be read after it, and a message of others is as it was")
  func arbitrary() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var talk = Talk.arbitrary(using: &random)
      #expect(try rest(of: talk) == talk)
      talk.players.append(.sample(1))
      #expect(!PlayerTrace(.sample(1)).isIn(try rest(of: talk).encoded))
    }
    #expect(erasure.rest(of: [1, 2, 3], Talk.shape) == nil, "cut short")
  }

  @Test("7.3 the stand-in is random, and at the player's slot")
  func standIn() {
    var random = SystemRandomNumberGenerator()
    let drawn = (1...20).map { _ in
      Erasure(of: .sample(1)) { random.next() }.standIn
    }
    #expect(Set(drawn).count == drawn.count)
    let slot = Slot.of(RoutingKey(reinterpreting: PlayerID.sample(1)))
    #expect(drawn.allSatisfy { Slot.of(RoutingKey(reinterpreting: $0)) == slot })
  }
}

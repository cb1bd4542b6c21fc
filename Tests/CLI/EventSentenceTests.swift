import Testing

@testable import MusterKit
@testable import muster

@Suite struct EventSentenceTests {
  private let now: Int64 = 1_795_783_669_784
  private let ada = PlayerID(high: 1, low: 1)
  private let ben = PlayerID(high: 1, low: 2)

  private func line(_ event: some Event) -> String {
    var streamed = StreamEvent()
    (streamed.time, streamed.kind) = (now, type(of: event).opcode.rawValue)
    streamed.body = Bytes(event.encoded)
    let reading = Reading(namesAskedFor: [ben: "Ben"], reader: ada)
    return EventSentence(reading: reading, now: now).line(PlayerEvent(streamed))
  }

  @Test("every event of the stream and every hint is told in words")
  func told() {
    for type in EventText.known { #expect(type is any Told.Type, "\(type.name)") }
  }

  @Test("a line has the time, who, and what")
  func lines() {
    let time = LocalDate.text(now, .day)
    var invitation = FriendInvitation()
    invitation.player = ben
    #expect(line(invitation) == "\(time)  Ben asks you to be friends")
    var received = RequestReceived()
    (received.request.sender, received.request.message) = (ben, "Come!")
    received.request.actionType = .turn
    #expect(line(received) == "\(time)  Ben sends you a request (turn): \"Come!\"")
    var completed = ChallengeCompleted()
    (completed.challenge.issuer, completed.challenge.receiver) = (ada, ben)
    (completed.challenge.board, completed.challenge.value) = ("laps", 10)
    completed.value = 12
    #expect(line(completed) == "\(time)  your challenge to Ben to meet 10 on laps is met, with 12")
  }

  @Test("on a narrow terminal the words go on below, and ids stay whole")
  func narrow() {
    let context = ContextID(high: 1, low: 9)
    var closed = ContextClosed()
    closed.context = context
    let hint = PlayerHint(kind: ContextClosed.opcode, body: closed.encoded)
    let sentence = EventSentence(now: now, width: 40)
    #expect(
      sentence.line(hint) == """
        \(LocalDate.text(now, .day))  hint: the context
                  \(context) is
                  closed
        """)
  }

  @Test("whatever an event holds, it is one line that does not control the terminal")
  func anything() {
    var generator = SystemRandomNumberGenerator()
    for type in EventText.known {
      for _ in 0..<20 {
        let event = type.arbitrary(using: &generator)
        let isOneLine = isOneLine(event)
        #expect(isOneLine, "\(event)")
      }
    }
    var request = RequestReceived()
    request.request.message = "\u{1b}[2J\nx"
    #expect(line(request).contains("\u{fffd}[2J\u{fffd}x"))
  }

  private func isOneLine(_ event: some Event) -> Bool {
    let line = line(event)
    return !line.isEmpty && !line.contains(where: \.isNewline) && !line.contains("\u{1b}")
  }

  @Test("an event of a kind that is not known here is told of, and so is a loss")
  func unknown() {
    var event = PlayerEvent(StreamEvent())
    event.kind = Opcode(rawValue: 0x7fff)
    let sentence = EventSentence(now: now)
    #expect(sentence.line(event).contains("which this version of muster cannot tell"))
    event.isAfterLoss = true
    #expect(sentence.line(event).contains("(events are missing before this one)"))
  }
}

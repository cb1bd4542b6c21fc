import MusterKit
import Terminal

/// An event or a hint that is told in plain words.
protocol Told: Event {
  /// A sentence to the player who reads, without its full stop.
  func words(_ reading: Reading) -> String
}

/// One line of `muster watch`: when it was, and what has happened. On a terminal that is narrower
/// than the line, the words go on below.
struct EventSentence {
  var reading = Reading()
  var paint = Paint(isOn: false)
  /// When the line is shown, in milliseconds since 1970.
  var now: Int64
  /// The terminal's columns; nil for one line, however long.
  var width: Int?

  func line(_ event: PlayerEvent) -> String {
    let loss = event.isAfterLoss ? "(events are missing before this one) " : ""
    return line(event.time, loss + words(event.kind, event.body))
  }

  /// A hint says nothing of when it was: it is told as it happens.
  func line(_ hint: PlayerHint) -> String {
    line(now, "hint: " + words(hint.kind, hint.body))
  }

  private func words(_ kind: Opcode, _ body: [UInt8]) -> String {
    guard let event = EventText.decode(kind, body) as? any Told else {
      return "event \(kind), which this version of muster cannot tell; --json has its bytes"
    }
    return event.words(reading)
  }

  private func line(_ time: Int64, _ words: String) -> String {
    let time = LocalDate.text(time, seenAt: now)
    let lines = TextWrap.text(
      words.printable, after: time, column: time.count + 2, width: width)
    return paint(.dim, time) + lines.joined(separator: "\n").dropFirst(time.count)
  }
}

/// Prints what a player's client is told, as it comes.
struct EventTeller: Sendable {
  let output: Output
  let names: PlayerNames

  init(_ client: MusterClient, _ output: Output) {
    self.output = output
    names = PlayerNames(client)
  }

  func tell(_ event: PlayerEvent) async {
    if output.isJSON { return output.show(EventText.tree(event)) }
    output.print(await sentence(event.kind, event.body).line(event))
  }

  func tell(_ hint: PlayerHint) async {
    if output.isJSON { return output.show(EventText.tree(hint)) }
    output.print(await sentence(hint.kind, hint.body).line(hint))
  }

  private func sentence(_ kind: Opcode, _ body: [UInt8]) async -> EventSentence {
    var sentence = EventSentence(paint: output.paint, now: LocalDate.now, width: output.width)
    if let event = EventText.decode(kind, body) {
      sentence.reading = await names.reading(of: event)
    }
    return sentence
  }
}

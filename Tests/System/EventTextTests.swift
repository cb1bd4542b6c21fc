import Catalog
import Operations
import Testing
import Wire

@testable import MusterKit
@testable import muster

extension System {
  /// What `muster watch` prints of an event, without a deployment.
  @Suite struct EventTexts {
    /// One that is missing is printed as a number and bytes.
    @Test("every event of the stream and every hint is printed with its own fields")
    func known() {
      let printed = EventText.known.map { $0.name }
      #expect(printed.count == Set(printed).count)
      // A client hands that one on as a hint.
      let expected = MessageCatalog.events
        .filter { $0.way != .push || $0.opcode == ServiceRestored.opcode }.map { $0.name }
      #expect(expected.contains("EventsDropped"))
      #expect(Set(printed) == Set(expected))
    }

    @Test("the first event after a loss says so, and no other does")
    func afterLoss() throws {
      var dropped = EventsDropped()
      dropped.count = 7
      var event = StreamEvent()
      (event.sequence, event.game, event.kind) = (5, "demo", EventsDropped.opcode.rawValue)
      event.body = Bytes(dropped.encoded)
      var shown = PlayerEvent(event)
      let usual = RecordText.of(EventText.tree(shown))
      #expect(usual.contains("kind: EventsDropped") && usual.contains("count: 7"), "\(usual)")
      #expect(!usual.contains("isAfterLoss"))
      shown.isAfterLoss = true
      let lossy = RecordText.of(EventText.tree(shown))
      #expect(lossy.contains("isAfterLoss: yes"), "\(lossy)")
    }
  }
}

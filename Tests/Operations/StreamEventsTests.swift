import Catalog
import Operations
import Testing
import Wire

@Suite struct StreamEventsTests {
  /// Whoever shows events to people or to other programs names them by this list.
  @Test("2.8 every event of the stream is listed")
  func all() {
    let listed = StreamEvents.all.map { $0.name }
    let declared = MessageCatalog.events.filter { $0.way == .stream }.map { $0.name }
    #expect(listed.count == declared.count && Set(listed) == Set(declared))
  }
}

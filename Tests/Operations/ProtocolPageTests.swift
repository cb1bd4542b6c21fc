import Catalog
import Testing

struct ProtocolPageTests {
  @Test func theCommittedPageIsWhatTheSourcesSay() throws {
    try Committed(path: "Shared/Operations/protocol.md").expect(ProtocolPage().text)
  }
}

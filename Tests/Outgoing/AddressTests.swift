import Outgoing
import Testing

@Suite("HTTPS address")
struct AddressTests {
  @Test(arguments: [
    "https://example.com/keys", "https://example.com", "https://example.com:8443/a?b=c",
    "https://127.0.0.1:1/", "HTTPS://EXAMPLE.com/",
  ])
  func accepts(_ text: String) throws { _ = try HTTPSAddress(text) }

  @Test(arguments: [
    "", "example.com", "http://example.com/", "ftp://example.com/", "file:///etc/passwd",
    "https://", "https:///path", "https:////path", "https:example.com", "https:/example.com",
    "https://user@example.com/", "https://user:word@example.com/",
    "https://example.com/ a", "https://example.com/\r\nHost: other", "https://example.com/\u{0}",
    "https://exämple.com/", "https://example.com/#part", "https://example.com:99999/",
    "https://\(String(repeating: "a", count: HTTPSAddress.sizeMax))",
  ])
  func refuses(_ text: String) {
    #expect(throws: HTTPSAddressError.self) { try HTTPSAddress(text) }
  }

  @Test func saysNothingOfTheQuery() throws {
    let address = try HTTPSAddress("https://user.example:444/path?key=secret")
    #expect("\(address)" == "https://user.example")
    #expect(try HTTPSAddress("https://[::1]:5/").host == "::1")
  }
}

@testable import Outgoing
import Testing

@Suite("Response head")
struct ResponseHeadTests {
  private func fresh(_ lines: String...) -> Int? {
    var head = ResponseHead()
    for line in lines {
      let goesOn = head.take(line + "\r\n")
      #expect(goesOn)
    }
    return head.freshSeconds
  }

  @Test func readsHowLongAnAnswerIsFresh() {
    #expect(fresh() == nil)
    #expect(fresh("Cache-Control: private") == nil)
    #expect(fresh("cache-CONTROL:public,Max-Age = \"60\" , x=1") == 60)
    #expect(fresh("Cache-Control: max-age=60", "Age: 59") == 1)
    #expect(fresh("Cache-Control: max-age=60", "Age: 61") == 0)
    #expect(fresh("Cache-Control: max-age=60, no-store") == 0)
    #expect(fresh("Cache-Control: no-cache", "Cache-Control: max-age=60") == 0)
    #expect(fresh("Cache-Control: max-age=60, max-age=20") == 20)
    #expect(fresh("Cache-Control: max-age=-1, max-age=, max-age, max-age=1.5") == nil)
    #expect(fresh("Cache-Control: max-age=99999999999999999999999") == 365 * 24 * 3600)
    #expect(fresh("no colon", ": nothing", "X-Max-Age: max-age=5") == nil)
    #expect(fresh("HTTP/1.1 103 Early", "Cache-Control: max-age=5", "HTTP/1.1 200 OK") == nil)
  }

  @Test func boundsItsBytes() {
    var head = ResponseHead()
    let line = String(repeating: "a", count: 1024)
    let accepted = (0..<40).map { _ in head.take(line) }
    #expect(accepted.prefix { $0 }.count == 32)
  }
}

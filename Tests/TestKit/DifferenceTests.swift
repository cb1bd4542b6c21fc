import TestKit
import Testing

struct DifferenceTests {
  @Test("the same is no difference")
  func same() {
    expectSame([UInt8](), [])
    expectSame([1, 2, 3], [1, 2, 3][...])
    #expect(firstDifference("text".utf8, Array("text".utf8)) == nil)
  }

  @Test("the first difference is said, in one short line")
  func first() {
    #expect(firstDifference([1, 2, 3], [1, 5, 6]) == "at 1 of 3: 2 is not 5")
    #expect(firstDifference([1, 2], [1, 2, 3]) == "2 where 3 are wanted")
    #expect(firstDifference([1, 2, 3], []) == "3 where 0 are wanted")
    let many = [UInt8](repeating: 7, count: 1 << 20)
    #expect(firstDifference(many, many.dropLast() + [8]) == "at 1048575 of 1048576: 7 is not 8")
    let rows = firstDifference([many], [many + [1]])
    #expect((rows?.count ?? 0) > 100 && (rows?.count ?? .max) < 500)
  }

  @Test("a difference fails the test that expects none, and says where")
  func fails() {
    withKnownIssue {
      expectSame([1, 2, 3], [1, 2, 4], "bodies")
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["bodies: at 2 of 3: 3 is not 4"]
    }
  }
}

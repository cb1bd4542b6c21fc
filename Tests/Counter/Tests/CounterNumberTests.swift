import Foundation
import Testing

@testable import collab_counter

@Suite struct CounterNumberTests {
  @Test("3.8 a number goes to the others as it is", arguments: [0, 1, -1, .max, .min])
  func back(number: Int) {
    #expect(CounterNumber.number(CounterNumber.data(number)) == number)
  }

  @Test("3.8 the most significant byte comes first")
  func order() { #expect(Array(CounterNumber.data(258)) == [0, 0, 0, 0, 0, 0, 1, 2]) }

  @Test("3.8 data of another length is no number", arguments: [0, 1, 7, 9])
  func other(length: Int) { #expect(CounterNumber.number(Data(count: length)) == nil) }
}

import Testing

@testable import ServiceKit

@Suite struct LogPaceTests {
  @Test("of each kind the first is written, then one a minute, with how many were kept back")
  func paces() {
    var pace = LogPace()
    #expect(pace.admit("a", now: 5) == 0)
    for time in 6..<106 as Range<UInt64> { #expect(pace.admit("a", now: time) == nil) }
    #expect(pace.admit("b", now: 50) == 0, "another kind")
    #expect(pace.admit("a", now: 60_004) == nil)
    #expect(pace.admit("a", now: 60_005) == 101)
    #expect(pace.admit("a", now: 60_006) == nil)
    #expect(pace.admit("a", now: 120_005) == 1)
    #expect(pace.admit("b", now: 120_005) == 0)
  }

  @Test("a line is written again after the time that was set")
  func interval() {
    var pace = LogPace(quietMilliseconds: 10_000)
    #expect(pace.admit("a", now: 0) == 0)
    #expect(pace.admit("a", now: 9_999) == nil)
    #expect(pace.admit("a", now: 10_000) == 1)
  }

  @Test("kinds beyond the bound are one kind")
  func bound() {
    var pace = LogPace()
    for number in 0..<LogPace.kindsMax { #expect(pace.admit("\(number)", now: 0) == 0) }
    #expect(pace.admit("one more", now: 0) == 0)
    #expect(pace.admit("another", now: 0) == nil)
    #expect(pace.admit("another", now: 60_000) == 1)
    #expect(pace.admit("3", now: 60_000) == 0)
  }
}

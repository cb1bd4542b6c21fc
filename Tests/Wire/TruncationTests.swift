import Domain
import Testing
import Wire

struct TruncationTests {
  /// Cut anywhere, a message is either refused or, cut between two of its fields, whole up to there
  /// with defaults behind.
  @Test func everyPrefixIsRefusedOrEndsAtAField() throws {
    var random = RandomSource.seeded(3)
    let defaults = FieldSplitter.split(Everything())
    for _ in 0..<60 {
      let message = Everything.arbitrary(using: &random)
      let fields = FieldSplitter.split(message)
      let bytes = message.encoded
      #expect(bytes == Array(fields.joined()))
      var boundaries: [Int: Int] = [0: 0]
      for (index, field) in fields.enumerated() {
        boundaries[fields[..<index].joined().count + field.count] = index + 1
      }
      for count in 0...bytes.count {
        do {
          let cut = try Everything(decoding: Array(bytes[..<count]))
          let whole = try #require(boundaries[count], "a cut at \(count) went unnoticed")
          #expect(cut.encoded == (fields[..<whole] + defaults[whole...]).flatMap { $0 })
        } catch {
          #expect(boundaries[count] == nil)
          switch error as? WireError {
          case .truncated, .lengthOverLimit: break
          default: Issue.record("a cut at \(count) was called \(error)")
          }
        }
      }
    }
  }

  @Test func envelopesToo() throws {
    var random = RandomSource.seeded(4)
    for _ in 0..<40 {
      let bytes = Enveloped.join(ServiceEnvelope.arbitrary(using: &random), [1, 2, 3])
      for count in 0..<bytes.count - 3 {
        #expect(throws: WireError.self) {
          try split(ServiceEnvelope.self, Array(bytes[..<count]))
        }
      }
    }
  }

  /// Bytes of chance and flipped bits: whatever happens, it is not a crash, and what was accepted
  /// is written again in a stable form.
  @Test func noiseNeverCrashes() throws {
    var random = RandomSource.seeded(5)
    for round in 0..<3000 {
      var bytes = Everything.arbitrary(using: &random).encoded
      if round % 3 == 0 {
        bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      } else {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
      }
      guard let message = try? Everything(decoding: bytes) else { continue }
      let again = message.encoded
      #expect(try Everything(decoding: again).encoded == again)
    }
  }

  @Test func roundTrip() throws {
    var random = RandomSource.seeded(6)
    for _ in 0..<500 {
      let message = Everything.arbitrary(using: &random)
      #expect(try Everything(decoding: message.encoded) == message)
      #expect(try decoded(encoded(message)) == message)
      let failure = Failure.arbitrary(using: &random)
      #expect(try Failure(decoding: failure.encoded) == failure)
      let envelope = ServiceEnvelope.arbitrary(using: &random)
      #expect(try ServiceEnvelope(decoding: envelope.encoded) == envelope)
    }
  }
}

import Identity
import Testing

@Suite("Tokens with a flaw")
struct TokenFlipTests {
  @Test(
    "No flipped bit, lost byte, added byte or end leaves a token right",
    arguments: [TokenWorld.google(), TokenWorld.custom()])
  func everyByte(_ world: TokenWorld) throws {
    let right = bytes(world.token())
    var cache = try world.cache()
    var accepted = 0
    func attempt(_ text: [UInt8]) {
      guard let token = try? CompactToken(text),
        case .verify(let key, _) = cache.advice(
          for: token.keyID, arrival: world.now, now: world.now)
      else { return }
      let identity = try? world.provider.verify(
        token, with: key, nonce: world.nonce, now: world.now)
      accepted += identity == nil ? 0 : 1
    }
    attempt(right)
    #expect(accepted == 1)
    for place in right.indices {
      for bit in 0..<8 {
        var text = right
        text[place] ^= 1 << UInt8(bit)
        attempt(text)
      }
      attempt(Array(right[..<place]))
      attempt(Array(right[..<place] + right[(place + 1)...]))
      attempt(right[..<place] + [right[place]] + right[place...])
    }
    #expect(accepted == 1)
  }
}

/// Tells whether a repeated call has the same body. It guards a client against its own mistakes,
/// not against an attacker: an idempotency key is only ever compared within one client's session.
enum BodyHash {
  static func of(_ body: [UInt8]) -> UInt64 {
    // 64-bit FNV-1a.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in body { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}

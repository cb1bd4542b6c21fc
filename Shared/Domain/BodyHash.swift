/// Tells whether a repeated call has the same body. It guards a client against its own mistakes,
/// not against an attacker: an idempotency key is only ever compared within one client's session.
enum BodyHash {
  static func of(_ body: RawSpan) -> UInt64 {
    // 64-bit FNV-1a.
    unsafe body.withUnsafeBytes { bytes in
      unsafe bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}

/// SHA-256 (FIPS 180-4) of bytes that are given one after the other. It allocates nothing.
///
/// Keys of names are made with it, also by clients and cores, which are built without OpenSSL. It
/// takes about half a microsecond for each 64 bytes; what has a secret uses `Crypto` in
/// `Transport`.
public struct SHA256: Sendable {
  /// What is hashed so far; it says all after whole blocks of 64 bytes.
  public private(set) var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// The words of the block that is being filled.
  private var block = SIMD16<UInt32>()
  /// The word that is being filled, its first byte in the high bits when it is full.
  private var word: UInt32 = 0
  private var byteCount: UInt64 = 0

  public init() {}

  /// Goes on with a hash that was left after whole blocks.
  public init(state: SIMD8<UInt32>, byteCount: UInt64) {
    precondition(byteCount % 64 == 0, "a hash goes on after whole blocks of 64 bytes")
    (self.state, self.byteCount) = (state, byteCount)
  }

  public mutating func add(_ byte: UInt8) {
    word = word << 8 | UInt32(byte)
    byteCount += 1
    guard byteCount % 4 == 0 else { return }
    block[Int(byteCount / 4 &- 1) % 16] = word
    if byteCount % 64 == 0 { mixBlock() }
  }

  /// Returns the hash as eight words, the first byte of a word in its high bits.
  public consuming func finish() -> SIMD8<UInt32> {
    let bitCount = byteCount * 8
    add(0x80)
    while byteCount % 64 != 56 { add(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      add(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    return state
  }

  private mutating func mixBlock() {
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for place in 0..<16 { unsafe words[place] = block[place] }
      for place in 16..<64 {
        let early = unsafe words[place - 15]
        let late = unsafe words[place - 2]
        let sum = unsafe words[place - 16] &+ words[place - 7]
        unsafe words[place] =
          sum &+ (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3)
          &+ (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10)
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      for place in 0..<64 {
        let input = unsafe words[place] &+ Self.roundConstants[place]
        let choice = (e & f) ^ (~e & g)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let one = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ input
        let two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
        (h, g, f, e) = (g, f, e, d &+ one)
        (d, c, b, a) = (c, b, a, one &+ two)
      }
      state &+= SIMD8(a, b, c, d, e, f, g, h)
    }
  }

  private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

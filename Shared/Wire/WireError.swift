/// What is wrong with bytes that came from a peer or from a store.
///
/// None of these can be caused by our own encoder, so each one ends the connection or, for a
/// journal, stops the start.
public enum WireError: Error, Equatable, Sendable {
  /// The bytes end inside a value.
  case truncated
  /// A length or a count that the rest of the bytes, or a limit, cannot hold.
  case lengthOverLimit(UInt64)
  /// A string that is not UTF-8.
  case invalidUTF8
  /// A presence flag or a Boolean that is neither 0 nor 1.
  case invalidFlag(UInt8)
  /// A frame of a version that this process does not speak.
  case unsupportedVersion(UInt8)
  /// A frame of a kind that this process does not know.
  case unknownKind(UInt8)
}

extension Failure {
  /// What a peer hears whose bytes are no frame, before its connection is closed.
  package static func framingLost(_ error: WireError) -> Failure {
    Failure(.malformed, "The bytes are not a frame that is taken here: \(error).")
  }
}

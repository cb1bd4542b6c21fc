#if canImport(Darwin)
  import Foundation
#else
  // The standard library has the tables but no public name for them; Foundation's own copy would
  // be the largest part of a service.
  @_spi(_Unicode) import Swift
#endif

extension String {
  /// The same text in Unicode's normal form C, so that what looks the same is the same bytes.
  public var inNormalForm: String {
    // ASCII, which most texts are, is in every normal form.
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    #if canImport(Darwin)
      return precomposedStringWithCanonicalMapping
    #else
      return String(String.UnicodeScalarView(_nfc))
    #endif
  }
}

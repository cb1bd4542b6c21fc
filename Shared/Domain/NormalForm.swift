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
    #if canImport(Darwin)
      precomposedStringWithCanonicalMapping
    #else
      String(String.UnicodeScalarView(_nfc))
    #endif
  }
}

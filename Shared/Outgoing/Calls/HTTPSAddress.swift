internal import CCurl

/// The address of one resource on a server that is called over HTTPS, as `https://host/path?query`.
///
/// libcurl reads the text, here and when it connects, so that what was checked is what is called.
/// The description leaves out path and query, which may hold a key that nobody must log.
@safe
public struct HTTPSAddress: Sendable, Hashable, CustomStringConvertible {
  /// A session ticket of Steam, which is a part of a query, has up to 5 KiB in hexadecimal digits.
  public static let sizeMax = 8 << 10

  let text: String
  /// A name, or an IP address without its brackets.
  public let host: String

  public var description: String { "https://\(host)" }

  /// Fails with a sentence for the operator: another protocol than HTTPS, a user's name or a
  /// password, a fragment, a character that is not printable ASCII, more than `sizeMax` bytes.
  public init(_ text: String) throws(HTTPSAddressError) {
    guard text.utf8.count <= Self.sizeMax else {
      throw HTTPSAddressError("an address has at most \(Self.sizeMax) bytes")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw HTTPSAddressError("an address has printable ASCII characters only, and no fragment")
    }
    // libcurl would forgive a third slash, and take the path for a host.
    guard text.lowercased().hasPrefix("https://"), text.dropFirst(8).first != "/" else {
      throw HTTPSAddressError.form
    }
    let parts = unsafe curl_url()
    defer { unsafe curl_url_cleanup(parts) }
    guard
      unsafe curl_url_set(parts, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
      let host = unsafe Self.part(CURLUPART_HOST, of: parts), !host.isEmpty
    else { throw HTTPSAddressError.form }
    self.text = text
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  private static func part(_ part: CURLUPart, of parts: OpaquePointer?) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(parts, part, &value, 0) == CURLUE_OK, let value = unsafe value else {
      return nil
    }
    defer { unsafe curl_free(value) }
    return unsafe String(cString: value)
  }
}

extension HTTPSAddress: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["host": host]) }
}

/// What is wrong with the text of an address. It does not repeat the text, which may hold a key.
public struct HTTPSAddressError: Error, Equatable, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }

  static let form = Self("an address reads https://host/path, without a user's name")
}

/// One call to a server over HTTPS.
public struct HTTPSRequest: Sendable {
  public enum Method: Sendable, Equatable {
    case get
    /// - Parameter contentType: as `application/json`.
    case post([UInt8], contentType: String)
  }

  public var address: HTTPSAddress
  public var method: Method
  /// Besides those that every call has.
  public var headers: [HTTPSHeader]
  /// The most bytes that the body of the answer may have; nil takes the client's own bound.
  public var responseBytesMax: Int?
  /// What comes of an answer whose body is larger: with true, its status and the bytes up to the
  /// bound, with false, `tooLarge`. Either way no more of it is read.
  public var cutsBody = false

  public init(
    _ method: Method = .get, _ address: HTTPSAddress, headers: [HTTPSHeader] = [],
    responseBytesMax: Int? = nil
  ) {
    self.address = address
    self.method = method
    self.headers = headers
    self.responseBytesMax = responseBytesMax
    if case .post(_, let contentType) = method {
      precondition(HTTPSHeader.isValue(contentType), "a content type is one line of ASCII")
    }
  }
}

/// One line of a request's head.
public struct HTTPSHeader: Sendable, Equatable {
  public let name: String
  public let value: String

  /// Traps for a name or a value that would not be one line of ASCII: with a line break inside, a
  /// value would become a header of its own.
  public init(_ name: String, _ value: String) {
    precondition(
      !name.isEmpty
        && name.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }, "a header's name has letters, digits and dashes")
    precondition(Self.isValue(value), "a header's value is one line of ASCII")
    self.name = name
    self.value = value
  }

  static func isValue(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }

  var line: String { "\(name): \(value)" }
}

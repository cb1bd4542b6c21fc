import Wire

/// A GET over HTTPS with fields in its query, among them secrets.
public struct WebCall: Sendable {
  /// The address without the query; it may be logged.
  public let url: String
  public let form: [(name: String, value: String)]

  init(url: String, form: [(name: String, value: String)]) {
    self.url = url
    self.form = form
  }

  /// The whole address. It holds secrets, and must not be logged.
  public var secretURL: String {
    url + "?" + form.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
  }

  /// Escapes what is no unreserved character (RFC 3986, section 2.3).
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += Array("%\(Hexadecimal.text([byte]).uppercased())".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension WebCall: CustomStringConvertible, CustomReflectable {
  public var description: String { url }
  public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

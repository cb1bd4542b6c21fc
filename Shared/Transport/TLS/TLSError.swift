internal import COpenSSL

/// What is wrong with certificates, keys or settings; the text names the file.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  public let text: String
  public var description: String { text }

  init(_ text: String) { self.text = text }

  /// Returns OpenSSL's oldest noted error in words, and empties its queue of errors.
  static func takeReason() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    if code == 0 { return "unknown error" }
    // For an error of the system, OpenSSL 3 has no words: it notes the number with this bit.
    if code & 0x8000_0000 != 0 { return SystemSocket.reason(Int32(code & 0x7fff_ffff)) }
    if let reason = unsafe ERR_reason_error_string(code) { return unsafe String(cString: reason) }
    return "error \(code)"
  }

  static func check(_ result: Int32, _ what: @autoclosure () -> String) throws(TLSError) {
    if result != 1 { throw TLSError("\(what()): \(takeReason())") }
  }
}

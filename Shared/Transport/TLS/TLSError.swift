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
    if let reason = unsafe ERR_reason_error_string(code) { return unsafe String(cString: reason) }
    return "error \(code)"
  }

  static func check(_ result: Int32, _ what: @autoclosure () -> String) throws(TLSError) {
    if result != 1 { throw TLSError("\(what()): \(takeReason())") }
  }
}

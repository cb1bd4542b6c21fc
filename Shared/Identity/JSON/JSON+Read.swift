internal import CJansson

extension JSON {
  /// Reads a text whose outermost value is an object.
  ///
  /// Jansson does the reading: it refuses wrong UTF-8, NUL characters, doubled names, numbers out
  /// of range and anything after the object.
  static func object(_ bytes: [UInt8], sizeMax: Int) throws(JSONFault) -> JSON {
    guard bytes.count <= sizeMax else { throw .tooLarge }
    guard isShallow(bytes) else { throw .tooDeep }
    var error = json_error_t()
    let root = unsafe bytes.withUnsafeBytes { raw in
      unsafe json_loadb(
        raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count,
        Int(JSON_REJECT_DUPLICATES), &error)
    }
    guard let root = unsafe root else {
      throw unsafe json_error_code(&error) == json_error_duplicate_key ? .doubledField : .malformed
    }
    defer { unsafe json_decref(root) }
    let value = unsafe JSON(root)
    guard value.isObject else { throw .notAnObject }
    return value
  }

  /// Whether the text has few levels, as far as brackets outside of strings tell. Jansson's own
  /// bound, 2,048 levels of recursion, is too much for a small stack.
  private static func isShallow(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > IdentityLimits.jsonDepthMax { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return true
  }

  private init(_ value: UnsafeMutablePointer<json_t>) {
    switch unsafe value.pointee.type {
    case JSON_OBJECT: self = unsafe .object(Self.members(value))
    case JSON_ARRAY:
      let count = unsafe json_array_size(value)
      self = .list(
        (0..<count).compactMap { place in
          unsafe json_array_get(value, place).map { item in unsafe JSON(item) }
        })
    case JSON_STRING:
      self = unsafe .text(Self.text(json_string_value(value), json_string_length(value)))
    case JSON_INTEGER: self = unsafe .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = unsafe .real(json_real_value(value))
    case JSON_TRUE: self = .boolean(true)
    case JSON_FALSE: self = .boolean(false)
    default: self = .null
    }
  }

  private static func members(_ object: UnsafeMutablePointer<json_t>) -> [Member] {
    var members: [Member] = []
    var place = unsafe json_object_iter(object)
    while let here = unsafe place {
      if let value = unsafe json_object_iter_value(here) {
        // No name has a NUL: Jansson refuses it.
        let name = unsafe json_object_iter_key(here).map { unsafe String(cString: $0) }
        members.append(unsafe Member(name: name ?? "", value: JSON(value)))
      }
      unsafe place = json_object_iter_next(object, here)
    }
    return members
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start = unsafe start else { return "" }
    return unsafe UnsafeRawBufferPointer(start: start, count: count).withMemoryRebound(
      to: UInt8.self
    ) { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// How a value lies on the wire, as far as one must know to pass over it.
///
/// A form is a byte, or two or more in prefix notation:
///
/// | byte | the value is |
/// | --- | --- |
/// | 0 | a count of bytes, and these: text, bytes, a message |
/// | 1 to 127 | so many bytes |
/// | 128 | a presence flag, and perhaps the value whose form follows |
/// | 129 | a count, and as many values whose form follows |
public enum FieldForm {
  static let counted: UInt8 = 0
  static let sizeMax: UInt8 = 127
  static let optional: UInt8 = 128
  static let list: UInt8 = 129

  /// The form of a value. Traps for a frozen message with fields of varying size: no message that
  /// crosses a connection holds one.
  public static func of(_ shape: Shape) -> [UInt8] {
    switch shape {
    case .scalar(let name): [size(ofScalar: name)]
    case .identifier: [16]
    case .enumeration: [1]
    case .message(_, _, frozen: false): [counted]
    case .message(let name, let fields, frozen: true): [frozenSize(name, fields)]
    case .optional(let inner): [optional] + of(inner)
    case .list(let inner): [list] + of(inner)
    }
  }

  private static func size(ofScalar name: String) -> UInt8 {
    switch name {
    case "String", "Bytes": counted
    case "Bool", "UInt8": 1
    case "UInt16": 2
    case "UInt32", "Int32": 4
    case "UInt64", "Int64", "Double": 8
    default: preconditionFailure("the size of a \(name) on the wire is not listed")
    }
  }

  private static func frozenSize(_ name: String, _ fields: [Shape.Field]) -> UInt8 {
    fields.reduce(0) { sum, field in
      let form = of(field.shape)
      precondition(
        form.count == 1 && form[0] != counted && form[0] <= sizeMax - sum,
        "\(name) is frozen and has no fixed size")
      return sum + form[0]
    }
  }

  /// True when every byte has a meaning here and the last form is complete.
  static func areKnown(_ forms: [UInt8]) -> Bool {
    forms.allSatisfy { $0 <= list } && forms.last.map { $0 <= sizeMax } ?? true
  }
}

extension Reader {
  /// Passes over the first fields of a message. Fields that are missing at its end take their
  /// defaults, as when they are read.
  ///
  /// - Parameter forms: the fields' forms, one after the other, all of them known.
  public mutating func skip(fieldsOfForms forms: [UInt8]) {
    var rest = forms[...]
    while let end = rest.firstIndex(where: { $0 <= FieldForm.sizeMax }), !isAtEnd {
      skip(form: rest[...end])
      rest = rest[(end + 1)...]
    }
  }

  private mutating func skip(form: ArraySlice<UInt8>) {
    switch form[form.startIndex] {
    case FieldForm.counted: skip(count())
    case FieldForm.optional: if flag() { skip(form: form.dropFirst()) }
    case FieldForm.list:
      // Every value takes at least one byte, so that the loop is no longer than the message.
      for _ in 0..<count() where error == nil { skip(form: form.dropFirst()) }
    case let size: skip(Int(size))
    }
  }
}

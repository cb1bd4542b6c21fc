import Wire

/// Writes the body of a call by its shape: well-formed, so that it comes past the decoder, which
/// has a fuzzer of its own. Half of the bodies are mild, as most calls of a game are: names of what
/// is there, and most other fields at their defaults. The rest have values on the edge of what is
/// allowed.
struct FuzzedBody {
  /// What is there under a name, by the field that it stands in.
  private static let names = ["board": "high", "achievement": "first", "playerGroup": "pair"]
  /// A list is longer than any handler's limit now and then, and short most of the time.
  private static let listCounts = [0, 1, 1, 1, 2, 2, 3, 65]
  private static let mildListCounts = [0, 1, 1, 2]
  private static let textCounts = [1, 17, 400, 5_000]

  private let seen: SeenValues
  /// The clock of the commands.
  private let now: Int64
  private let isMild: Bool

  init(_ seen: SeenValues, now: Int64, _ source: inout ByteSource) {
    (self.seen, self.now, isMild) = (seen, now, source.byte() < 128)
  }

  func bytes(of shape: Shape, _ source: inout ByteSource) -> [UInt8] {
    var writer = Writer()
    write(shape.fields, &writer, &source)
    return writer.bytes
  }

  private func write(
    _ fields: [Shape.Field], _ writer: inout Writer, _ source: inout ByteSource
  ) {
    for field in fields {
      if isMild, let name = Self.names[field.name], field.shape == .scalar("String") {
        name.encode(to: &writer)
      } else if isMild, case .scalar(let type) = field.shape, source.byte() & 3 != 0 {
        write(scalar: type, default: field.defaultText, &writer)
      } else {
        write(field.shape, &writer, &source)
      }
    }
  }

  private func write(_ shape: Shape, _ writer: inout Writer, _ source: inout ByteSource) {
    switch shape {
    case .scalar(let name): write(scalar: name, &writer, &source)
    case .identifier(let kind): identifier(kind, &source).encode(to: &writer)
    case .enumeration(_, let names):
      writer.integer(UInt8(source.choice(of: names.count + (isMild ? 0 : 1))))
    case .message(_, let fields, frozen: false):
      writer.lengthPrefixed { write(fields, &$0, &source) }
    case .message(_, let fields, frozen: true): write(fields, &writer, &source)
    case .optional(let inner):
      let isThere = source.byte() & 1 == 1
      isThere.encode(to: &writer)
      if isThere { write(inner, &writer, &source) }
    case .list(let inner):
      let counts = isMild ? Self.mildListCounts : Self.listCounts
      let count = counts[source.choice(of: counts.count)]
      writer.count(count)
      for _ in 0..<count { write(inner, &writer, &source) }
    }
  }

  // MARK: Scalars

  private func write(scalar name: String, _ writer: inout Writer, _ source: inout ByteSource) {
    switch name {
    case "Double": number(&source).encode(to: &writer)
    case "String": text(&source).encode(to: &writer)
    case "Bytes": Bytes(blob(&source)).encode(to: &writer)
    case "Bool": writer.integer(source.byte() & 1)
    default: write(integer(&source), as: name, &writer)
    }
  }

  private func write(scalar name: String, default text: String?, _ writer: inout Writer) {
    switch name {
    case "Double": (text.flatMap(Double.init) ?? 0).encode(to: &writer)
    case "String": (text ?? "").encode(to: &writer)
    case "Bytes": Bytes().encode(to: &writer)
    case "Bool": (text == "true").encode(to: &writer)
    default: write(text.flatMap { Int64($0) } ?? 0, as: name, &writer)
    }
  }

  private func write(_ value: Int64, as name: String, _ writer: inout Writer) {
    switch name {
    case "UInt8": writer.integer(UInt8(truncatingIfNeeded: value))
    case "UInt16": writer.integer(UInt16(truncatingIfNeeded: value))
    case "UInt32": writer.integer(UInt32(truncatingIfNeeded: value))
    case "Int32": writer.integer(Int32(truncatingIfNeeded: value))
    case "UInt64", "Int64": writer.integer(value)
    default: preconditionFailure("no values of a \(name) are known")
    }
  }

  private func integer(_ source: inout ByteSource) -> Int64 {
    switch source.choice(of: isMild ? 5 : 16) {
    case 0...4: Int64(source.choice(of: 8))
    case 5: Int64(source.byte())
    case 6: now
    case 7: now + Int64(source.choice(of: 256) - 128) * 60_000
    case 8: .max
    case 9: .min
    case 10: -1
    case 11: Int64(Int32.max)
    case 12: Int64(UInt32.max)
    case 13: 1 << Int64(source.choice(of: 63))
    default: Int64(bitPattern: source.word())
    }
  }

  private func number(_ source: inout ByteSource) -> Double {
    switch source.choice(of: isMild ? 4 : 8) {
    case 0...3: Double(source.byte())
    case 4: .nan
    case 5: -.infinity
    case 6: -0.5
    default: Double(bitPattern: source.word())
    }
  }

  // MARK: What replies have shown

  private func identifier(_ kind: String, _ source: inout ByteSource) -> RoutingKey {
    let known = isMild ? seen.identifiers(of: kind) : seen.identifiers
    let choice = source.choice(of: known.count + (isMild && !known.isEmpty ? 0 : 2))
    if choice < known.count { return known[choice] }
    return choice == known.count ? RoutingKey() : RoutingKey(high: 7, low: source.word())
  }

  private func text(_ source: inout ByteSource) -> String {
    let choice = source.choice(of: seen.texts.count + 3)
    if choice < seen.texts.count { return seen.texts[choice] }
    switch choice - seen.texts.count {
    case 0: return identifier("PlayerID", &source).description
    case 1:
      let count = Self.textCounts[source.choice(of: Self.textCounts.count)]
      return String(repeating: "m", count: count)
    default: return String(decoding: source.bytes(source.choice(of: 8)), as: UTF8.self)
    }
  }

  private func blob(_ source: inout ByteSource) -> [UInt8] {
    let choice = source.choice(of: seen.blobs.count + 2)
    if choice < seen.blobs.count { return seen.blobs[choice] }
    return choice == seen.blobs.count
      ? source.bytes(source.choice(of: 40))
      : [UInt8](repeating: 7, count: Self.textCounts[source.choice(of: Self.textCounts.count)])
  }
}

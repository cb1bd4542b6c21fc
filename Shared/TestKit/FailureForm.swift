public import Wire

/// What every failure keeps to, whatever it is for.
public enum FailureForm {
  /// Arguments that no operation has as a field: they come with the connection or the envelope, or
  /// are the context that a board is linked to.
  private static let besides: Set = ["", "game", "idempotency", "counter", "floor", "context"]

  /// Traps when a failure of an operation names something that is no field of it, or has a detail
  /// where its code promises none: whoever wrote a client from the page could not tell what it is.
  public static func check(_ failure: Failure, of operation: Shape) {
    precondition(
      besides.contains(failure.argument) || operation.holds(failure.argument),
      "\(failure) names an argument that the operation has not")
    precondition(
      failure.detail.array.isEmpty || [.factRequired, .cursorLost, .banned].contains(failure.code)
        || failure.code == .conflict && ["version", "proof"].contains(failure.argument),
      "\(failure) has a detail that its code does not promise")
  }
}

extension Shape {
  /// Whether a message has a field of that name, itself or within a field.
  fileprivate func holds(_ name: String) -> Bool {
    switch self {
    case .scalar, .identifier, .enumeration: false
    case .optional(let inner), .list(let inner): inner.holds(name)
    case .message(_, let fields, _): fields.contains { $0.name == name || $0.shape.holds(name) }
    }
  }
}

/// Content that can say what is wrong with it before anybody is asked.
public protocol ValidatableProtocol {
  func validate() throws
}

/// What all context dialogs have.
@preconcurrency @MainActor
public protocol DialogProtocol: AnyObject {
  var delegate: (any ContextDialogDelegate)? { get set }
  var dialogContent: (any ValidatableProtocol)? { get set }
  func show() -> Bool
  func validate() throws
}

extension ClientCore {
  func keepFrictionlessRecipients() { perform(frictionless.want()) }

  /// The consents may have changed.
  func consentsChanged() { perform(frictionless.changed()) }

  func perform(_ read: FrictionlessCache.Read?) {
    status.frictionlessRecipients = frictionless.recipients
    guard let read else { return }
    var operation = ListConsents()
    operation.cursor = read.cursor
    call(
      reserveCall(), CallBook.Request(operation), within: configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self else { return }
      if case .success(let body) = result, let reply = try? ListConsents.Reply(decoding: body) {
        perform(frictionless.took(reply, of: read))
      } else {
        frictionless.failed(read)
      }
    }
  }

  /// A send without a dialog was refused: what this client knows of consents is old.
  func observe(_ request: CallBook.Request, _ error: MusterError) {
    if request.opcode == SendRequest.opcode, error.code == .conflict { consentsChanged() }
  }
}

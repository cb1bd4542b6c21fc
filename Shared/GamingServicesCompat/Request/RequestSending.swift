internal import DialogLists
internal import Dialogs
internal import MusterKit

/// What a shown request dialog does, from the player's choice to the server's answer.
@MainActor
struct RequestSending {
  var request: SendRequest
  let isFrictionless: Bool
  let presenter: (any DialogPresenter)?
  let client: any GamingServicesClient

  /// Cancelled when the player selected nobody, or did not want to send it. Once the request is
  /// sent, the dialog is never reported as cancelled.
  func run() async -> DialogOutcome<SendRequest.Reply> {
    if request.recipients.isEmpty { return await select() }
    if let failure = RequestContentRules.failure(in: request) {
      return .failed(error(for: failure))
    }
    do {
      if let reply = try await sendFrictionless() { return .answered(reply) }
    } catch {
      return .failed(error)
    }
    return await confirm().then { try await client.call(request) }
  }

  private func select() async -> DialogOutcome<SendRequest.Reply> {
    guard let presenter else { return .cancelled }
    var first = SelectRecipients(suggesting: request.recipientSuggestions)
    first.filters = request.filters
    let client = client
    let selection = RecipientSelection(draft, countMax: RequestLimits.recipientsMax) {
      [first] search in
      DialogPages(first, search: search) { try await client.call($0) }
    }
    let outcome = await dialogOutcome(within: GamingServices.dialogTimeLimit) {
      let chosen = try await presenter.selectRecipients(selection)
      return chosen.flatMap { $0.isEmpty ? nil : $0 }
    }
    return await outcome.then { chosen in
      var request = request
      request.recipients = chosen
      // Suggestions and filters were for the selector; the server refuses them beside recipients.
      request.recipientSuggestions = []
      request.filters = .none
      if let failure = RequestContentRules.failure(in: request) { throw error(for: failure) }
      return try await client.call(request)
    }
  }

  /// Sends the request without asking; nil when that is not on, or when the server says that
  /// somebody has not agreed, or does no more.
  private func sendFrictionless() async throws(GamingServicesError) -> SendRequest.Reply? {
    guard isFrictionless, client.frictionlessRecipients.allows(request.recipients)
    else { return nil }
    var request = request
    request.isFrictionless = true
    do {
      return try await client.call(request)
    } catch  where error.failureCode == .conflict {
      return nil
    }
  }

  private func confirm() async -> DialogOutcome<Void> {
    guard let presenter else { return .answered(()) }
    let draft = draft
    return await dialogOutcome(within: GamingServices.dialogTimeLimit) {
      try await presenter.confirmRequest(draft) ? () : nil
    }
  }

  private var draft: RequestDraft {
    RequestDraft(
      title: request.title, message: request.message, callToAction: request.cta,
      recipients: request.recipients)
  }

  private func error(for failure: Failure) -> GamingServicesError {
    GamingServicesError(
      failure.code, argument: failure.argument, failure.text, number: .requestArgument)
  }
}

public import Wire

/// The rules for a request's content, in the order of rule 2.2. A client can check them before it
/// asks the server.
public enum RequestContentRules {
  /// Returns the first rule that the request breaks, with the name of the argument; nil for a good
  /// request.
  ///
  /// - Parameter recipientsAreChosen: false before the player has chosen recipients in the client;
  ///   recipients may then be missing.
  public static func failure(in request: SendRequest, recipientsAreChosen: Bool = true)
    -> Failure?
  {
    contentFailure(request) ?? combinationFailure(request) ?? valueFailure(request)
      ?? sizeFailure(request) ?? textFailure(request)
      ?? (recipientsAreChosen ? recipientsFailure(request) : nil)
  }

  /// Returns which texts are longer than is shown whole. Each is a warning, or where the
  /// deployment's settings say so, the reason why the request is refused.
  public static func longTexts(in request: SendRequest) -> [Failure] {
    [
      longText("message", request.message, RequestLimits.messageCharactersAdvised),
      longText("title", request.title, RequestLimits.titleCharactersAdvised),
    ].compactMap { $0 }
  }

  private static func longText(_ argument: String, _ text: String, _ advised: Int) -> Failure? {
    hasMore(text, than: advised)
      ? bad(argument, "\(argument) has more than the \(advised) characters that are shown whole.")
      : nil
  }

  private static func hasMore(_ text: String, than countMax: Int) -> Bool {
    // No character has less than a byte, and bytes are counted without looking at them.
    text.utf8.count > countMax && text.count > countMax
  }

  private static func contentFailure(_ request: SendRequest) -> Failure? {
    if request.message.isEmpty { return missing("message", "A request needs a message.") }
    let needsObject = request.actionType == .send || request.actionType == .askFor
    if needsObject && request.objectID.isEmpty {
      return missing("objectID", "A request that sends or asks for something names the object.")
    }
    if !needsObject && !request.objectID.isEmpty {
      return bad("objectID", "Only a request that sends or asks for something has an object.")
    }
    return nil
  }

  private static func combinationFailure(_ request: SendRequest) -> Failure? {
    if !request.recipients.isEmpty && request.filters != .none {
      return bad("recipients", "Recipients and filters exclude each other.")
    }
    if !request.recipients.isEmpty && !request.recipientSuggestions.isEmpty {
      return bad("recipients", "Recipients and suggestions exclude each other.")
    }
    if request.filters != .none && !request.recipientSuggestions.isEmpty {
      return bad("recipientSuggestions", "Filters and suggestions exclude each other.")
    }
    return nil
  }

  private static func valueFailure(_ request: SendRequest) -> Failure? {
    if let data = request.data, hasMore(data, than: RequestLimits.dataCharactersMax) {
      return bad("data", "data has at most \(RequestLimits.dataCharactersMax) characters.")
    }
    if !request.actionType.isKnown {
      return bad("actionType", "The action type \(request.actionType) is not known.")
    }
    if !request.filters.isKnown {
      return bad("filters", "The filter \(request.filters) is not known.")
    }
    return nil
  }

  private static func sizeFailure(_ request: SendRequest) -> Failure? {
    tooLong("message", request.message, RequestLimits.messageBytesMax)
      ?? tooLong("objectID", request.objectID, RequestLimits.objectIDBytesMax)
      ?? tooLong("data", request.data ?? "", RequestLimits.dataBytesMax)
      ?? tooLong("title", request.title, RequestLimits.titleBytesMax)
      ?? tooLong("cta", request.cta, RequestLimits.ctaBytesMax)
      ?? tooMany("recipients", request.recipients, RequestLimits.recipientsMax)
      ?? tooMany(
        "recipientSuggestions", request.recipientSuggestions, RequestLimits.suggestionsMax)
  }

  /// A message of white space alone passes, as rule 2.2 says.
  private static func textFailure(_ request: SendRequest) -> Failure? {
    for (argument, text) in [
      ("message", request.message), ("title", request.title), ("cta", request.cta),
    ] {
      if let fault = TextRules.fault(in: text) { return bad(argument, "The \(argument) \(fault).") }
    }
    return nil
  }

  private static func recipientsFailure(_ request: SendRequest) -> Failure? {
    request.recipients.isEmpty
      ? missing("recipients", "A request needs at least one recipient.") : nil
  }

  private static func tooLong(_ argument: String, _ text: String, _ bytesMax: Int) -> Failure? {
    text.utf8.count > bytesMax ? bad(argument, "\(argument) has at most \(bytesMax) bytes.") : nil
  }

  private static func tooMany(_ argument: String, _ texts: [String], _ countMax: Int) -> Failure? {
    if texts.count > countMax {
      return bad(argument, "\(argument) has at most \(countMax) players.")
    }
    for text in texts {
      if text.isEmpty { return bad(argument, "\(argument) names an empty player.") }
      if let failure = tooLong(argument, text, RequestLimits.recipientBytesMax) { return failure }
    }
    return nil
  }

  private static func missing(_ argument: String, _ text: String) -> Failure {
    Failure(.requiredArgument, argument: argument, text)
  }

  private static func bad(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}

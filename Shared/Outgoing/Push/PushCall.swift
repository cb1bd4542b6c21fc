internal import Wire

/// The call that brings one event to the endpoint.
///
/// | header | |
/// | --- | --- |
/// | `webhook-id` | the event's id, the same in all attempts: it tells doubles apart |
/// | `webhook-timestamp` | when this attempt was made, in seconds since 1970 |
/// | `webhook-signature` | see `PushSignature` |
/// | `muster-attempt` | 1 for the first attempt; one that a crash cut off has its number twice |
/// | `muster-trace` | of what has led to the event, as in logs; absent where that is not known |
///
/// A status of 2xx tells that the endpoint has taken the event, however long the answer is; after
/// anything else it comes again.
public enum PushCall {
  /// The answer's body is not used, so little of it is read.
  public static let responseBytesMax = 64 << 10

  /// - Parameters:
  ///   - body: the event in JSON.
  ///   - now: milliseconds since 1970 by the wall clock, and not the time of `PushDelivery`:
  ///     endpoints compare it with their own clocks, and refuse what is minutes old.
  public static func request(
    to endpoint: HTTPSAddress, _ row: PushRow, attempt: Int, body: [UInt8], _ secrets: PushSecrets,
    now: Int64
  ) -> HTTPSRequest {
    let (id, seconds) = (row.event.description, now / 1000)
    var request = HTTPSRequest(
      .post(body, contentType: "application/json"), endpoint,
      headers: [
        HTTPSHeader("webhook-id", id), HTTPSHeader("webhook-timestamp", "\(seconds)"),
        HTTPSHeader(
          "webhook-signature", PushSignature.sign(id: id, seconds: seconds, body: body, secrets)),
        HTTPSHeader("muster-attempt", "\(attempt)"),
      ],
      responseBytesMax: responseBytesMax)
    if !row.trace.isNil {
      request.headers.append(HTTPSHeader("muster-trace", row.trace.description))
    }
    request.cutsBody = true
    return request
  }
}

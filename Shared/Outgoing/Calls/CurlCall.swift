internal import CCurl

/// One call of libcurl: its options, and what has come of the answer so far. It must not be freed
/// before it has left libcurl's object for many calls, because libcurl calls back into it.
@safe
final class CurlCall {
  let easy: UnsafeMutableRawPointer
  let queued: QueuedCall
  private let bodyBytesMax: Int
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let reason: UnsafeMutablePointer<CChar>
  private var head = ResponseHead()
  private var body: [UInt8] = []
  private let cutsBody: Bool
  private var isTooLarge = false
  private var isCut = false
  /// Whether libcurl has refused an option. The call is not made then: it could be one without a
  /// check that was asked for.
  private var isRefused = false

  init?(_ queued: QueuedCall, _ settings: HTTPSSettings, _ now: SuspendingClock.Instant) {
    guard let easy = unsafe curl_easy_init() else { return nil }
    unsafe self.easy = easy
    self.queued = queued
    bodyBytesMax = queued.request.responseBytesMax ?? settings.responseBytesMax
    cutsBody = queued.request.cutsBody
    unsafe reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setSecurity(settings)
    setBounds(settings, now)
    setRequest(queued.request)
    setAnswer()
    if isRefused { return nil }
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe curl_slist_free_all(lines)
    unsafe reason.deallocate()
  }

  var address: UInt { unsafe UInt(bitPattern: easy) }

  // MARK: Options

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe check(muster_curl_set_long(easy, option, value))
  }
  private func set(_ option: CURLoption, _ value: String) {
    unsafe check(muster_curl_set_text(easy, option, value))
  }
  private func check(_ code: CURLcode) { if code != CURLE_OK { isRefused = true } }

  private func setSecurity(_ settings: HTTPSSettings) {
    set(CURLOPT_PROTOCOLS_STR, "https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let file = settings.authorityFile { set(CURLOPT_CAINFO, file) }
    // Distributions set a folder of authorities too, which would be trusted besides the file. And
    // of a file alone libcurl keeps what it has read: reading takes 10 ms and more.
    if settings.authorityFile != nil || muster_curl_trusts_file() != 0 {
      unsafe check(muster_curl_set_text(easy, CURLOPT_CAPATH, nil))
    }
    // An empty text keeps libcurl from looking into the environment.
    set(CURLOPT_PROXY, settings.proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setBounds(_ settings: HTTPSSettings, _ now: SuspendingClock.Instant) {
    // 0 would stand for no bound.
    let left = max(1, Int(now.duration(to: queued.deadline).milliseconds))
    set(CURLOPT_TIMEOUT_MS, left)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(left, settings.connectMillisecondsMax)))
    // Time-outs come from libcurl's own clock and not by signals, which are the whole process's.
    set(CURLOPT_NOSIGNAL, 1)
    // A call that ends while its host's name is being resolved does not wait for the resolver's
    // thread, which may take half a minute.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // See `HTTPSClient` for why.
    set(CURLOPT_FORBID_REUSE, 1)
  }

  private func setRequest(_ request: HTTPSRequest) {
    set(CURLOPT_URL, request.address.text)
    set(CURLOPT_USERAGENT, "muster")
    var headers = request.headers.map(\.line)
    if case .post(let bytes, let contentType) = request.method {
      set(CURLOPT_POST, 1)
      set(CURLOPT_POSTFIELDSIZE, bytes.count)
      // libcurl copies as many bytes as the option before it says. Without a place to copy from, it
      // would read the body from the standard input.
      unsafe (bytes.isEmpty ? [0] : bytes).withUnsafeBytes { bytes in
        let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        unsafe check(muster_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start))
      }
      // Without a word after the colon the header is left out: the body goes with the head and does
      // not wait a second for the server to ask for it.
      headers += ["Content-Type: \(contentType)", "Expect:"]
    }
    for line in headers { unsafe lines = curl_slist_append(lines, line) ?? lines }
    unsafe check(muster_curl_set_pointer(easy, CURLOPT_HTTPHEADER, lines))
  }

  private func setAnswer() {
    unsafe check(muster_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason))
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe check(muster_curl_set_pointer(easy, CURLOPT_HEADERDATA, owner))
    unsafe check(muster_curl_set_pointer(easy, CURLOPT_WRITEDATA, owner))
    // Returning another count than the piece's ends the call.
    unsafe check(
      muster_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, owner in
        unsafe CurlCall.piece(bytes, size * count, owner) { unsafe $0.takeLine($1) }
      })
    unsafe check(
      muster_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, owner in
        unsafe CurlCall.piece(bytes, size * count, owner) { unsafe $0.takeBody($1) }
      })
  }

  // MARK: The answer

  private static func piece(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ owner: UnsafeMutableRawPointer?,
    _ take: (CurlCall, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let owner = unsafe owner else { return 0 }
    let call = unsafe Unmanaged<CurlCall>.fromOpaque(owner).takeUnretainedValue()
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    if unsafe take(call, piece) { return count }
    if !call.isCut { call.isTooLarge = true }
    // Also where an empty piece is refused.
    return count + 1
  }

  private func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe head.take(String(decoding: bytes, as: UTF8.self))
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = bodyBytesMax - body.count
    guard bytes.count > room else {
      unsafe body.append(contentsOf: bytes)
      return true
    }
    isCut = cutsBody
    if isCut { unsafe body.append(contentsOf: bytes.prefix(room)) }
    return false
  }

  /// What came of the call, once libcurl says that it has ended.
  func result(_ code: CURLcode) -> Result<HTTPSResponse, HTTPSError> {
    if isTooLarge { return .failure(.tooLarge) }
    if code != CURLE_OK && !isCut { return .failure(error(code)) }
    var status = 0
    var retryAfter: curl_off_t = 0
    unsafe _ = muster_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    unsafe _ = muster_curl_get_offset(easy, CURLINFO_RETRY_AFTER, &retryAfter)
    return .success(
      HTTPSResponse(
        status: status, body: body, freshSeconds: head.freshSeconds,
        retryAfterSeconds: retryAfter > 0 ? Int(clamping: retryAfter) : nil))
  }

  private func error(_ code: CURLcode) -> HTTPSError {
    var text = unsafe String(cString: reason)
    if text.isEmpty { text = unsafe String(cString: curl_easy_strerror(code)) }
    return switch code {
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
      .unreachable(text)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      .tls(text)
    default: .broken(text)
    }
  }
}

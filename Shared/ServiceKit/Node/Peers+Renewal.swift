public import Transport
public import Wire

extension Peers {
  /// Connects with other contexts from now on; connections that are there live on.
  public func renew(_ contexts: [Service: TLSClientContext]) {
    for (address, link) in all {
      if let tls = contexts[address.service] { link.renew(tls) }
    }
  }
}

import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The version of TLS that a client without any demands agrees on with a server of this machine;
/// nil where there is no handshake.
func permissiveVersion(_ port: UInt16) -> Int32? {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      unsafe connect(descriptor, pointer, size) == 0
    }
  }
  guard isConnected, let context = unsafe SSL_CTX_new(TLS_client_method()) else { return nil }
  defer { unsafe SSL_CTX_free(context) }
  unsafe SSL_CTX_set_security_level(context, 0)
  unsafe _ = muster_ctx_set_min_version(context, TLS1_VERSION)
  guard let connection = unsafe SSL_new(context) else { return nil }
  defer { unsafe SSL_free(connection) }
  unsafe SSL_set_fd(connection, descriptor)
  return unsafe SSL_connect(connection) == 1 ? SSL_version(connection) : nil
}

import COpenSSL
import Foundation

/// A TLS client that sends what no honest one does. It blocks, so it needs a thread of its own.
@safe
final class TLSAttacker {
  struct Fault: Error { let step: String }

  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let descriptor: Int32

  /// Shakes hands on a connected socket; whose certificate it gets, it does not care.
  init(on descriptor: Int32) throws {
    guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw Fault(step: "TLS") }
    guard let ssl = unsafe SSL_new(context) else { throw Fault(step: "TLS") }
    unsafe (self.context, self.ssl) = (context, ssl)
    self.descriptor = descriptor
    let name: [UInt8] = [8] + Array("muster/1".utf8)
    unsafe SSL_set_alpn_protos(ssl, name, UInt32(name.count))
    unsafe SSL_set_fd(ssl, descriptor)
    if unsafe SSL_connect(ssl) != 1 { throw Fault(step: "handshake") }
  }

  /// The first message of a client.
  static func hello() throws -> [UInt8] {
    guard let context = unsafe SSL_CTX_new(TLS_client_method()), let ssl = unsafe SSL_new(context),
      let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem())
    else { throw Fault(step: "TLS") }
    defer {
      unsafe SSL_free(ssl)
      unsafe SSL_CTX_free(context)
    }
    unsafe SSL_set_bio(ssl, input, output)
    unsafe SSL_connect(ssl)
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe BIO_read(output, &bytes, Int32(bytes.count))
    if count < 100 { throw Fault(step: "hello") }
    return Array(bytes.prefix(Int(count)))
  }

  /// Announces that it goes on with another key. Returns false when the server has closed.
  func changeKey() -> Bool {
    unsafe SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 && SSL_do_handshake(ssl) == 1
  }

  func send(_ bytes: [UInt8]) -> Bool {
    unsafe SSL_write(ssl, bytes, Int32(bytes.count)) == Int32(bytes.count)
  }

  /// Sends each byte in a record of its own, and all records by one write.
  func sendBytewise(_ bytes: [UInt8]) -> Bool {
    guard let buffer = unsafe BIO_new(BIO_f_buffer()), let socket = unsafe SSL_get_wbio(ssl) else {
      return false
    }
    unsafe BIO_int_ctrl(
      buffer, BIO_C_SET_BUFF_SIZE, Int(Self.smallestRecordSize * bytes.count), 1)
    unsafe BIO_up_ref(socket)
    unsafe SSL_set0_wbio(ssl, BIO_push(buffer, socket))
    guard bytes.allSatisfy({ send([$0]) }) else { return false }
    return unsafe BIO_ctrl(buffer, BIO_CTRL_FLUSH, 0, nil) == 1
  }

  /// A header, a byte, the byte that tells what the record is, and its tag.
  static let smallestRecordSize = 5 + 1 + 1 + 16

  /// Returns the next bytes that the server sends, at most so many; none when it has closed.
  func receive(_ countMax: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: countMax)
    let count = unsafe SSL_read(ssl, &bytes, Int32(countMax))
    return Array(bytes.prefix(Int(max(count, 0))))
  }

  deinit {
    unsafe SSL_free(ssl)
    unsafe SSL_CTX_free(context)
    RawSocket.reset(descriptor)
  }

  /// Runs an attack on a thread of its own, over a connected socket, and returns what it returns.
  static func run<Value: Sendable>(
    on descriptor: Int32, _ attack: @escaping @Sendable (TLSAttacker) -> Value
  ) async throws -> Value {
    let result = Promise<Result<Value, any Error>>()
    Thread.detachNewThread {
      result.set(Result { attack(try TLSAttacker(on: descriptor)) })
    }
    return try await result.value.get()
  }
}

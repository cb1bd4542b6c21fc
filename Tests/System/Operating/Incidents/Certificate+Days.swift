import Foundation
import Stack

extension Stack {
  /// Makes a certificate of a process for the key that it has, which is good for so many days from
  /// now, or has ended so many days ago; returns its path.
  nonisolated func certificate(of process: String, days: Int) async throws -> String {
    let folder = directory.appendingPathComponent("certificates").path
    let path = "\(folder)/\(process)\(days).pem"
    _ = try await Tools.run(
      """
      set -e
      cd '\(folder)'
      openssl req -new -key '\(process).key' -subj /CN=x -out request.tmp
      names='DNS:\(process).muster.internal,DNS:localhost,IP:127.0.0.1'
      printf "subjectAltName=$names\\n" >names.tmp
      printf 'extendedKeyUsage=serverAuth,clientAuth\\n' >>names.tmp
      openssl x509 -req -sha256 -days \(days) -in request.tmp -CA authority.pem \\
        -CAkey authority.key -set_serial 77 -extfile names.tmp -out '\(path)'
      """)
    return path
  }
}

import Foundation

/// Ports that are free, chosen by the system. All of them are open while the last one is chosen, so
/// that no two are the same.
public enum FreePorts {
  public static func take(_ count: Int) throws -> [UInt16] {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    return try (0..<count).map { _ in
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      descriptors.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe bind(descriptor, generic, size) + getsockname(descriptor, generic, &size)
        }
      }
      guard descriptor >= 0, result == 0 else {
        throw ServerProcess.Failed(description: "no free port: errno \(errno)")
      }
      return UInt16(bigEndian: address.sin_port)
    }
  }
}

internal import CUV

/// The variables of the process's environment.
///
/// libuv copies them: Swift may not read the array that C programs share.
public enum SystemEnvironment {
  public static func variables(withPrefix prefix: String) -> [String: String] {
    var items: UnsafeMutablePointer<uv_env_item_t>?
    var count: Int32 = 0
    guard unsafe uv_os_environ(&items, &count) == 0, let items = unsafe items else { return [:] }
    defer { unsafe uv_os_free_environ(items, count) }
    var variables: [String: String] = [:]
    for index in 0..<Int(count) {
      let name = unsafe String(cString: items[index].name)
      if name.hasPrefix(prefix) { variables[name] = unsafe String(cString: items[index].value) }
    }
    return variables
  }
}

import Transport

extension FileRenewal {
  /// Adds a look at the configuration file, of which a reload uses nothing: whoever has changed a
  /// setting and reloads is told that only a restart uses it. Names of settings are told, and no
  /// values.
  ///
  /// It is for the last place, so that neither a key nor a certificate waits for it.
  ///
  /// - Parameter file: nil where the process has none.
  public func addConfiguration(_ file: ConfigurationFile?) {
    guard let file else { return }
    addPart { [unowned self] done in
      loop.work {
        file.look()
      } then: { [unowned self] look in
        state.hasOtherConfiguration = look != .same
        switch look {
        case .same: done(nil)
        case .changed(let names):
          log.warning(
            "the configuration has changed since the start: restart to use it",
            ["settings": names.joined(separator: ", "), "file": file.path])
          done("Its configuration has changed since the start: restart it to use that.")
        case .unreadable(let reason):
          log.warning("no start could read the configuration file", ["reason": reason])
          done("No start could read its configuration file: \(reason)")
        }
      }
    }
  }
}

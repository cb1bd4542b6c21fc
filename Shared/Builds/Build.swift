#if canImport(Glibc)
  import Glibc
#endif

/// Which build of a program runs.
///
/// The linker computes it from all that the program consists of and writes it into the program, as
/// the Swift toolchain asks it to (`NT_GNU_BUILD_ID`). So two programs have one build only if they
/// are the same bytes, whatever they were made from, and nothing has to be kept up to date for it.
package enum Build {
  /// Of the running program, in hexadecimal digits; empty where its linker wrote none.
  package static let own = BuildNote.hexadecimal(program())

  /// The same for people.
  package static var shown: String { own.isEmpty ? "unknown" : own }

  private static func program() -> [UInt8]? {
    #if canImport(Glibc)
      // What runs, whatever stands at its path by now.
      let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      return BuildNote { offset, count in
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe pread(file, &bytes, count, off_t(offset)) == count ? bytes : nil
      }.find()
    #else
      return nil
    #endif
  }
}

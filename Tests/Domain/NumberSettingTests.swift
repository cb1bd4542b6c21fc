import Domain
import Testing

private let patience = NumberSetting("patience-hours", .hours, default: 2, 1...48, "A time.")
private let size = NumberSetting("size", .count, default: 3, 1...10, "A number.")

@Suite struct NumberSettingTests {
  @Test("times are in milliseconds, and what is not changed has its default")
  func values() {
    let values = SettingValues([patience, size], [size: 4])
    #expect(values[patience] == 2 * 3600 * 1000 && values[size] == 4)
  }

  @Test("a core has its own settings and the engine's")
  func ofCore() {
    let settings = Engine.settings(of: TinyCore.self)
    #expect(settings == [.auditKept, .refusedEffectKept, .effectRetained])
    let core = TinyCore(settings: SettingValues(of: TinyCore.self, [.auditKept: 1]))
    #expect(core.settings[.auditKept] == 24 * 3600 * 1000)
    #expect(TinyCore().settings[.auditKept] == 400 * 24 * 3600 * 1000)
  }

  @Test("two of one name trap, so do values out of bounds, undeclared ones, times without a unit")
  func mistakes() async {
    await #expect(processExitsWith: .failure) { _ = SettingValues([size, size]) }
    await #expect(processExitsWith: .failure) { _ = SettingValues([size], [size: 11]) }
    await #expect(processExitsWith: .failure) { _ = SettingValues([size], [patience: 1]) }
    await #expect(processExitsWith: .failure) { _ = SettingValues([size])[patience] }
    await #expect(processExitsWith: .failure) {
      _ = NumberSetting("size", .count, default: 11, 1...10, "A number.")
    }
    await #expect(processExitsWith: .failure) {
      _ = NumberSetting("patience", .hours, default: 1, 1...10, "A time.")
    }
  }
}

import Foundation
import Storage
import Testing
import Wire

@testable import ServiceKit

/// What a process says that finds no store.
@Suite struct MissingStoreTests {
  private func plan() throws -> StorePlan {
    let request = try Configuration.read(
      ServiceProcess<SampleCore>.settings, arguments: ["--data-directory", "/data"],
      environment: [:])
    guard case .run(let configuration) = request else {
      throw ConfigurationError("The arguments ask for something else than a run.")
    }
    return try StorePlan(configuration)
  }

  @Test(
    "it names the folder that was configured, and whose a new store has to be",
    arguments: [
      (nil, "make one by: muster-request "),
      ("muster-request", "make one, as the user muster-request, by: muster-request "),
    ] as [(String?, String)])
  func text(_ user: String?, _ words: String) throws {
    for place in ["/data/request", "/data/request.tables.sqlite"] {
      let fatal = ServiceProcess<SampleCore>.noStart(.missing(place), try plan(), user: user)
      #expect(fatal.code == .unavailable)
      #expect(
        fatal.description == "There is no store at /data. Is its disk mounted? Where none was ever "
          + "made, \(words)--data-directory /data --partition 1/1 --create-store")
    }
  }

  @Test("what else keeps a store from being opened is told as it is")
  func others() throws {
    let fatal = ServiceProcess<SampleCore>.noStart(.inUse("/data"), try plan(), user: "somebody")
    #expect(fatal.description == StoreError.inUse("/data").textAtStart)
  }

  @Test("the user of this process is known by name, but for root")
  func user() {
    #expect(SystemUser.unprivileged == (geteuid() == 0 ? nil : NSUserName()))
  }
}

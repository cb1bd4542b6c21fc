import Stack
import Testing
import Transport

@testable import ServiceKit

@Suite struct ServiceManagerTests {
  private func manager(_ environment: [String: String]) -> ServiceManager? {
    ServiceManager(environment: environment, process: 7)
  }

  @Test("the socket is a path or an abstract name, and without one nobody is told")
  func addresses() {
    #expect(manager([:]) == nil)
    #expect(manager(["NOTIFY_SOCKET": ""]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "/"]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "relative"]) == nil)
    #expect(manager(["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 107)]) == nil)
    let longest = "/" + String(repeating: "x", count: 106)
    #expect(manager(["NOTIFY_SOCKET": longest])?.address == Array(longest.utf8))
    #expect(manager(["NOTIFY_SOCKET": "/run/notify"])?.address == Array("/run/notify".utf8))
    #expect(manager(["NOTIFY_SOCKET": "@notify"])?.address == [0] + Array("notify".utf8))
  }

  @Test("the watchdog is told twice in its time, and only by the process that it watches")
  func watchdog() {
    func milliseconds(_ time: String?, _ process: String? = nil) -> UInt64? {
      var environment = ["NOTIFY_SOCKET": "/run/notify"]
      environment["WATCHDOG_USEC"] = time
      environment["WATCHDOG_PID"] = process
      return manager(environment)?.aliveMilliseconds
    }
    #expect(milliseconds("60000000") == 30_000)
    #expect(milliseconds("60000000", "7") == 30_000)
    #expect(milliseconds("60000000", "8") == nil)
    #expect(milliseconds(nil) == nil)
    #expect(milliseconds("0") == nil)
    #expect(milliseconds("soon") == nil)
    #expect(milliseconds("1") == 1)
  }

  @Test("messages are lines of names and values, with one sentence as the status")
  func texts() {
    typealias Message = ServiceManager.Message
    #expect(Message.ready(status: "Serving.").text == "READY=1\nSTATUS=Serving.")
    #expect(Message.reloading(microseconds: 12).text == "RELOADING=1\nMONOTONIC_USEC=12")
    #expect(Message.stopping.text.hasPrefix("STOPPING=1\nSTATUS="))
    #expect(Message.status("One.\nREADY=1").text == "STATUS=One. READY=1")
    #expect(Message.alive.text == "WATCHDOG=1")
  }

  @Test("all parts have to answer before they are asked again")
  func lifeSigns() {
    var signs = LifeSigns()
    let unasked = signs.heard(from: 0)
    let asked = signs.ask(0..<3)
    let (second, again, zeroth) = (
      signs.heard(from: 2), signs.heard(from: 2), signs.heard(from: 0)
    )
    let askedEarly = signs.ask(0..<3)
    let last = signs.heard(from: 1)
    #expect(asked && !unasked && !second && !again && !zeroth && !askedEarly && last)
    let askedAnew = signs.ask(0..<1)
    let (only, late) = (signs.heard(from: 0), signs.heard(from: 0))
    #expect(askedAnew && only && !late)
  }

  @Test("a message comes whole, to either kind of socket", arguments: [false, true])
  func sent(isAbstract: Bool) async throws {
    let socket = try NotifySocket(isAbstract: isAbstract)
    defer { socket.close() }
    let manager = try #require(self.manager(["NOTIFY_SOCKET": socket.name]))
    #expect(manager.send(.ready(status: "Serving.")) == .sent)
    await socket.received { !$0.isEmpty }
    #expect(socket.messages == ["READY=1\nSTATUS=Serving."])
  }

  @Test("nobody waits for a manager that is gone")
  func gone() throws {
    let manager = try #require(self.manager(["NOTIFY_SOCKET": "/nowhere/notify"]))
    #expect(manager.send(.alive) == .failed("No such file or directory"))
  }

  @Test("what is the matter stays told until it is over, whatever is read anew meanwhile")
  func matters() async throws {
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(self.manager(["NOTIFY_SOCKET": socket.name]))
    let thread = LoopThread(name: "reports")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      loop.keep(reports)
      reports.ready(port: 7)
      reports.trouble("It is full.")
      reports.reloaded()
      reports.reloaded("A key is wrong.")
      reports.trouble(nil)
      reports.reloaded()
    }
    await socket.received { $0.count == 6 }
    thread.stop()
    await thread.stopped()
    #expect(
      socket.messages == [
        "READY=1\nSTATUS=Serving on port 7.", "STATUS=It is full.",
        "READY=1\nSTATUS=It is full.", "READY=1\nSTATUS=It is full. A key is wrong.",
        "STATUS=Serving on port 7. A key is wrong.", "READY=1\nSTATUS=Serving on port 7.",
      ])
  }

  @Test("files that are read anew before the process is ready do not say that it is")
  func notReady() async throws {
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(self.manager(["NOTIFY_SOCKET": socket.name]))
    let thread = LoopThread(name: "reports")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      loop.keep(reports)
      reports.reloading()
      reports.reloaded("A key is wrong.")
      reports.reloading()
      reports.reloaded()
      reports.ready(port: 7)
      reports.reloading()
      reports.reloaded()
    }
    await socket.received { $0.count == 5 }
    thread.stop()
    await thread.stopped()
    let serving = "READY=1\nSTATUS=Serving on port 7."
    let messages = socket.messages.map { $0.hasPrefix("RELOADING=1\n") ? "RELOADING=1" : $0 }
    #expect(
      messages == [
        "STATUS=Starting. A key is wrong.", "STATUS=Starting.", serving, "RELOADING=1", serving,
      ])
  }

  @Test("what a manager has no room for is not waited for, and comes when it has room")
  func full() async throws {
    let socket = try NotifySocket(reads: false)
    defer { socket.close() }
    let manager = try #require(self.manager(["NOTIFY_SOCKET": socket.name]))
    var sentCount = 0
    while manager.send(.alive) == .sent { sentCount += 1 }
    #expect(manager.send(.alive) == .later)
    let thread = LoopThread(name: "reports")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      loop.keep(reports)
      reports.ready(port: 7)
      reports.stopping()
    }
    socket.read()
    await socket.received { $0.contains { $0.hasPrefix("STOPPING=1") } }
    thread.stop()
    await thread.stopped()
    #expect(socket.messages.count == sentCount + 2)
    #expect(socket.messages[sentCount...].first == "READY=1\nSTATUS=Serving on port 7.")
  }
}

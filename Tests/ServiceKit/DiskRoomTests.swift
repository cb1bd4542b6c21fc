import Testing

@testable import ServiceKit

@Suite struct DiskRoomTests {
  @Test("a folder's disk has room, and not more than it is large")
  func room() throws {
    let room = try #require(DiskRoom.look(at: "/"))
    #expect(room.totalBytes > 1 << 20 && room.freeBytes <= room.totalBytes)
  }

  @Test("of what is not there nothing is told")
  func missing() { #expect(DiskRoom.look(at: "/no/such/folder") == nil) }
}

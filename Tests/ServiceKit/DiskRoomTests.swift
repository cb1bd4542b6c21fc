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

  @Test("more blocks than there can be are as many bytes as can be said")
  func overflow() {
    let unknown = DiskRoom(free: .max, total: 1 << 52, blockBytes: 1 << 12)
    #expect(unknown.freeBytes == .max && unknown.totalBytes == .max)
    let known = DiskRoom(free: 3, total: (1 << 52) - 1, blockBytes: 1 << 12)
    #expect(known.freeBytes == 3 << 12 && known.totalBytes == .max - 4095)
  }
}

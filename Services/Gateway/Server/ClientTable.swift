/// The connected clients in dense slots. A handle is a slot's index and generation, so one that
/// outlived its client finds nobody rather than somebody else.
struct ClientTable {
  private var slots: [(client: ClientSession?, generation: UInt32)] = []
  private var free: [Int] = []
  private(set) var count = 0

  mutating func insert(_ client: ClientSession) -> UInt64 {
    count += 1
    if let index = free.popLast() {
      slots[index].client = client
      return handle(index)
    }
    // Generations begin at 1: no handle is 0, which means "no client".
    slots.append((client, 1))
    return handle(slots.count - 1)
  }

  mutating func remove(_ handle: UInt64) {
    let index = Int(handle & 0xffff_ffff)
    guard self[handle] != nil else { return }
    count -= 1
    slots[index].client = nil
    slots[index].generation &+= 1
    free.append(index)
  }

  subscript(handle: UInt64) -> ClientSession? {
    let index = Int(handle & 0xffff_ffff)
    guard index < slots.count, slots[index].generation == UInt32(handle >> 32) else { return nil }
    return slots[index].client
  }

  var handles: [UInt64] {
    slots.indices.filter { slots[$0].client != nil }.map { handle($0) }
  }

  private func handle(_ index: Int) -> UInt64 {
    UInt64(slots[index].generation) << 32 | UInt64(index)
  }
}

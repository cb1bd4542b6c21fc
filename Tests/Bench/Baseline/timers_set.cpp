// The baseline of the benchmark `timers`: timers as C++ programs keep them where each can be found by
// its name, a red-black tree in order of time and a hash table of names that points into it.
//
//   timers_set PENDING OPERATIONS
//
// PENDING timers with random names and times, then OPERATIONS times each: a random timer is set to
// another time; it is cancelled and set again; the first one fires and is set again. Prints one line of
// JSON; the checksum is over the timers that fired and must be that of Tests/Bench/Timers, which does
// the same with the same numbers.

#include "split_mix.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <set>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <vector>

// In milliseconds: uniform over some 70 years.
static std::int64_t due(SplitMix &random) { return static_cast<std::int64_t>(random.next() >> 23); }

struct Name {
  std::uint64_t high, low;
  std::uint16_t opcode;
  std::uint64_t itemHigh, itemLow;
  auto tuple() const { return std::tie(high, low, opcode, itemHigh, itemLow); }
  bool operator==(const Name &other) const { return tuple() == other.tuple(); }
  bool operator<(const Name &other) const { return tuple() < other.tuple(); }
};

struct Hash {
  std::size_t operator()(const Name &name) const {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::uint64_t part : {name.high, name.low, std::uint64_t(name.opcode), name.itemHigh,
                               name.itemLow}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

struct Timers {
  using Tree = std::set<std::pair<std::int64_t, Name>>;
  Tree tree;
  std::unordered_map<Name, Tree::iterator, Hash> names;

  void set(const Name &name, std::int64_t due) {
    remove(name);
    names[name] = tree.emplace(due, name).first;
  }
  void remove(const Name &name) {
    const auto found = names.find(name);
    if (found == names.end()) return;
    tree.erase(found->second);
    names.erase(found);
  }
};

static double residentBytes() {
  unsigned long all = 0, resident = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (std::fscanf(file, "%lu %lu", &all, &resident) != 2) resident = 0;
  std::fclose(file);
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

template <typename Body> static double measure(std::uint64_t count, Body body) {
  const std::clock_t start = std::clock();
  for (std::uint64_t number = 0; number < count; ++number) body(number);
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return taken * 1e9 / static_cast<double>(count);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: timers_set PENDING OPERATIONS\n");
    return 64;
  }
  const std::uint64_t pending = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t operations = std::strtoull(argv[2], nullptr, 10);
  SplitMix random;
  std::vector<Name> names(pending);
  for (std::uint64_t number = 0; number < pending; ++number) {
    Name &name = names[number];
    name.high = random.next();
    name.low = random.next();
    name.opcode = 0x302;
    name.itemHigh = random.next();
    name.itemLow = number;
  }
  Timers timers;
  const double before = residentBytes();
  const double set =
      measure(pending, [&](std::uint64_t number) { timers.set(names[number], due(random)); });
  const double bytes = (residentBytes() - before) / static_cast<double>(pending);
  const double replace = measure(operations, [&](std::uint64_t) {
    const Name name = names[random.below(pending)];
    timers.set(name, due(random));
  });
  const double cancel = measure(operations, [&](std::uint64_t) {
    const Name name = names[random.below(pending)];
    timers.remove(name);
    timers.set(name, due(random));
  });
  std::uint64_t checksum = 0;
  const double fire = measure(operations, [&](std::uint64_t) {
    const Name name = timers.tree.begin()->second;
    checksum = checksum * 31 + name.itemLow;
    timers.remove(name);
    timers.set(name, due(random));
  });
  std::printf("{\"set_ns\":%.3f,\"replace_ns\":%.3f,\"cancel_set_ns\":%.3f,\"fire_set_ns\":%.3f,"
              "\"resident_bytes\":%.3f,\"checksum\":\"%016llx\"}\n",
              set, replace, cancel, fire, bytes, static_cast<unsigned long long>(checksum));
}

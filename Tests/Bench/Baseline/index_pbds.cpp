// The baseline of the benchmark `index`: libstdc++'s order-statistic tree, a red-black tree whose
// nodes know the size of their subtree.
//
//   index_pbds PLAYERS OPERATIONS
//
// PLAYERS entries with uniform 64-bit values, then OPERATIONS times: a random player's value becomes
// a new uniform one (the old key is erased, the new one inserted) and its rank is asked. The key that
// a player has now stands in an array by player number. Prints one line of JSON; the checksum is over
// all ranks and must be that of Tests/Bench/Index, which does the same with the same numbers.

#include "split_mix.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <functional>
#include <utility>
#include <vector>

using Key = std::pair<std::int64_t, std::uint64_t>;
using Tree = __gnu_pbds::tree<Key, __gnu_pbds::null_type, std::less<Key>, __gnu_pbds::rb_tree_tag,
                              __gnu_pbds::tree_order_statistics_node_update>;

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: index_pbds PLAYERS OPERATIONS\n");
    return 64;
  }
  const std::uint64_t players = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t operations = std::strtoull(argv[2], nullptr, 10);
  SplitMix random;
  std::uint64_t arrival = 0;
  Tree tree;
  std::vector<Key> keys(players);
  for (Key &key : keys) {
    key = {static_cast<std::int64_t>(random.next()), ++arrival};
    tree.insert(key);
  }
  std::uint64_t checksum = 0;
  const std::clock_t start = std::clock();
  for (std::uint64_t operation = 0; operation < operations; ++operation) {
    Key &key = keys[random.below(players)];
    tree.erase(key);
    key = {static_cast<std::int64_t>(random.next()), ++arrival};
    tree.insert(key);
    checksum = checksum * 31 + tree.order_of_key(key);
  }
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("{\"ns_per_operation\":%.3f,\"checksum\":\"%016llx\"}\n",
              taken * 1e9 / static_cast<double>(operations),
              static_cast<unsigned long long>(checksum));
}

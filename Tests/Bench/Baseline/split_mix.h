// SplitMix64 (Steele, Lea, Flood 2014), as in Tests/Bench/Machine: both sides get the same numbers.
#pragma once

#include <cstdint>

struct SplitMix {
  std::uint64_t state = 1;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
};

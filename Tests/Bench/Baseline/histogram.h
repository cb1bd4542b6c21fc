// Latencies counted in buckets that are at most 1/64 of their value wide: adding is a shift and
// an increment, and a percentile is off by less than two in a hundred.
#ifndef MUSTER_BASELINE_HISTOGRAM_H
#define MUSTER_BASELINE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_STEPS = 64, HISTOGRAM_BUCKETS = 60 * HISTOGRAM_STEPS };

struct histogram {
  uint64_t counts[HISTOGRAM_BUCKETS];
};

// 0...127 have a bucket each; from then on each doubling has 64.
static inline void histogram_add(struct histogram *histogram, uint64_t value) {
  int shift = value < 2 * HISTOGRAM_STEPS ? 0 : 57 - __builtin_clzll(value);
  histogram->counts[(uint64_t)shift * HISTOGRAM_STEPS + (value >> shift)] += 1;
}

static inline uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent) {
  uint64_t total = 0, seen = 0;
  for (int i = 0; i < HISTOGRAM_BUCKETS; i++) total += histogram->counts[i];
  for (uint64_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
    seen += histogram->counts[i];
    if (seen * 100 < total * percent || seen == 0) continue;
    uint64_t shift = i < 2 * HISTOGRAM_STEPS ? 0 : i / HISTOGRAM_STEPS - 1;
    uint64_t low = (i - shift * HISTOGRAM_STEPS) << shift;
    return low + ((1ull << shift) >> 1);
  }
  return 0;
}

#endif

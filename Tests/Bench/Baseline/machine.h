// What the programs ask the system about time and about themselves.
#ifndef MUSTER_BASELINE_MACHINE_H
#define MUSTER_BASELINE_MACHINE_H

#include "frame.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

static inline uint64_t now_ns(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t)) die("clock_gettime: %s", strerror(errno));
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double own_cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// What this process has had in memory at most; Linux says it in KiB.
static inline unsigned long long resident_bytes_max(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (unsigned long long)usage.ru_maxrss * 1024;
}

#endif

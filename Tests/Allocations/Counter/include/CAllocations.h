#include <stdbool.h>
#include <stdint.h>

/// False where allocations cannot be counted.
bool muster_allocations_are_counted(void);

/// What the calling thread has allocated or reallocated so far.
uint64_t muster_allocation_count(void);

/// More than a block of a connection's queue: of what a long body passes, only copies of it are so large.
#define MUSTER_LARGE_ALLOCATION_SIZE 8192

/// Those of them that have at least `MUSTER_LARGE_ALLOCATION_SIZE` bytes.
uint64_t muster_large_allocation_count(void);

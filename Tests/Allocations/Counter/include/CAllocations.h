#include <stdbool.h>
#include <stdint.h>

/// False where allocations cannot be counted.
bool muster_allocations_are_counted(void);

/// What the calling thread has allocated or reallocated so far.
uint64_t muster_allocation_count(void);

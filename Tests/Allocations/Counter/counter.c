// A program that is linked with this allocates by the functions below, and so do the libraries that
// it uses: they count, and leave the work to those of the C library.

#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

static _Thread_local uint64_t count;
static _Thread_local uint64_t large_count;

uint64_t muster_allocation_count(void) { return count; }
uint64_t muster_large_allocation_count(void) { return large_count; }

// A sanitizer has functions of its own in their place.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

bool muster_allocations_are_counted(void) { return true; }

static void note(size_t size) {
  count++;
  if (size >= MUSTER_LARGE_ALLOCATION_SIZE) large_count++;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note(size);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note(size);
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? ENOMEM : 0;
}

#else

bool muster_allocations_are_counted(void) { return false; }

#endif

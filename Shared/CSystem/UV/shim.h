#include <uv.h>

// The library's function takes any number of arguments, which Swift cannot call.
static inline int muster_uv_measure_idle_time(uv_loop_t *loop) {
  return uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
}

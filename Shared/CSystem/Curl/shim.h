#ifndef MUSTER_CCURL_SHIM_H
#define MUSTER_CCURL_SHIM_H

#include <curl/curl.h>

/* Before it, a call that ends while its host's name is being resolved waits for the resolver's
   thread, and all other calls with it. */
#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or later is needed"
#endif

/* The library's functions take any number of arguments, which Swift cannot pass. */
static inline CURLcode muster_curl_set_long(CURL *call, CURLoption option, long value) {
  return curl_easy_setopt(call, option, value);
}
/* The library copies the text before the call returns, but for CURLOPT_POSTFIELDS. */
static inline CURLcode muster_curl_set_text(CURL *call, CURLoption option, const char *value) {
  return curl_easy_setopt(call, option, value);
}
static inline CURLcode muster_curl_set_pointer(CURL *call, CURLoption option, void *value) {
  return curl_easy_setopt(call, option, value);
}
typedef size_t (*muster_curl_piece)(char *bytes, size_t size, size_t count, void *owner);
static inline CURLcode muster_curl_set_callback(CURL *call, CURLoption option,
                                                muster_curl_piece callback) {
  return curl_easy_setopt(call, option, callback);
}
static inline CURLcode muster_curl_get_long(CURL *call, CURLINFO info, long *value) {
  return curl_easy_getinfo(call, info, value);
}
static inline CURLcode muster_curl_get_offset(CURL *call, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(call, info, value);
}
/* Whether the library was built to trust a file of authorities, as most distributions do. */
static inline int muster_curl_trusts_file(void) {
  return curl_version_info(CURLVERSION_NOW)->cainfo != 0;
}
/* What a message of an ended call carries is a union. */
static inline CURLcode muster_curl_result(const CURLMsg *message) { return message->data.result; }


#endif

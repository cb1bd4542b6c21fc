// Muster's frame header and the few helpers that both baseline programs need.
//
// Header, big-endian: UInt32 length | UInt8 version | UInt8 kind | UInt16 opcode |
// UInt32 correlation; length counts everything after itself.
#ifndef MUSTER_BASELINE_FRAME_H
#define MUSTER_BASELINE_FRAME_H

#include <endian.h>
#include <openssl/err.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FRAME_HEADER_SIZE = 12,
  FRAME_LENGTH_MIN = 8,
  FRAME_VERSION = 1,
  // The most one TLS record carries, so the room one SSL_read can need.
  RECORD_SIZE_MAX = 16384,
};

enum frame_kind { KIND_REQUEST = 0, KIND_REPLY = 1, KIND_ERROR = 2, KIND_EVENT = 3, KIND_PING = 4 };

// ALPN's own form: each name behind its length.
static const unsigned char alpn_muster[] = "\x08muster/1";
enum { ALPN_MUSTER_SIZE = sizeof alpn_muster - 1 };

static const char ciphersuite_default[] = "TLS_AES_128_GCM_SHA256";

struct frame {
  uint8_t kind;
  uint16_t opcode;
  uint32_t correlation;
  size_t body_size;
};

__attribute__((noreturn, format(printf, 1, 2))) static inline void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  ERR_print_errors_fp(stderr);
  exit(1);
}

// Size of the whole frame at the front of `bytes`, 0 while it is incomplete, -1 when framing is
// lost. The length is judged before anything waits for it.
static inline ssize_t frame_parse(const uint8_t *bytes, size_t count, size_t size_max,
                                  struct frame *frame) {
  if (count < FRAME_HEADER_SIZE) return 0;
  uint32_t length, correlation;
  uint16_t opcode;
  memcpy(&length, bytes, 4);
  memcpy(&opcode, bytes + 6, 2);
  memcpy(&correlation, bytes + 8, 4);
  length = be32toh(length);
  if (length < FRAME_LENGTH_MIN || length > size_max - 4 || bytes[4] != FRAME_VERSION) return -1;
  if (count < (size_t)length + 4) return 0;
  *frame = (struct frame){bytes[5], be16toh(opcode), be32toh(correlation),
                          length - FRAME_LENGTH_MIN};
  return (ssize_t)length + 4;
}

static inline void frame_write_header(uint8_t *bytes, const struct frame *frame) {
  uint32_t length = htobe32((uint32_t)(frame->body_size + FRAME_LENGTH_MIN));
  uint16_t opcode = htobe16(frame->opcode);
  uint32_t correlation = htobe32(frame->correlation);
  memcpy(bytes, &length, 4);
  bytes[4] = FRAME_VERSION;
  bytes[5] = frame->kind;
  memcpy(bytes + 6, &opcode, 2);
  memcpy(bytes + 8, &correlation, 4);
}

#endif

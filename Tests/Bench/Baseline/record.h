// TLS 1.3's record protection (RFC 8446, 5.2 and 7.3) over EVP, for load generators and attackers.
//
// libssl would cost the generator as much per record as it costs the server under test; with two
// cores the generator would then be half of what is measured. So libssl shakes hands and verifies,
// and from there on the generator seals and opens records itself with the negotiated keys.
#ifndef MUSTER_BASELINE_RECORD_H
#define MUSTER_BASELINE_RECORD_H

#include "frame.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

enum {
  RECORD_HEADER_SIZE = 5,
  RECORD_TAG_SIZE = 16,
  RECORD_NONCE_SIZE = 12,
  // Header, inner content type, tag.
  RECORD_OVERHEAD = RECORD_HEADER_SIZE + 1 + RECORD_TAG_SIZE,
  RECORD_SEALED_SIZE_MAX = RECORD_HEADER_SIZE + RECORD_SIZE_MAX + 256,
};

enum record_type { RECORD_ALERT = 21, RECORD_HANDSHAKE = 22, RECORD_DATA = 23 };

struct record_secret {
  uint8_t bytes[EVP_MAX_MD_SIZE];
  size_t size;
};

struct record_keys {
  EVP_CIPHER_CTX *cipher;
  uint8_t iv[RECORD_NONCE_SIZE];
  uint64_t sequence;
};

// HKDF-Expand-Label with an empty context. All that is asked for fits one hash, so one HMAC does.
static inline void record_expand(const EVP_MD *hash, const struct record_secret *secret,
                                 const char *label, uint8_t *out, size_t size) {
  uint8_t info[32], block[EVP_MAX_MD_SIZE];
  int count = snprintf((char *)info, sizeof info, "%c%c%ctls13 %s%c%c", 0, (int)size,
                       (int)strlen(label) + 6, label, 0, 1);
  HMAC(hash, secret->bytes, (int)secret->size, info, (size_t)count, block, NULL);
  memcpy(out, block, size);
}

static inline void record_keys_set(struct record_keys *keys, const SSL *ssl,
                                   const struct record_secret *secret, int seals) {
  const SSL_CIPHER *suite = SSL_get_current_cipher(ssl);
  const EVP_MD *hash = SSL_CIPHER_get_handshake_digest(suite);
  const EVP_CIPHER *cipher = EVP_get_cipherbynid(SSL_CIPHER_get_cipher_nid(suite));
  if (!cipher || !secret->size) die("no keys for %s", SSL_CIPHER_get_name(suite));
  uint8_t key[EVP_MAX_KEY_LENGTH];
  record_expand(hash, secret, "key", key, (size_t)EVP_CIPHER_get_key_length(cipher));
  record_expand(hash, secret, "iv", keys->iv, RECORD_NONCE_SIZE);
  keys->sequence = 0;
  keys->cipher = EVP_CIPHER_CTX_new();
  if (!EVP_CipherInit_ex(keys->cipher, cipher, NULL, key, keys->iv, seals)) die("cannot set keys");
}

// Goes on with the keys that come after a KeyUpdate (7.2).
static inline void record_keys_update(struct record_keys *keys, const EVP_MD *hash,
                                      struct record_secret *secret) {
  struct record_secret next = {.size = secret->size};
  record_expand(hash, secret, "traffic upd", next.bytes, next.size);
  *secret = next;
  uint8_t key[EVP_MAX_KEY_LENGTH];
  record_expand(hash, secret, "key", key, (size_t)EVP_CIPHER_CTX_get_key_length(keys->cipher));
  record_expand(hash, secret, "iv", keys->iv, RECORD_NONCE_SIZE);
  keys->sequence = 0;
  if (!EVP_CipherInit_ex(keys->cipher, NULL, NULL, key, keys->iv, -1)) die("cannot set keys");
}

static inline void record_begin(struct record_keys *keys, const uint8_t *header) {
  uint8_t nonce[RECORD_NONCE_SIZE];
  uint64_t tail;
  int ignored;
  memcpy(nonce, keys->iv, sizeof nonce);
  memcpy(&tail, nonce + 4, 8);
  tail ^= htobe64(keys->sequence++);
  memcpy(nonce + 4, &tail, 8);
  EVP_CipherInit_ex(keys->cipher, NULL, NULL, NULL, nonce, -1);
  EVP_CipherUpdate(keys->cipher, NULL, &ignored, header, RECORD_HEADER_SIZE);
}

// Seals up to RECORD_SIZE_MAX bytes of data, in front of which there is room for the header and
// behind which there is room for the rest. Returns the record's size.
static inline size_t record_seal(struct record_keys *keys, uint8_t *record, size_t data_size,
                                 enum record_type type) {
  size_t sealed = data_size + 1 + RECORD_TAG_SIZE;
  uint8_t *data = record + RECORD_HEADER_SIZE;
  int count;
  memcpy(record, (uint8_t[]){RECORD_DATA, 3, 3, (uint8_t)(sealed >> 8), (uint8_t)sealed},
         RECORD_HEADER_SIZE);
  data[data_size] = (uint8_t)type;
  record_begin(keys, record);
  if (!EVP_CipherUpdate(keys->cipher, data, &count, data, (int)data_size + 1) ||
      !EVP_CipherFinal_ex(keys->cipher, data + count, &count) ||
      !EVP_CIPHER_CTX_ctrl(keys->cipher, EVP_CTRL_AEAD_GET_TAG, RECORD_TAG_SIZE,
                           data + data_size + 1))
    die("cannot seal");
  return data_size + RECORD_OVERHEAD;
}

// Opens the record at the front of `bytes` into `data`. Returns the record's size, 0 while it is
// incomplete.
static inline size_t record_open(struct record_keys *keys, uint8_t *bytes, size_t count,
                                 uint8_t *data, size_t *data_size, enum record_type *type) {
  if (count < RECORD_HEADER_SIZE) return 0;
  size_t sealed = (size_t)bytes[3] << 8 | bytes[4], size = RECORD_HEADER_SIZE + sealed;
  if (sealed <= RECORD_TAG_SIZE || size > RECORD_SEALED_SIZE_MAX) die("bad record");
  if (count < size) return 0;
  int opened, none;
  record_begin(keys, bytes);
  if (!EVP_CipherUpdate(keys->cipher, data, &opened, bytes + RECORD_HEADER_SIZE,
                        (int)(sealed - RECORD_TAG_SIZE)) ||
      !EVP_CIPHER_CTX_ctrl(keys->cipher, EVP_CTRL_AEAD_SET_TAG, RECORD_TAG_SIZE,
                           bytes + size - RECORD_TAG_SIZE) ||
      !EVP_CipherFinal_ex(keys->cipher, data + opened, &none))
    die("a record does not open");
  // Zeros behind the inner content type are padding.
  while (opened > 1 && data[opened - 1] == 0) opened -= 1;
  *type = data[opened - 1];
  *data_size = (size_t)opened - 1;
  return size;
}

#endif

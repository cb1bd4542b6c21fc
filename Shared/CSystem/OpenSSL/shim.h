#ifndef MUSTER_COPENSSL_SHIM_H
#define MUSTER_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* OpenSSL offers these as macros, which Swift cannot import. */
static inline long muster_ctx_set_min_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_min_proto_version(ctx, version);
}
static inline long muster_ctx_set_max_version(SSL_CTX *ctx, int version) {
  return SSL_CTX_set_max_proto_version(ctx, version);
}
static inline long muster_ctx_set_mode(SSL_CTX *ctx, long mode) {
  return SSL_CTX_set_mode(ctx, mode);
}
static inline long muster_ctx_set_session_cache_mode(SSL_CTX *ctx, long mode) {
  return SSL_CTX_set_session_cache_mode(ctx, mode);
}
static inline long muster_ctx_set_ticket_keys(SSL_CTX *ctx, unsigned char *keys, long length) {
  return SSL_CTX_set_tlsext_ticket_keys(ctx, keys, length);
}
static inline long muster_ssl_set_host_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}
static inline void muster_ssl_set_message_callback_argument(SSL *ssl, void *argument) {
  SSL_set_msg_callback_arg(ssl, argument);
}
static inline void muster_ctx_set_read_ahead(SSL_CTX *ctx, int yes) {
  SSL_CTX_set_read_ahead(ctx, yes);
}
static inline X509 *muster_ssl_peer_certificate(const SSL *ssl) {
  return SSL_get1_peer_certificate(ssl);
}
#endif

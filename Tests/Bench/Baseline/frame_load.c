// Load generator of the benchmarks: a closed loop over many TLS connections.
//
// One thread, epoll. Every connection keeps `--depth` requests open: each event reads what came,
// checks every reply, and sends one new request per reply with a single write. An echo's reply is
// compared to the byte. With `--calls` the requests are taken in turn from a file of frames, which
// muster-load writes; each connection signs in first with one of the frames in `--openings`.
// With `--pace` a connection makes so many calls a second, each at its own moment, and counts from then
// how long the answer took, whether the call could be made then or not: a server that stands still is
// seen as long as it does. What is not answered at the end counts with the time that it has waited.
// `--again` measures a second time, so many seconds after the first report.
// With two servers it turns from one to the other every `--slice` milliseconds: what the machine does
// besides then happens to both alike, and their ratio means something on a noisy one.
//
// Made lean so that the server is what is measured: records sealed without libssl (see record.h),
// one clock reading per read, requests copied from a template or a file, buffers shared by all
// connections, no read that could only say "nothing yet".
#define _GNU_SOURCE
#include "client.h"
#include "histogram.h"
#include "machine.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
  FRAME_SIZE_MAX = 1 << 20,
  READ_SIZE_MAX = 1 << 16,
  EVENTS_PER_WAIT_MAX = 256,
  SILENCE_SECONDS_MAX = 10,
  WAIT_NS_MAX = 100 * 1000 * 1000,
  TARGETS_MAX = 2,
  // Each payload begins with a number of its own, so an answer cannot pass for another's.
  MARK_SIZE = 8,
};

struct request {
  uint32_t correlation;  // 0: not open
  uint16_t opcode;
  uint64_t sent_ns;
};

// Whole frames to be sent in turn, from the first again after the last.
struct script {
  uint8_t *bytes;
  size_t size, next, longest;
};

struct rest {
  uint8_t *start;
  size_t count;
};

struct connection {
  int socket;
  bool wants_write, is_signed_in;
  uint32_t index, answered;
  uint64_t due_ns;  // of the next call, where calls are paced
  struct request *requests;  // the request with correlation n is at n % depth
  struct record_keys seals, opens;
  uint8_t *output;  // sealed and not yet written
  size_t output_count;
  struct rest sealed;  // the front of a record whose rest has not arrived
  struct rest opened;  // the front of a frame whose rest has not arrived
};

// A server that is measured, and what was measured of it in its slices.
struct target {
  uint16_t port;
  pid_t server;
  int poll;
  struct connection *connections;
  struct histogram latencies;
  uint64_t operations, refused, checksum, active_ns, slice_start;
  uint64_t silent_ns;  // in its slices since it last said something
  double cpu_seconds;
};

static struct {
  uint16_t opcode;
  uint32_t connections, depth, payload_size, slice;
  double seconds, warmup, pace, again;
  const char *authority, *name, *certificate, *key, *ciphersuite, *prefix_hex, *calls, *openings;
  size_t counters_at;  // where two UInt64 in a call's body get a number that grows; 0: nowhere
  size_t reply_size_min;
} options = {.opcode = 1, .connections = 64, .depth = 1, .payload_size = 64, .slice = 50,
             .seconds = 5, .warmup = 1, .name = "localhost",
             .ciphersuite = ciphersuite_default, .prefix_hex = ""};

static struct target targets[TARGETS_MAX];
static uint32_t target_count, server_count;
static struct target *active;
static uint8_t *template;
static size_t template_size, prefix_size, mark_size, request_size_max;
static struct script calls, openings;
static uint64_t call_count;
static uint8_t sealed[RECORD_SEALED_SIZE_MAX + READ_SIZE_MAX];
static uint8_t opened[FRAME_SIZE_MAX + RECORD_SEALED_SIZE_MAX + READ_SIZE_MAX];
static uint8_t *made;  // requests made in this event, not yet sealed: `depth` frames at most
static size_t made_count;

static uint64_t mark_of(const struct connection *c, uint32_t correlation) {
  return ((uint64_t)c->index << 32 | correlation) * 0x9E3779B97F4A7C15u;
}

static void make_echo(struct connection *c, uint8_t *frame, uint32_t correlation) {
  memcpy(frame, template, template_size);
  uint64_t mark = mark_of(c, correlation);
  memcpy(frame + FRAME_HEADER_SIZE + prefix_size, &mark, mark_size);
}

// The server takes a counter that grows for a new call, one it knows for a repeated one.
static void make_call(struct connection *c, uint8_t *frame) {
  struct script *script = c->is_signed_in ? &calls : &openings;
  struct frame parsed;
  if (script->next == script->size) script->next = 0;
  const uint8_t *source = script->bytes + script->next;
  size_t size = (size_t)frame_parse(source, script->size - script->next, FRAME_SIZE_MAX, &parsed);
  memcpy(frame, source, size);
  script->next += size;
  if (script == &calls && options.counters_at) {
    uint64_t counter = htobe64(++call_count);
    uint8_t *counters = frame + FRAME_HEADER_SIZE + options.counters_at;
    memcpy(counters, &counter, 8);
    memcpy(counters + 8, &counter, 8);
  }
}

static void make_request(struct connection *c, uint32_t correlation, uint64_t now) {
  uint8_t *frame = made + made_count;
  if (calls.size) make_call(c, frame);
  else make_echo(c, frame, correlation);
  uint32_t wire_correlation = htobe32(correlation), length;
  uint16_t opcode;
  memcpy(frame + 8, &wire_correlation, 4);
  memcpy(&length, frame, 4);
  memcpy(&opcode, frame + 6, 2);
  made_count += be32toh(length) + 4;
  c->requests[correlation % options.depth] =
      (struct request){correlation, be16toh(opcode), now};
}

static void take_echo(struct connection *c, const struct frame *frame, const uint8_t *body) {
  // A server with an envelope may answer with its own fields, but the payload comes last.
  size_t size = options.payload_size;
  if (frame->body_size < size || (prefix_size == 0 && frame->body_size != size))
    die("reply of %zu bytes to a payload of %zu", frame->body_size, size);
  const uint8_t *payload = body + frame->body_size - size;
  const uint8_t *expected = template + FRAME_HEADER_SIZE + prefix_size;
  uint64_t mark = mark_of(c, frame->correlation), answered = 0;
  memcpy(&answered, payload, mark_size);
  if (memcmp(payload, &mark, mark_size) ||
      memcmp(payload + mark_size, expected + mark_size, size - mark_size))
    die("wrong payload in the reply to correlation %u", frame->correlation);
  active->checksum += answered;
}

static void take_answer(struct connection *c, const struct frame *frame, const uint8_t *body) {
  if (c->is_signed_in && frame->body_size < options.reply_size_min)
    die("reply of %zu bytes to opcode %#x", frame->body_size, frame->opcode);
  c->is_signed_in = true;
  for (size_t i = 0; i + 8 <= frame->body_size; i += 8) {
    uint64_t part;
    memcpy(&part, body + i, 8);
    active->checksum = active->checksum * 31 + part;
  }
}

static void take_reply(struct connection *c, const struct frame *frame, const uint8_t *body,
                       uint64_t now) {
  if (frame->kind == KIND_EVENT || frame->kind == KIND_PING) return;
  if (frame->kind == KIND_ERROR && options.pace && c->is_signed_in) active->refused += 1;
  else if (frame->kind != KIND_REPLY)
    die("frame of kind %u for correlation %u: %.*s", frame->kind, frame->correlation,
        (int)frame->body_size, (const char *)body);
  struct request *request = &c->requests[frame->correlation % options.depth];
  if (frame->correlation == 0 || request->correlation != frame->correlation)
    die("reply to correlation %u, which is not open", frame->correlation);
  if (frame->opcode != request->opcode) die("reply with opcode %u", frame->opcode);
  if (frame->kind == KIND_ERROR) request->sent_ns = 0;
  else if (calls.size) take_answer(c, frame, body);
  else take_echo(c, frame, body);
  active->operations += frame->kind == KIND_REPLY;
  // One that was sent in an earlier slice waited for its server's turn, which is our doing.
  if (request->sent_ns >= active->slice_start)
    histogram_add(&active->latencies, now - request->sent_ns);
  request->correlation = 0;
  c->answered = frame->correlation;
  // Same slot again; 32 bits outlast any run.
  if (!options.pace) make_request(c, frame->correlation + options.depth, now);
}

static size_t take_rest(const struct rest *rest, uint8_t *out) {
  if (rest->count) memcpy(out, rest->start, rest->count);
  return rest->count;
}

static void keep_rest(struct rest *rest, const uint8_t *bytes, size_t count) {
  if (count > rest->count && !(rest->start = realloc(rest->start, count))) die("out of memory");
  if (count) memcpy(rest->start, bytes, count);
  rest->count = count;
}

// Opens what arrived behind `count` bytes of `opened`; returns how many are there then.
static size_t open_records(struct connection *c, size_t count) {
  size_t have = take_rest(&c->sealed, sealed), taken = 0, size, data_size;
  ssize_t got = read(c->socket, sealed + have, READ_SIZE_MAX);
  if (got < 0 && errno == EAGAIN) return count;
  if (got <= 0) die("a connection ended: %s", got ? strerror(errno) : "closed by the server");
  have += (size_t)got;
  enum record_type type;
  while ((size = record_open(&c->opens, sealed + taken, have - taken, opened + count, &data_size,
                             &type))) {
    taken += size;
    if (type == RECORD_DATA) count += data_size;
    // Session tickets come as handshake records; a server with other news is not expected.
    else if (type != RECORD_HANDSHAKE || opened[count] != SSL3_MT_NEWSESSION_TICKET)
      die("the server ended a connection with a record of type %d", type);
  }
  keep_rest(&c->sealed, sealed + taken, have - taken);
  return count;
}

static void read_replies(struct connection *c) {
  size_t count = open_records(c, take_rest(&c->opened, opened)), taken = 0;
  uint64_t now = now_ns(CLOCK_MONOTONIC);
  struct frame frame;
  ssize_t size;
  while ((size = frame_parse(opened + taken, count - taken, FRAME_SIZE_MAX, &frame)) > 0) {
    take_reply(c, &frame, opened + taken + FRAME_HEADER_SIZE, now);
    taken += (size_t)size;
  }
  if (size < 0) die("framing lost");
  keep_rest(&c->opened, opened + taken, count - taken);
}

static void seal_requests(struct connection *c) {
  for (size_t from = 0; from < made_count;) {
    size_t size = made_count - from;
    if (size > RECORD_SIZE_MAX) size = RECORD_SIZE_MAX;
    uint8_t *record = c->output + c->output_count;
    memcpy(record + RECORD_HEADER_SIZE, made + from, size);
    c->output_count += record_seal(&c->seals, record, size, RECORD_DATA);
    from += size;
  }
  made_count = 0;
}

static void write_requests(struct connection *c) {
  seal_requests(c);
  if (c->output_count) {
    ssize_t put = write(c->socket, c->output, c->output_count);
    if (put < 0 && errno != EAGAIN) die("cannot write: %s", strerror(errno));
    if (put > 0) c->output_count -= (size_t)put;
    // At the front again, what is unwritten belongs to open requests and fits in any case.
    if (put > 0 && c->output_count) memmove(c->output, c->output + put, c->output_count);
  }
  if (c->wants_write == (c->output_count > 0)) return;
  c->wants_write = c->output_count > 0;
  struct epoll_event event = {.events = EPOLLIN | (c->wants_write ? EPOLLOUT : 0), .data.ptr = c};
  if (epoll_ctl(active->poll, EPOLL_CTL_MOD, c->socket, &event)) die("epoll_ctl");
}

static SSL_CTX *make_context(void) {
  SSL_CTX *context = client_context(options.authority, options.ciphersuite);
  if (options.certificate &&
      (SSL_CTX_use_certificate_chain_file(context, options.certificate) != 1 ||
       SSL_CTX_use_PrivateKey_file(context, options.key, SSL_FILETYPE_PEM) != 1))
    die("cannot load client certificate or key");
  SSL_CTX_set_keylog_callback(context, client_note_secret);
  return context;
}

// Without read-ahead libssl takes no byte that comes after the handshake, so the object can go.
static void shake_hands(struct connection *c, SSL_CTX *context) {
  struct client_secrets secrets = {0};
  SSL *ssl = client_open(context, c->socket, options.name, &secrets);
  if (SSL_connect(ssl) != 1)
    die("handshake failed, certificate: %s",
        X509_verify_cert_error_string(SSL_get_verify_result(ssl)));
  client_check_protocol(ssl);
  record_keys_set(&c->seals, ssl, &secrets.sends, 1);
  record_keys_set(&c->opens, ssl, &secrets.receives, 0);
  SSL_free(ssl);
}

// Connects and shakes hands blocking, one connection after the other: this is not measured.
static void open_connection(struct connection *c, SSL_CTX *context) {
  c->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(active->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval silence = {.tv_sec = SILENCE_SECONDS_MAX};
  setsockopt(c->socket, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
  setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  if (connect(c->socket, (struct sockaddr *)&address, sizeof address))
    die("cannot connect: %s", strerror(errno));
  shake_hands(c, context);
  fcntl(c->socket, F_SETFL, O_NONBLOCK);
  size_t records_per_frame = request_size_max / RECORD_SIZE_MAX + 2;
  c->output =
      malloc((options.depth + 1) * (request_size_max + records_per_frame * RECORD_OVERHEAD));
  c->requests = calloc(options.depth, sizeof *c->requests);
  if (!c->output || !c->requests) die("out of memory");
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  if (epoll_ctl(active->poll, EPOLL_CTL_ADD, c->socket, &event)) die("epoll_ctl");
}

static void make_template(void) {
  size_t digits = strlen(options.prefix_hex);
  prefix_size = digits / 2;
  mark_size = options.payload_size < MARK_SIZE ? options.payload_size : MARK_SIZE;
  struct frame frame = {KIND_REQUEST, options.opcode, 0, prefix_size + options.payload_size};
  template_size = FRAME_HEADER_SIZE + frame.body_size;
  if (digits % 2 || template_size > FRAME_SIZE_MAX) die("bad prefix or payload too large");
  template = malloc(template_size);
  if (!template) die("out of memory");
  frame_write_header(template, &frame);
  uint8_t *body = template + FRAME_HEADER_SIZE;
  for (size_t i = 0; i < prefix_size; i++)
    if (sscanf(options.prefix_hex + 2 * i, "%2hhx", &body[i]) != 1) die("bad prefix");
  for (size_t i = 0; i < options.payload_size; i++) body[prefix_size + i] = (uint8_t)(i * 7 + 1);
}

static void read_script(struct script *script, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) die("cannot read %s: %s", path, strerror(errno));
  script->size = (size_t)ftell(file);
  script->bytes = malloc(script->size);
  rewind(file);
  if (!script->bytes || fread(script->bytes, 1, script->size, file) != script->size)
    die("cannot read %s", path);
  fclose(file);
  struct frame frame;
  ssize_t size = 0;
  for (size_t at = 0; at < script->size; at += (size_t)size) {
    size = frame_parse(script->bytes + at, script->size - at, FRAME_SIZE_MAX, &frame);
    if (size <= 0 || frame.kind != KIND_REQUEST) die("%s: no request at %zu", path, at);
    if (script == &calls && options.counters_at && frame.body_size < options.counters_at + 16)
      die("%s: no room for counters at %zu", path, at);
    if ((size_t)size > script->longest) script->longest = (size_t)size;
  }
  if (!script->longest) die("%s is empty", path);
}

static void make_requests(void) {
  make_template();
  request_size_max = template_size;
  if (options.calls) {
    read_script(&calls, options.calls);
    read_script(&openings, options.openings);
    request_size_max = calls.longest > openings.longest ? calls.longest : openings.longest;
  }
  made = malloc(request_size_max * options.depth);
  if (!made) die("out of memory");
}

static double server_cpu_seconds(const struct target *target) {
  clockid_t clock;
  if (!target->server) return 0;
  if (clock_getcpuclockid(target->server, &clock)) die("no process %d", target->server);
  return (double)now_ns(clock) / 1e9;
}

static uint64_t period_ns(void) { return (uint64_t)(1e9 / options.pace); }

// Makes the calls that are due, of connections that wait for no answer. Returns when the next one
// is. A connection's first moment comes with its number, so that they do not all call at once.
static uint64_t make_due(uint64_t now) {
  uint64_t next = now + WAIT_NS_MAX, period = period_ns();
  for (uint32_t i = 0; i < options.connections; i++) {
    struct connection *c = &active->connections[i];
    if (!c->due_ns) c->due_ns = now + period * i / options.connections;
    if (c->requests[0].correlation) continue;
    if (c->due_ns > now) {
      if (c->due_ns < next) next = c->due_ns;
      continue;
    }
    make_request(c, c->answered + 1, c->due_ns);
    c->due_ns += period;
    write_requests(c);
  }
  return next;
}

// Counts what has not been answered, and all that could not even be asked behind it.
static void count_unanswered(uint64_t now) {
  for (uint32_t i = 0; i < options.connections; i++) {
    const struct connection *c = &active->connections[i];
    if (!c->requests[0].correlation) continue;
    for (uint64_t due = c->requests[0].sent_ns; due < now; due += period_ns())
      if (due >= active->slice_start) histogram_add(&active->latencies, now - due);
  }
}

static int wait_for_events(struct epoll_event *events, uint64_t now) {
  uint64_t wait = (options.pace ? make_due(now) : now + WAIT_NS_MAX) - now;
  return epoll_pwait2(active->poll, events, EVENTS_PER_WAIT_MAX,
                      &(struct timespec){.tv_nsec = (long)wait}, NULL);
}

static void serve_until(uint64_t end) {
  for (uint64_t now = now_ns(CLOCK_MONOTONIC), next; now < end; now = next) {
    struct epoll_event events[EVENTS_PER_WAIT_MAX];
    int count = wait_for_events(events, now);
    if (count < 0 && errno != EINTR) die("epoll_pwait2: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
      struct connection *c = events[i].data.ptr;
      // Writable only: sending is all there is to do, and it makes room for replies.
      if (events[i].events & ~(uint32_t)EPOLLOUT) read_replies(c);
      write_requests(c);
    }
    next = now_ns(CLOCK_MONOTONIC);
    active->silent_ns = count > 0 ? 0 : active->silent_ns + (next - now);
    // Paced calls are there to measure silence.
    if (!options.pace && active->silent_ns > SILENCE_SECONDS_MAX * 1000000000ull) die("the server is silent");
  }
}

// Serves the targets in turn, a slice each, until the slices of each come to `seconds`.
static void serve_in_turn(double seconds) {
  uint64_t slice = (uint64_t)options.slice * 1000000u, left = (uint64_t)(seconds * 1e9);
  for (uint64_t size; left; left -= size) {
    size = target_count == 1 || left < slice ? left : slice;
    for (active = targets; active < targets + target_count; active++) {
      double cpu = own_cpu_seconds();
      uint64_t start = now_ns(CLOCK_MONOTONIC);
      active->slice_start = start;
      serve_until(start + size);
      active->active_ns += now_ns(CLOCK_MONOTONIC) - start;
      active->cpu_seconds += own_cpu_seconds() - cpu;
    }
  }
}

static void report(const struct target *target, double server_seconds) {
  double seconds = (double)target->active_ns / 1e9;
  if (!target->operations && !options.pace) die("no replies");
  printf("{\"operations\":%llu,\"seconds\":%.3f,\"ops_per_second\":%.0f,\"p50_us\":%.1f,"
         "\"p99_us\":%.1f,\"max_us\":%.1f,\"refused\":%llu,\"cpu_seconds\":%.3f,",
         (unsigned long long)target->operations, seconds, (double)target->operations / seconds,
         (double)histogram_percentile(&target->latencies, 50) / 1e3,
         (double)histogram_percentile(&target->latencies, 99) / 1e3,
         (double)histogram_percentile(&target->latencies, 100) / 1e3,
         (unsigned long long)target->refused, target->cpu_seconds);
  if (target->server) printf("\"server_cpu_seconds\":%.3f,", server_seconds);
  // As text: a JSON number of 64 bits is rounded by most readers.
  printf("\"resident_bytes\":%llu,", resident_bytes_max());
  printf("\"checksum\":\"%016llx\"}\n", (unsigned long long)target->checksum);
}

static void measure(void) {
  double server[TARGETS_MAX];
  for (uint32_t i = 0; i < target_count; i++) {
    struct target *target = &targets[i];
    target->operations = target->refused = target->checksum = target->active_ns = 0;
    target->cpu_seconds = 0;
    memset(&target->latencies, 0, sizeof target->latencies);
    server[i] = server_cpu_seconds(target);
  }
  serve_in_turn(options.seconds);
  if (options.pace) {
    active = targets;
    count_unanswered(now_ns(CLOCK_MONOTONIC));
  }
  for (uint32_t i = 0; i < target_count; i++)
    report(&targets[i], server_cpu_seconds(&targets[i]) - server[i]);
  fflush(stdout);
}

static struct target *another(uint32_t *count) {
  if (*count == TARGETS_MAX) die("at most %d servers", TARGETS_MAX);
  return &targets[(*count)++];
}

static void parse_options(int argc, char **argv) {
  static const struct option names[] = {
      {"port", 1, NULL, 'p'},        {"connections", 1, NULL, 'n'}, {"depth", 1, NULL, 'd'},
      {"payload", 1, NULL, 'b'},     {"seconds", 1, NULL, 's'},     {"warmup", 1, NULL, 'w'},
      {"ca", 1, NULL, 'a'},          {"name", 1, NULL, 'm'},        {"certificate", 1, NULL, 'c'},
      {"key", 1, NULL, 'k'},         {"opcode", 1, NULL, 'o'},
      {"ciphersuite", 1, NULL, 'y'}, {"server-pid", 1, NULL, 'r'},
      {"body-prefix-hex", 1, NULL, 'x'}, {"slice", 1, NULL, 'i'},
      {"calls", 1, NULL, 'l'},       {"openings", 1, NULL, 'O'},
      {"counters-at", 1, NULL, 't'}, {"reply-min", 1, NULL, 'z'},
      {"pace", 1, NULL, 'P'},        {"again", 1, NULL, 'A'},       {0}};
  for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
    switch (option) {
      case 'p': another(&target_count)->port = (uint16_t)atoi(optarg); break;
      case 'n': options.connections = (uint32_t)atoi(optarg); break;
      case 'd': options.depth = (uint32_t)atoi(optarg); break;
      case 'b': options.payload_size = (uint32_t)atoi(optarg); break;
      case 's': options.seconds = atof(optarg); break;
      case 'w': options.warmup = atof(optarg); break;
      case 'a': options.authority = optarg; break;
      case 'm': options.name = optarg; break;
      case 'c': options.certificate = optarg; break;
      case 'k': options.key = optarg; break;
      case 'o': options.opcode = (uint16_t)strtoul(optarg, NULL, 0); break;
      case 'x': options.prefix_hex = optarg; break;
      case 'y': options.ciphersuite = optarg; break;
      case 'r': another(&server_count)->server = (pid_t)atoi(optarg); break;
      case 'i': options.slice = (uint32_t)atoi(optarg); break;
      case 'l': options.calls = optarg; break;
      case 'O': options.openings = optarg; break;
      case 't': options.counters_at = (size_t)atoi(optarg); break;
      case 'z': options.reply_size_min = (size_t)atoi(optarg); break;
      case 'P': options.pace = atof(optarg); break;
      case 'A': options.again = atof(optarg); break;
      default: exit(2);
    }
  }
  if (!target_count || !options.slice || !options.authority || !options.depth || !options.connections ||
      !options.certificate != !options.key || !options.calls != !options.openings ||
      (options.calls && options.depth != 1) ||
      (options.pace && (options.depth != 1 || target_count != 1)))
    die("usage: frame_load --port N [--port N] --ca PEM [--name HOST] [--connections N] [--depth N]\n"
        "  [--payload BYTES] [--seconds S] [--warmup S] [--certificate PEM --key PEM]\n"
        "  [--opcode N] [--body-prefix-hex HEX] [--ciphersuite NAME] [--server-pid PID]...\n"
        "  [--slice MILLISECONDS] [--pace CALLS_PER_SECOND (depth 1, one port)] [--again SECONDS]\n"
        "  [--calls FILE --openings FILE [--counters-at OFFSET] [--reply-min BYTES]] (depth 1)");
}

static void open_target(SSL_CTX *context) {
  active->poll = epoll_create1(EPOLL_CLOEXEC);
  active->connections = calloc(options.connections, sizeof *active->connections);
  if (!active->connections) die("out of memory");
  for (uint32_t i = 0; i < options.connections; i++) {
    active->connections[i].index = i;
    open_connection(&active->connections[i], context);
  }
}

static void send_first_requests(void) {
  for (uint32_t i = 0; i < options.connections; i++) {
    uint64_t now = now_ns(CLOCK_MONOTONIC);
    for (uint32_t d = 1; d <= options.depth; d++) make_request(&active->connections[i], d, now);
    write_requests(&active->connections[i]);
  }
}

int main(int argc, char **argv) {
  parse_options(argc, argv);
  signal(SIGPIPE, SIG_IGN);
  make_requests();
  SSL_CTX *context = make_context();
  for (active = targets; active < targets + target_count; active++) open_target(context);
  for (active = targets; active < targets + target_count; active++) send_first_requests();
  // A moment when a call is due is not to be missed for having slept too long.
  if (options.pace) prctl(PR_SET_TIMERSLACK, 1);
  serve_in_turn(options.warmup);
  measure();
  if (options.again) {
    serve_in_turn(options.again);
    measure();
  }
}

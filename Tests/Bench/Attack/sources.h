// Connections from many addresses of this machine: 127.1.0.1 and the ones after it, each of which is a
// host of its own to the server.
#ifndef MUSTER_ATTACK_SOURCES_H
#define MUSTER_ATTACK_SOURCES_H

#include "../Baseline/machine.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  SOURCE_FIRST = 0x7F010001,
  // What a process, ours or the server's, needs besides connections to the other.
  DESCRIPTORS_KEPT = 200,
};

// How many connections this process may have; the server, started by the same shell, has no more.
static inline uint32_t sources_connections_max(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) die("getrlimit: %s", strerror(errno));
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit)) die("setrlimit: %s", strerror(errno));
  if (limit.rlim_max <= 2 * DESCRIPTORS_KEPT) die("the system lets a process have too few files");
  if (limit.rlim_max > 1u << 24) return 1u << 24;
  return (uint32_t)limit.rlim_max - DESCRIPTORS_KEPT;
}

// Begins to connect from one of the addresses; -1 where the system has no room for it.
static inline int sources_connect(uint32_t host, uint16_t port) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(SOURCE_FIRST + host)};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  // The port is chosen when both ends are known: each address then has all ports for this server.
  setsockopt(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &(int){1}, sizeof(int));
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  if (bind(descriptor, (struct sockaddr *)&from, sizeof from) ||
      (connect(descriptor, (struct sockaddr *)&to, sizeof to) && errno != EINPROGRESS)) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

// Ends a connection without a trace: one that waits out its last minute would keep its port.
static inline void sources_drop(int descriptor) {
  struct linger none = {.l_onoff = 1, .l_linger = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  close(descriptor);
}

// Waits for other events of a socket, or for its first ones.
static inline void sources_watch(int poll, int descriptor, uint32_t events, void *owner) {
  struct epoll_event event = {.events = events, .data.ptr = owner};
  if (epoll_ctl(poll, EPOLL_CTL_MOD, descriptor, &event) == 0) return;
  if (errno != ENOENT || epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event))
    die("epoll_ctl: %s", strerror(errno));
}

#endif

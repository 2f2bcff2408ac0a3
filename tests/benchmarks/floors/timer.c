/* What a C timer achieves: one thread with absolute deadlines sends a datagram every 20 ms, beside a thread that
   never rests (five of Python's share one interpreter) and one that sends 400 datagrams a second. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SLOT = 20000000, CROWD_SLOT = 2500000, BILLION = 1000000000, MOST = 3000 };

static atomic_int over;

static int inlet(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)address, length) || getsockname(fd, (struct sockaddr *)address, &length)
        || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on))
        exit(1);
    return fd;
}

static int outlet(const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof *address))
        exit(1);
    return fd;
}

static void step(struct timespec *due, long nanoseconds)
{
    due->tv_nsec += nanoseconds;
    if (due->tv_nsec >= BILLION) {
        due->tv_nsec -= BILLION;
        due->tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, due, NULL);
}

static void *work(void *unused)
{
    while (!atomic_load_explicit(&over, memory_order_relaxed))
        ;
    return unused;
}

static void *talk(void *unused)
{
    struct sockaddr_in address;
    int in = inlet(&address), out = outlet(&address);
    char packet[160] = {0};
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (!atomic_load(&over)) {
        step(&due, CROWD_SLOT);
        if (send(out, packet, sizeof packet, 0) > 0)
            recv(in, packet, sizeof packet, MSG_DONTWAIT);
    }
    return unused;
}

static int later(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static double stamp(int fd)
{
    char body[256], control[256];
    struct iovec part = {body, sizeof body};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &message, MSG_DONTWAIT) < 0)
        return -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
            struct timespec at;
            memcpy(&at, CMSG_DATA(c), sizeof at);
            return at.tv_sec % 100000 * 1e3 + at.tv_nsec / 1e6;
        }
    return -1;
}

int main(int argc, char **argv)
{
    int slots = argc > 1 ? atoi(argv[1]) : 150, real_time = argc > 2 && !strcmp(argv[2], "fifo");
    struct sockaddr_in address;
    int in = inlet(&address), out = outlet(&address);
    char packet[160] = {0};
    static double off[MOST];
    double first = -1, last = -1;
    pthread_t others[2];
    struct timespec due;
    if (slots < 3 || slots > MOST)
        return 1;
    pthread_create(&others[0], NULL, work, NULL);
    pthread_create(&others[1], NULL, talk, NULL);
    if (real_time && sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 10})) {
        puts("{\"cannot\": \"real-time scheduling is not permitted: run as root or grant CAP_SYS_NICE\"}");
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int slot = 0; slot < slots; slot++) {
        double at;
        step(&due, SLOT);
        if (send(out, packet, sizeof packet, 0) < 0 || (at = stamp(in)) < 0)
            return 1;
        if (slot == 0)
            first = at;
        else
            off[slot - 1] = at - last > 20 ? at - last - 20 : 20 - (at - last);
        last = at;
    }
    atomic_store(&over, 1);
    qsort(off, slots - 1, sizeof *off, later);
    printf("{\"values\": {\"p50\": %.4f, \"p99\": %.4f, \"max\": %.4f, \"drift\": %.4f}}\n", off[(slots - 1) / 2],
           off[(slots - 1) * 99 / 100], off[slots - 2], last - first - 20.0 * (slots - 1));
    return 0;
}

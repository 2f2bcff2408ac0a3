/* Threads in a ring hand one number round, each asleep on a condition until it is its turn. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct box {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    long long sent; /* when it was put in; 0 while the box is empty */
    int hop;
};

static struct box *boxes; /* one for each thread, who takes from it */
static long long *taken;  /* nanoseconds of each hop */
static int hops, threads;

static long long now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void put(struct box *box, int hop) {
    pthread_mutex_lock(&box->lock);
    box->sent = now(CLOCK_MONOTONIC);
    box->hop = hop;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->lock);
}

static long long take(struct box *box, int *hop) {
    pthread_mutex_lock(&box->lock);
    while (box->sent == 0) pthread_cond_wait(&box->filled, &box->lock);
    long long sent = box->sent;
    *hop = box->hop;
    box->sent = 0;
    pthread_mutex_unlock(&box->lock);
    return now(CLOCK_MONOTONIC) - sent;
}

/* Hops beyond the last go round once, unmeasured, and everybody who sees one goes home. */
static void *pass_on(void *own) {
    struct box *mine = own;
    struct box *next = mine + 1 == boxes + threads ? boxes : mine + 1;
    for (;;) {
        int hop;
        long long lasted = take(mine, &hop);
        if (hop < hops) taken[hop] = lasted;
        if (hop + 1 < hops + threads) put(next, hop + 1);
        if (hop >= hops) return NULL;
    }
}

static int compare(const void *one, const void *other) {
    long long left = *(const long long *)one, right = *(const long long *)other;
    return (left > right) - (left < right);
}

static int keep_to_one_core(void) {
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(sched_getcpu(), &own);
    return sched_setaffinity(0, sizeof own, &own);
}

struct result {
    double p50_us, p99_us, cpu_us, per_second;
};

/* Whether so many threads could be had. */
static int play(struct result *result) {
    taken = calloc((size_t)hops, sizeof *taken);
    boxes = calloc((size_t)threads, sizeof *boxes);
    pthread_t *all = calloc((size_t)threads, sizeof *all);
    if (!taken || !boxes || !all) return 0;
    for (int each = 0; each < threads; each++) {
        pthread_mutex_init(&boxes[each].lock, NULL);
        pthread_cond_init(&boxes[each].filled, NULL);
    }
    for (int each = 0; each < threads; each++)
        if (pthread_create(&all[each], NULL, pass_on, &boxes[each])) return 0;
    long long cpu = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
    put(&boxes[0], 0);
    for (int each = 0; each < threads; each++) pthread_join(all[each], NULL);
    double lasted = (double)(now(CLOCK_MONOTONIC) - began);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    qsort(taken, (size_t)hops, sizeof *taken, compare);
    *result = (struct result){.p50_us = (double)taken[hops / 2] / 1e3,
                              .p99_us = (double)taken[hops / 100 * 99] / 1e3,
                              .cpu_us = (double)cpu / 1e3 / hops,
                              .per_second = hops * 1e9 / lasted};
    free(taken), free(boxes), free(all);
    return 1;
}

/* In a small ring, and then in a large one: how much dearer a hop is there. */
int main(int count, char **words) {
    struct result small, large;
    if (count < 4 || (hops = atoi(words[1])) <= 0 || (threads = atoi(words[3])) < 2)
        return fprintf(stderr, "handoff HOPS free|pinned THREADS [MORE]\n"), 2;
    if (strcmp(words[2], "pinned") == 0 && keep_to_one_core()) return perror("sched_setaffinity"), 1;
    if (!play(&small)) return perror("threads"), 1;
    large = small;
    if (count > 4 && ((threads = atoi(words[4])) < 2 || !play(&large))) return perror("more threads"), 1;
    printf("{\"values\": {\"p50_us\": %.3f, \"p99_us\": %.3f, \"cpu_us\": %.3f, \"per_second\": %.0f, "
           "\"more_us\": %.3f, \"growth\": %.3f}}\n",
           small.p50_us, small.p99_us, small.cpu_us, small.per_second, large.cpu_us,
           large.cpu_us / small.cpu_us);
    return 0;
}

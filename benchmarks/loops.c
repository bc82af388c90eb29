/* The loop one writes by hand: unpack the fields of two agents, apply the rule line by line, pack them again.

   cc -O3 -march=native -o loops loops.c -lm
   ./loops PROTOCOL N STEPS SEED0 SEED1 SEED2 SEED3 PARAM...   (seeds are hex words of xoshiro256++)
   prints: ns_per_interaction leaders checksum

   Same packed words, same random pairs and same starts as the benchmark's other contestants: checksums must agree.
   Pairs are drawn ahead in blocks; where the agents outgrow the cache, each is prefetched a few interactions before. */

#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef unsigned __int128 u128;

static u64 s[4];

static inline u64 rotl(u64 x, int k) { return (x << k) | (x >> (64 - k)); }

static inline u64 next(void) {
    u64 out = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return out;
}

#define BLOCK 512
#define NEAR 12 /* 8 to 48 tried on each protocol at n = 10^6 and 10^7 */
static u32 left[BLOCK], right[BLOCK];

static void draw_complete(u64 n, u64 reject) {
    for (int k = 0; k < BLOCK;) {
        u128 a = (u128)next() * n, b = (u128)(u64)a * (n - 1);
        if ((u64)b < reject) continue;
        u32 i = a >> 64, j = b >> 64;
        j += j >= i;
        left[k] = i; right[k] = j; k++;
    }
}

static void draw_ring(u64 n, u64 reject) {
    for (int k = 0; k < BLOCK;) {
        u128 a = (u128)next() * n;
        if ((u64)a < reject) continue;
        u32 i = a >> 64;
        left[k] = i; right[k] = i + 1 == n ? 0 : i + 1; k++;
    }
}

static int min(int x, int y) { return x < y ? x : y; }
static int max(int x, int y) { return x > y ? x : y; }

/* ------------------------------------------------------------------------------------------------ P_LL */

enum { X, A, B };
typedef struct { int leader, status, epoch, init, color, done, count, levelQ, rand, levelB, tick; } LL;
typedef struct { int c_max, nonce; } LLP;

static inline LL ll_unpack(u64 w) {
    return (LL){w & 1, w >> 1 & 3, w >> 3 & 3, w >> 5 & 3, w >> 7 & 3, w >> 9 & 1,
                w >> 10 & 8191, w >> 23 & 8191, w >> 36 & 8191, w >> 49 & 8191, 0};
}
static inline u64 ll_pack(LL a) {
    return (u64)a.leader | (u64)a.status << 1 | (u64)a.epoch << 3 | (u64)a.init << 5 | (u64)a.color << 7 | (u64)a.done << 9 |
           (u64)a.count << 10 | (u64)a.levelQ << 23 | (u64)a.rand << 36 | (u64)a.levelB << 49;
}

static inline void ll_count(LL *a, LLP p) {
    if (a->status == B) {
        if (++a->count == p.c_max) { a->count = 0; a->color = (a->color + 1) % 3; a->tick = 1; }
    }
}
static inline int ll_follow_color(LL *a, const LL *b) {
    if (b->color != (a->color + 1) % 3) return 0;
    a->color = b->color; a->tick = 1;
    if (a->status == B) a->count = 0;
    return 1;
}
static inline void ll_enter(LL *a, LLP p) {
    if (a->epoch > a->init) {
        a->levelQ = a->done = a->rand = 0;
        if (a->status == A && a->epoch == 2) a->rand = a->leader ? 1 : p.nonce;
        if (a->status == A && a->epoch == 3) a->levelB = 0;
        a->init = a->epoch;
    }
}

static inline void p_ll(LL *a, LL *b, LLP p) {
    if (a->status == X && b->status == X) {
        a->status = A; a->levelQ = 0; a->done = 0; a->leader = 1;
        b->status = B; b->count = 0; b->leader = 0;
    } else if (a->status == X) { a->status = A; a->levelQ = 0; a->done = 1; a->leader = 0; }
    else if (b->status == X) { b->status = A; b->levelQ = 0; b->done = 1; b->leader = 0; }
    ll_count(a, p); ll_count(b, p);
    if (!ll_follow_color(a, b)) ll_follow_color(b, a);
    if (a->tick) a->epoch = min(a->epoch + 1, 3);
    if (b->tick) b->epoch = min(b->epoch + 1, 3);
    a->epoch = b->epoch = max(a->epoch, b->epoch);
    ll_enter(a, p); ll_enter(b, p);
    if (a->epoch == 1) {
        if (a->leader && !b->leader && !a->done) a->levelQ = min(a->levelQ + 1, p.c_max);
        else if (b->leader && !a->leader && !b->done) b->done = 1;
        if (a->status == A && b->status == A && a->done && b->done) {
            if (a->levelQ < b->levelQ) { a->leader = 0; a->levelQ = b->levelQ; }
            else if (b->levelQ < a->levelQ) { b->leader = 0; b->levelQ = a->levelQ; }
        }
    } else if (a->epoch == 2) {
        if (a->leader && !b->leader && a->rand < p.nonce) a->rand = 2 * a->rand;
        else if (b->leader && !a->leader && b->rand < p.nonce) b->rand = 2 * b->rand + 1;
        if (a->status == A && b->status == A && a->rand >= p.nonce && b->rand >= p.nonce) {
            if (a->rand < b->rand) { a->leader = 0; a->rand = b->rand; }
            else if (b->rand < a->rand) { b->leader = 0; b->rand = a->rand; }
        }
    } else {
        if (a->tick && a->leader) a->levelB = min(a->levelB + 1, p.c_max);
        if (a->status == A && b->status == A) {
            if (a->levelB < b->levelB) { a->levelB = b->levelB; a->leader = 0; }
            else if (b->levelB < a->levelB) { b->levelB = a->levelB; b->leader = 0; }
        }
        if (a->leader && b->leader) b->leader = 0;
    }
}

/* ------------------------------------------------------------------------------------------------ P_RL */

typedef struct { int leader, bullet, shield, signal, distL; } RL;
typedef struct { int N; } RLP;

static inline RL rl_unpack(u32 w) { return (RL){w & 1, w >> 1 & 3, w >> 3 & 1, w >> 4 & 1, w >> 5}; }
static inline u32 rl_pack(RL a) {
    return (u32)a.leader | (u32)a.bullet << 1 | (u32)a.shield << 3 | (u32)a.signal << 4 | (u32)a.distL << 5;
}

static inline void p_rl(RL *l, RL *r, RLP p) {
    if (l->leader) l->distL = 0;
    if (r->leader) r->distL = 0;
    else if (r->bullet == 0) r->distL = min(l->distL + 1, p.N);
    if (r->distL == p.N) *r = (RL){1, 2, 1, 0, 0};
    if (l->leader && l->signal) { l->bullet = 2; l->shield = 1; l->signal = 0; }
    if (r->leader && r->signal) { r->bullet = 1; r->shield = 0; r->signal = 0; }
    if (l->bullet > 0 && r->leader) {
        if (l->bullet == 2 && !r->shield) r->leader = 0;
        l->bullet = 0;
    } else if (l->bullet > 0) {
        if (r->bullet == 0) r->bullet = l->bullet;
        l->bullet = 0; r->signal = 0;
    }
    l->signal = max(l->signal, max(r->signal, r->leader));
}

/* ------------------------------------------------------------------------------------------------ P_PL */

typedef struct { int leader, shield, virus, timerL, timerI; } PL;
typedef struct { int t_virus, t_max, t_emit; } PLP;

static inline PL pl_unpack(u64 w) {
    return (PL){w & 1, w >> 1 & 1, w >> 2 & 1048575, w >> 22 & 1048575, w >> 42 & 1048575};
}
static inline u64 pl_pack(PL a) {
    return (u64)a.leader | (u64)a.shield << 1 | (u64)a.virus << 2 | (u64)a.timerL << 22 | (u64)a.timerI << 42;
}

static inline void p_pl(PL *a, PL *b, PLP p) {
    a->timerL = b->timerL = max(max(a->timerL - 1, b->timerL - 1), 0);
    if (a->timerL == 0) a->leader = b->leader = 1;
    if (a->leader || b->leader) a->timerL = b->timerL = p.t_max;
    a->virus = b->virus = max(max(a->virus - 1, b->virus - 1), 0);
    if (!a->shield && a->virus > 0) a->leader = 0;
    if (!b->shield && b->virus > 0) b->leader = 0;
    a->timerI = max(a->timerI - 1, 0);
    b->timerI = max(b->timerI - 1, 0);
    if (a->timerI == 0 && a->leader) { a->virus = p.t_virus; a->shield = 1; }
    if (b->timerI == 0 && b->leader) b->shield = 0;
    if (a->timerI == 0) a->timerI = p.t_emit;
    if (b->timerI == 0) b->timerI = p.t_emit;
}

/* ---------------------------------------------------------------------------------------------- driver */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* a neighbour on the machine must not count */
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void *agents(size_t bytes) { /* on huge pages, as numpy's arrays are */
    size_t page = 2 << 20;
    void *w = aligned_alloc(page, (bytes + page - 1) / page * page);
    madvise(w, (bytes + page - 1) / page * page, MADV_HUGEPAGE);
    return w;
}

#define RUN(WORD, STATE, UNPACK, PACK, RULE, PARAM, DRAW, START) do {                            \
        WORD *w = agents(n * sizeof(WORD));                                                     \
        for (u64 i = 0; i < n; i++) { w[i] = (START); leaders += w[i] & 1; }                    \
        int ahead = n * sizeof(WORD) > (1 << 19);                                               \
        double began = now();                                                                   \
        for (u64 done = 0; done < steps; done += BLOCK) {                                       \
            DRAW;                                                                               \
            for (int k = 0; ahead && k < NEAR; k++) {                                           \
                __builtin_prefetch(w + left[k], 1);                                             \
                __builtin_prefetch(w + right[k], 1);                                            \
            }                                                                                   \
            int stop = steps - done < BLOCK ? (int)(steps - done) : BLOCK;                      \
            for (int k = 0; k < stop; k++) {                                                    \
                if (ahead && k + NEAR < BLOCK) {                                                \
                    __builtin_prefetch(w + left[k + NEAR], 1);                                  \
                    __builtin_prefetch(w + right[k + NEAR], 1);                                 \
                }                                                                               \
                WORD x = w[left[k]], y = w[right[k]];                                           \
                STATE a = UNPACK(x), b = UNPACK(y);                                             \
                RULE(&a, &b, PARAM);                                                            \
                w[left[k]] = PACK(a); w[right[k]] = PACK(b);                                    \
                leaders += a.leader + b.leader - (int)(x & 1) - (int)(y & 1);                   \
                if (leaders == 1 && first < 0) first = done + k + 1;                            \
            }                                                                                   \
        }                                                                                       \
        double took = now() - began;                                                            \
        u64 sum = 0;                                                                            \
        for (u64 i = 0; i < n; i++) sum += (i + 1) * (u64)w[i];                                 \
        printf("%.3f %" PRId64 " %" PRIu64 "\n", took / steps, leaders, sum);                   \
        free(w);                                                                                \
    } while (0)

int main(int argc, char **argv) {
    if (argc < 9) { fprintf(stderr, "usage: loops PROTOCOL N STEPS SEED0 SEED1 SEED2 SEED3 PARAM...\n"); return 2; }
    u64 n = strtoull(argv[2], 0, 10), steps = strtoull(argv[3], 0, 10), v[4] = {0};
    int64_t leaders = 0, first = -1;
    for (int k = 0; k < 4; k++) s[k] = strtoull(argv[4 + k], 0, 16);
    for (int k = 0; k < 4 && 8 + k < argc; k++) v[k] = strtoull(argv[8 + k], 0, 10);
    u64 pairs = n * (n - 1), reject = -pairs % pairs, reject_ring = -n % n;
    if (!strcmp(argv[1], "p_ll")) {
        LLP p = {41 * (int)v[0], 1};
        while ((u64)p.nonce < v[0]) p.nonce *= 2;
        RUN(u64, LL, ll_unpack, ll_pack, p_ll, p, draw_complete(n, reject), 1 | 1 << 3 | 1 << 5);
    } else if (!strcmp(argv[1], "p_rl")) {
        RLP p = {(int)v[0]};
        RUN(u32, RL, rl_unpack, rl_pack, p_rl, p, draw_ring(n, reject_ring),
            (i % 7 == 0) | i % 3 << 1 | i / 2 % 2 << 3 | i / 3 % 2 << 4 | 5 * i % (v[0] + 1) << 5);
    } else {
        int log_n = (int)ceil(log((double)v[0])), t_virus = (int)v[2] * log_n, t = (int)(v[3] * v[1]) * t_virus * log_n;
        PLP p = {t_virus, t, t};
        RUN(u64, PL, pl_unpack, pl_pack, p_pl, p, draw_complete(n, reject),
            i % 2 | i / 2 % 2 << 1 | i % (t_virus + 1) << 2 | 7 * i % (t + 1) << 22 | 11 * i % (t + 1) << 42);
    }
    return 0;
}

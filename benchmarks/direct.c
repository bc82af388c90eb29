/* Hand-written simulation loops: the yardstick for the simulator's own engines.

   cc -O3 -march=native -o direct direct.c -lm
   ./direct PROTOCOL N STEPS SEED0 SEED1 SEED2 SEED3 PARAM...     (seeds are hex words of xoshiro256++)
       p_ll m                            complete graph, repaired Tournament
       p_rl N                            directed ring
       p_pl N c virus_factor emit_factor complete graph
   prints: ns_per_interaction leaders checksum first
       first = number of interactions after which there was exactly one leader for the first time (0: at the
       start, -1: never). The environment variable LOOP=plain|ring overrides the choice of loop; the pairs, and
       therefore leaders, checksum and first, are the same in both.

   Why packed words: an agent is one load and one store, in one cache line, and most rules become a few bit
   operations. Rules that fire for an unpredictable half of the pairs are written without branches; rules that fire
   rarely are branches marked unlikely, so that the usual interaction costs one predicted test for all of them. */

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

#define INLINE static inline __attribute__((always_inline))
#define unlikely(c) __builtin_expect(!!(c), 0)
#define BITS(first, last) ((~0ULL >> (63 - (last))) & (~0ULL << (first)))

/* ---------------------------------------------------------------- random pairs */

typedef struct { u64 s0, s1, s2, s3; } Rng;
typedef struct { u32 i, j; } Pair;

INLINE u64 rotl(u64 x, int k) { return (x << k) | (x >> (64 - k)); }

INLINE u64 next(Rng *r) {
    u64 out = rotl(r->s0 + r->s3, 23) + r->s0, t = r->s1 << 17;
    r->s2 ^= r->s0; r->s3 ^= r->s1; r->s1 ^= r->s2; r->s0 ^= r->s3;
    r->s2 ^= t; r->s3 = rotl(r->s3, 45);
    return out;
}

/* One draw gives both agents: x * n(n-1) / 2^64 is the number of the pair, multiplied out in two steps. `reject` is
   2^64 mod the number of pairs, so that every pair has exactly the same number of accepted draws. */
INLINE Pair draw_complete(Rng *r, u64 n, u64 reject) {
    u128 m1, m2;
    do {
        m1 = (u128)next(r) * n;
        m2 = (u128)(u64)m1 * (n - 1);
    } while (unlikely((u64)m2 < reject));
    u32 i = m1 >> 64, j = m2 >> 64;
    return (Pair){i, j + (j >= i)};
}

INLINE Pair draw_ring(Rng *r, u64 n, u64 reject) {
    u128 m;
    do m = (u128)next(r) * n; while (unlikely((u64)m < reject));
    u32 k = m >> 64;
    return (Pair){k, k + 1 == n ? 0 : k + 1};
}

INLINE u64 reject_complete(u64 n) { u64 pairs = n * (n - 1); return -pairs % pairs; }
INLINE u64 reject_ring(u64 n) { return -n % n; }

/* ---------------------------------------------------------------- P_LL */

enum { LEADER = 1 };                                  /* bit 0 in every protocol: the driver counts it */

typedef struct { u64 c_max, top; } p_ll_param;        /* 41 m; 2^ceil(lg m), the smallest finished nonce */

#define LL_A (1ULL << 1)
#define LL_B (1ULL << 2)
#define LL_X_MASK (LL_A | LL_B)
#define LL_EPOCH BITS(3, 4)
#define LL_INIT BITS(5, 6)
#define LL_COLOR BITS(7, 8)
#define LL_DONE (1ULL << 9)
#define LL_COUNT BITS(10, 22)
#define LL_LEVELQ BITS(23, 35)
#define LL_RAND BITS(36, 48)
#define LL_LEVELB BITS(49, 61)

INLINE u64 ll_next_color(u64 w) { return (w & LL_COLOR) == 2 << 7 ? 0 : (w & LL_COLOR) + (1 << 7); }

INLINE u64 ll_enter(u64 w, u64 epoch, u64 top) {      /* lines 11-15; init is the epoch before this interaction */
    if ((w & LL_INIT) >> 5 < epoch && w & LL_A) {
        w &= ~(LL_DONE | LL_LEVELQ | LL_RAND);        /* variables of a group it has left are 0 */
        if (epoch == 2) w |= (w & LEADER ? 1 : top) << 36;
    }
    return (w & ~(LL_EPOCH | LL_INIT)) | epoch << 3 | epoch << 5;
}

/* The colours or epochs of the two agents differ, or a count has wrapped: the rest of lines 25-15.
   Returns tick of the initiator, the only one that is read later (line 50). */
static inline int ll_synchronise(u64 *pa, u64 *pb, const p_ll_param *p) {
    u64 a = *pa, b = *pb, tick_a = 0, tick_b = 0;
    if ((a & LL_COUNT) >> 10 == p->c_max) a = (a & ~(LL_COUNT | LL_COLOR)) | ll_next_color(a), tick_a = 1;
    if ((b & LL_COUNT) >> 10 == p->c_max) b = (b & ~(LL_COUNT | LL_COLOR)) | ll_next_color(b), tick_b = 1;
    if ((b & LL_COLOR) == ll_next_color(a))           /* lines 30-34; an agent of V_A has count 0 anyway */
        a = (a & ~(LL_COUNT | LL_COLOR)) | (b & LL_COLOR), tick_a = 1;
    else if ((a & LL_COLOR) == ll_next_color(b))
        b = (b & ~(LL_COUNT | LL_COLOR)) | (a & LL_COLOR), tick_b = 1;
    u64 ea = ((a & LL_EPOCH) >> 3) + tick_a, eb = ((b & LL_EPOCH) >> 3) + tick_b;
    u64 epoch = ea > eb ? ea : eb;                    /* lines 9 and 10: min(3, .) and max commute */
    if (epoch > 3) epoch = 3;
    *pa = ll_enter(a, epoch, p->top);
    *pb = ll_enter(b, epoch, p->top);
    return tick_a;
}

/* The agent with the smaller value of `field` takes the larger one and stops being a leader. */
INLINE void ll_epidemic(u64 *a, u64 *b, u64 field) {
    if ((*a & field) < (*b & field)) *a = (*a & ~(field | LEADER)) | (*b & field);
    else *b = (*b & ~(field | LEADER)) | (*a & field);
}

INLINE void p_ll(u64 *pa, u64 *pb, const p_ll_param *p) {
    u64 a = *pa, b = *pb;
    int tick_a = 0;
    if (unlikely(!(a & LL_X_MASK) | !(b & LL_X_MASK))) {            /* lines 1-6 */
        if (!(a & LL_X_MASK) & !(b & LL_X_MASK)) a |= LL_A, b = (b | LL_B) & ~(u64)LEADER;
        else if (!(a & LL_X_MASK)) a = (a | LL_A | LL_DONE) & ~(u64)LEADER;
        else b = (b | LL_A | LL_DONE) & ~(u64)LEADER;
    }
    a += (a & LL_B) << 8;                             /* lines 23-24 without asking who is B: bit 2 to bit 10 */
    b += (b & LL_B) << 8;
    if (unlikely(((a & LL_COUNT) == p->c_max << 10) | ((b & LL_COUNT) == p->c_max << 10) |
                 (((a ^ b) & (LL_COLOR | LL_EPOCH)) != 0)))
        tick_a = ll_synchronise(&a, &b, p);
    u64 epoch = (a & LL_EPOCH) >> 3;                  /* now the same in both agents */
    if (epoch == 1) {                                 /* QuickElimination. done implies V_A */
        u64 heads = a & ~b & ~(a >> 9) & LEADER, tails = b & ~a & ~(b >> 9) & LEADER;
        if (unlikely((a & LL_LEVELQ) == p->c_max << 23)) heads = 0;
        a += heads << 23;
        b |= tails << 9;
        if (unlikely(((a & b & LL_DONE) != 0) & (((a ^ b) & LL_LEVELQ) != 0))) ll_epidemic(&a, &b, LL_LEVELQ);
    } else if (epoch == 2) {                          /* Tournament. rand > 0 implies V_A */
        u64 ra = (a & LL_RAND) >> 36, rb = (b & LL_RAND) >> 36;
        if (unlikely((a ^ b) & LEADER)) {
            if (a & LEADER && ra < p->top) a += ra << 36, ra *= 2;
            if (b & LEADER && rb < p->top) b += (rb + 1) << 36, rb = 2 * rb + 1;
        }
        if (unlikely((ra != rb) & ((ra < rb ? ra : rb) >= p->top))) ll_epidemic(&a, &b, LL_RAND);
    } else {                                          /* BackUp */
        if (unlikely(tick_a & (a & LEADER)) && (a & LL_LEVELB) >> 49 < p->c_max) a += 1ULL << 49;
        if (unlikely(((a & b & LL_A) != 0) & (((a ^ b) & LL_LEVELB) != 0))) ll_epidemic(&a, &b, LL_LEVELB);
        if (unlikely(a & b & LEADER)) b &= ~(u64)LEADER;
    }
    *pa = a, *pb = b;
}

/* ---------------------------------------------------------------- P_RL */

typedef struct { u32 limit; } p_rl_param;             /* N, in place: N << 5 */

enum { RL_BULLET = 6, RL_SHIELD = 8, RL_SIGNAL = 16, RL_FLAGS = 31 };

INLINE void p_rl(u32 *pl, u32 *pr, const p_rl_param *p) {
    u32 l = *pl, r = *pr;
    l &= RL_FLAGS | ((l & LEADER) - 1);                             /* line 1: a leader's distL becomes 0 */
    u32 dist = (l & ~(u32)RL_FLAGS) + 32;                           /* line 2 */
    dist = dist < p->limit ? dist : p->limit;
    dist = r & RL_BULLET ? r & ~(u32)RL_FLAGS : dist;
    dist = r & LEADER ? 0 : dist;
    r = (r & RL_FLAGS) | dist;
    if (unlikely(dist == p->limit)) r = LEADER | 2 << 1 | RL_SHIELD; /* lines 3-5 */
    l = (l & (LEADER | RL_SIGNAL)) == (LEADER | RL_SIGNAL) ? LEADER | 2 << 1 | RL_SHIELD : l;  /* 6-7; distL is 0 */
    r = (r & (LEADER | RL_SIGNAL)) == (LEADER | RL_SIGNAL) ? LEADER | 1 << 1 : r;              /* 8-9 */
    u32 bullet = l & RL_BULLET;
    l &= ~(u32)RL_BULLET;                                           /* lines 12 and 15: it leaves l in any case */
    u32 at_leader = bullet == 2 << 1 && !(r & RL_SHIELD) ? r & ~(u32)LEADER : r;               /* line 11 */
    u32 at_follower = (r & RL_BULLET ? r : r | bullet) & ~(u32)RL_SIGNAL;                      /* lines 14-15 */
    u32 hit = r & LEADER ? at_leader : at_follower;
    r = bullet ? hit : r;
    l |= (r & RL_SIGNAL) | (r & LEADER) << 4;                       /* line 16 */
    *pl = l, *pr = r;
}

/* ---------------------------------------------------------------- P_PL */

typedef struct { u64 t_virus, t_max, t_emit; } p_pl_param;          /* in place: shifted by 2, 22 and 42 */

#define PL_SHIELD 2ULL
#define PL_VIRUS BITS(2, 21)
#define PL_TIMERL BITS(22, 41)
#define PL_TIMERI BITS(42, 61)

INLINE u64 max(u64 x, u64 y) { return x > y ? x : y; }

INLINE void p_pl(u64 *pa, u64 *pb, const p_pl_param *p) {
    u64 a = *pa, b = *pb;
    u64 leader_a = a & LEADER, leader_b = b & LEADER;
    u64 timer = max(a & PL_TIMERL, b & PL_TIMERL);
    if (unlikely(timer <= 1ULL << 22)) leader_a = leader_b = 1;     /* lines 1-2: one less is 0 */
    timer = leader_a | leader_b ? p->t_max : timer - (1ULL << 22);  /* line 3 */
    u64 virus = max(a & PL_VIRUS, b & PL_VIRUS);
    virus -= virus ? 1 << 2 : 0;                                    /* line 4 */
    u64 clean = virus == 0;
    leader_a &= a >> 1 | clean;                                     /* line 5 */
    leader_b &= b >> 1 | clean;
    u64 ia = a & PL_TIMERI, ib = b & PL_TIMERI;
    a = (a & PL_SHIELD) | leader_a | virus | timer;
    b = (b & PL_SHIELD) | leader_b | virus | timer;
    if (unlikely((ia <= 1ULL << 42) | (ib <= 1ULL << 42))) {        /* lines 6-9: one less is 0 */
        if (ia <= 1ULL << 42) {
            ia = p->t_emit + (1ULL << 42);                          /* the 1 is taken off again below */
            if (leader_a) a = (a & ~PL_VIRUS) | p->t_virus | PL_SHIELD;
        }
        if (ib <= 1ULL << 42) {
            ib = p->t_emit + (1ULL << 42);
            if (leader_b) b &= ~PL_SHIELD;
        }
    }
    *pa = a | (ia - (1ULL << 42));
    *pb = b | (ib - (1ULL << 42));
}

/* ---------------------------------------------------------------- loops */

typedef struct { u64 leaders; int64_t first; } Goal;

#ifndef AHEAD
#define AHEAD 32                                      /* power of two */
#endif

#define STEP(PROTOCOL, WORD, PAIR) do {                                                         \
        WORD *pa = w + (PAIR).i, *pb = w + (PAIR).j;                                            \
        u64 before = (*pa & LEADER) + (*pb & LEADER);                                           \
        PROTOCOL(pa, pb, &param);                                                               \
        g.leaders += (*pa & LEADER) + (*pb & LEADER) - before;                                  \
        if (unlikely(g.leaders == 1) && g.first < 0) g.first = step + 1;                        \
    } while (0)

#define LOOPS(PROTOCOL, WORD, GRAPH)                                                            \
    static Goal PROTOCOL##_plain(WORD *w, u64 n, int64_t steps, Rng rng, PROTOCOL##_param param, Goal g) { \
        u64 reject = reject_##GRAPH(n);                                                         \
        for (int64_t step = 0; step < steps; step++) {                                          \
            Pair now = draw_##GRAPH(&rng, n, reject);                                           \
            STEP(PROTOCOL, WORD, now);                                                          \
        }                                                                                       \
        return g;                                                                               \
    }                                                                                           \
    static Goal PROTOCOL##_ring(WORD *w, u64 n, int64_t steps, Rng rng, PROTOCOL##_param param, Goal g) { \
        u64 reject = reject_##GRAPH(n);                                                         \
        Pair ring[AHEAD];                                                                       \
        for (int k = 0; k < AHEAD; k++) ring[k] = draw_##GRAPH(&rng, n, reject);                \
        for (int64_t step = 0; step < steps; step++) {                                          \
            Pair now = ring[step % AHEAD], later = draw_##GRAPH(&rng, n, reject);               \
            ring[step % AHEAD] = later;                                                         \
            __builtin_prefetch(w + later.i, 1);                                                 \
            __builtin_prefetch(w + later.j, 1);                                                 \
            STEP(PROTOCOL, WORD, now);                                                          \
        }                                                                                       \
        return g;                                                                               \
    }                                                                                           \
    static Goal PROTOCOL##_block(WORD *w, u64 n, int64_t steps, Rng rng, PROTOCOL##_param param, Goal g) { \
        u64 reject = reject_##GRAPH(n);                                                         \
        Pair block[AHEAD];                                                                       \
        for (int64_t step = 0; step < steps; ) {                                          \
            int len = steps - step < AHEAD ? steps - step : AHEAD; \
            for (int k = 0; k < len; k++) {Pair later = block[k] = draw_##GRAPH(&rng, n, reject);                \
            if(PF)__builtin_prefetch(w + later.i, 1);                                                 \
            if(PF)__builtin_prefetch(w + later.j, 1);  }                                               \
            for (int k = 0; k < len; k++, step++) STEP(PROTOCOL, WORD, block[k]);                                                          \
        }                                                                                       \
        return g;                                                                               \
    }
#ifndef PF
#define PF 1
#endif
LOOPS(p_ll, u64, complete)
LOOPS(p_rl, u32, ring)
LOOPS(p_pl, u64, complete)

/* ---------------------------------------------------------------- driver */

static void *agents(u64 n, size_t size) {             /* huge pages: a random access should not miss the TLB too */
    size_t bytes = (n * size + (2 << 20) - 1) / (2 << 20) * (2 << 20);
    void *w = aligned_alloc(2 << 20, bytes);
    if (!w) { perror("aligned_alloc"); exit(1); }
    if(!getenv("NOHUGE"))madvise(w, bytes, MADV_HUGEPAGE);
    return w;
}

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

#define RUN(PROTOCOL, WORD, PARAM, START) do {                                                  \
        WORD *w = agents(n, sizeof(WORD));                                                      \
        Goal g = {0, -1};                                                                       \
        for (u64 i = 0; i < n; i++) { w[i] = (START); g.leaders += w[i] & LEADER; }             \
        if (g.leaders == 1) g.first = 0;                                                        \
        PROTOCOL##_param param = PARAM;                                                         \
        double t0 = now_ns();                                                                   \
        g = (loop[0] == 'r' ? PROTOCOL##_ring : loop[0]=='b' ? PROTOCOL##_block : PROTOCOL##_plain)(w, n, steps, rng, param, g);            \
        double t1 = now_ns();                                                                   \
        u64 sum = 0;                                                                            \
        for (u64 i = 0; i < n; i++) sum += (i + 1) * (u64)w[i];                                 \
        printf("%.3f %" PRIu64 " %" PRIu64 " %" PRId64 "\n", (t1 - t0) / steps, g.leaders, sum, g.first); \
    } while (0)

int main(int argc, char **argv) {
    if (argc < 9) { fprintf(stderr, "usage: direct PROTOCOL N STEPS SEED0 SEED1 SEED2 SEED3 PARAM...\n"); return 2; }
    const char *name = argv[1], *loop = getenv("LOOP");
    u64 n = strtoull(argv[2], 0, 10), seed[4], par[4] = {0};
    int64_t steps = strtoll(argv[3], 0, 10);
    for (int k = 0; k < 4; k++) seed[k] = strtoull(argv[4 + k], 0, 16);
    for (int k = 0; k < 4 && 8 + k < argc; k++) par[k] = strtoull(argv[8 + k], 0, 10);
    Rng rng = {seed[0], seed[1], seed[2], seed[3]};
    if (!loop) loop = "plain";
    if (!strcmp(name, "p_ll")) {
        u64 top = 1;
        while (top < par[0]) top *= 2;
        RUN(p_ll, u64, ((p_ll_param){41 * par[0], top}), LEADER | 1 << 3 | 1 << 5);
    } else if (!strcmp(name, "p_rl")) {
        u64 N = par[0];
        RUN(p_rl, u32, ((p_rl_param){N << 5}),
            (i % 7 == 0) | i % 3 << 1 | i / 2 % 2 << 3 | i / 3 % 2 << 4 | 5 * i % (N + 1) << 5);
    } else if (!strcmp(name, "p_pl") && argc == 12) {
        u64 log_n = ceil(log(par[0])), t_virus = par[2] * log_n, t_emit = par[3] * par[1] * t_virus * log_n;
        RUN(p_pl, u64, ((p_pl_param){t_virus << 2, t_emit << 22, t_emit << 42}),
            i % 2 | i / 2 % 2 << 1 | i % (t_virus + 1) << 2 | 7 * i % (t_emit + 1) << 22 | 11 * i % (t_emit + 1) << 42);
    } else { fprintf(stderr, "unknown protocol %s, or parameters missing\n", name); return 2; }
}

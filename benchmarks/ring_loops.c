/* A_k and B_k by hand, for one schedule (synchronous), to compare princeps with (benchmarks/rings.py).

   ring_loops a_k|b_k N K < labels: prints nanoseconds a message, messages, time, leader.
   A ring algorithm here sends at most one message for each one it receives, so a message is a slot that is rewritten:
   no queues of links, no schedules, no specification, no bits. A_k keeps its strings as princeps does (a prefix of the
   labels on the left, Duval's test), for distinct labels only. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int32_t kind, x; } Message;
enum { NONE, TOKEN, SHIFT_PHASE, FINISH };

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* -- A_k: every link holds at most one message in a round -------------------------------------------------------- */

typedef struct { int64_t length; int32_t place, back, alive, leads, halted, leader, smallest; } ProcessA;

static int64_t run_a(int n, int k, const int32_t *label, int64_t *rounds, int *leader) {
    ProcessA *p = calloc(n, sizeof *p);
    Message *link = calloc(n, sizeof *link), *next = calloc(n, sizeof *next);
    int64_t messages = 0;
    for (int i = 0; i < n; i++) { /* A1 */
        p[i] = (ProcessA){1, i ? i - 1 : n - 1, i, 1, 0, 0, -1, label[i]};
        link[i + 1 < n ? i + 1 : 0] = (Message){TOKEN, label[i]};
        messages++;
    }
    for (int halted = 0; halted < n;) {
        ++*rounds;
        memset(next, 0, n * sizeof *next);
        for (int i = 0; i < n; i++) {
            Message m = link[i];
            ProcessA *q = p + i;
            Message *out = next + (i + 1 < n ? i + 1 : 0);
            if (m.kind == TOKEN) {
                if (q->leads) continue; /* A5 */
                int lyndon = q->alive && m.x >= label[q->back];
                int enough = q->length >= (int64_t)2 * k * n; /* distinct labels: 2k+1 copies of the first one */
                if (q->alive) {
                    if (m.x < label[q->back]) q->alive = 0;
                    else if (m.x > label[q->back]) q->back = i;
                    else q->back = q->back ? q->back - 1 : n - 1;
                }
                if (m.x != label[q->place]) abort();
                q->place = q->place ? q->place - 1 : n - 1;
                q->length++;
                if (m.x < q->smallest) q->smallest = m.x;
                if (enough && lyndon) { q->leads = 1; q->leader = label[i]; *leader = i; *out = (Message){FINISH, 0}; } /* A3 */
                else *out = m; /* A2 */
                messages++;
            } else if (m.kind == FINISH) {
                q->halted = 1;
                halted++;
                if (!q->leads) { q->leader = q->smallest; *out = m; messages++; } /* A4, else A6 */
            }
        }
        Message *swap = link; link = next; next = swap;
    }
    return messages;
}

/* -- B_k: few messages at a time, so a queue of them ------------------------------------------------------------- */

enum { INIT, COMPUTE, SHIFT, PASSIVE, WIN, HALT };
typedef struct { int32_t state, guest, inner, outer, leader; } ProcessB;
typedef struct { int32_t to, kind, x; } Sent;

static int64_t run_b(int n, int k, const int32_t *label, int64_t *rounds, int *leader) {
    ProcessB *p = calloc(n, sizeof *p);
    Sent *queue = calloc(2 * n, sizeof *queue);
    int64_t head = 0, tail = 0, round_end, messages = 0;
    int size = 2 * n;
#define SEND(KIND, X) (queue[tail % size] = (Sent){i + 1 < n ? i + 1 : 0, KIND, X}, tail++, messages++)
    for (int i = 0; i < n; i++) { /* B1 */
        p[i] = (ProcessB){COMPUTE, label[i], 1, 1, -1};
        SEND(TOKEN, label[i]);
    }
    round_end = head;
    while (head < tail) {
        if (head == round_end) { ++*rounds; round_end = tail; }
        Sent m = queue[head++ % size];
        int i = m.to;
        ProcessB *q = p + i;
        if (m.kind == TOKEN) {
            if (q->state == PASSIVE) SEND(TOKEN, m.x); /* B7 */
            else if (m.x < q->guest) { q->state = PASSIVE; SEND(TOKEN, m.x); } /* B4 */
            else if (m.x == q->guest) {
                if (q->inner < k) { q->inner++; SEND(TOKEN, m.x); } /* B3 */
                else { q->state = SHIFT; SEND(SHIFT_PHASE, q->guest); } /* B5 */
            }
        } else if (m.kind == SHIFT_PHASE) {
            if (q->state == PASSIVE) { SEND(SHIFT_PHASE, q->guest); q->guest = m.x; } /* B8 */
            else if (m.x == label[i] && q->outer == k) { /* B9 */
                q->state = WIN; q->leader = label[i]; *leader = i; SEND(FINISH, label[i]);
            } else { /* B6 */
                q->state = COMPUTE;
                if (m.x == label[i]) q->outer++;
                q->guest = m.x; q->inner = 1;
                SEND(TOKEN, m.x);
            }
        } else if (q->state == PASSIVE) { q->state = HALT; q->leader = m.x; SEND(FINISH, m.x); } /* B10 */
        else q->state = HALT; /* B11 */
    }
    return messages;
}

int main(int argc, char **argv) {
    int n = atoi(argv[2]), k = atoi(argv[3]), leader = -1;
    int32_t *label = malloc(n * sizeof *label);
    for (int i = 0; i < n; i++)
        if (scanf("%d", label + i) != 1) return 1;
    int64_t rounds = 0;
    double began = cpu_seconds();
    int64_t messages = (strcmp(argv[1], "a_k") ? run_b : run_a)(n, k, label, &rounds, &leader);
    double took = cpu_seconds() - began;
    printf("%.3f %lld %lld %d\n", took / messages * 1e9, (long long)messages, (long long)rounds, leader);
    return 0;
}

/* The collective on real buffers, and the check of every rank's result. One of COLLECTIVE_* is defined. */
#include "hccl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined COLLECTIVE_all_gather
enum { GATHERS = 1 };
#else
enum { GATHERS = 0 };
#endif
#if defined COLLECTIVE_reduce_scatter || defined COLLECTIVE_alltoall
enum { SPLITS = 1 };
#else
enum { SPLITS = 0 };
#endif
#if defined COLLECTIVE_all_reduce || defined COLLECTIVE_reduce_scatter
enum { REDUCES = 1 };
#else
enum { REDUCES = 0 };
#endif

int any_rank(int here)
{
    int any = 0;
    MPI_Request request;
    MPI_Iallreduce(&here, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    wait_gently(&request);
    return any;
}

/* At most this many real rounds a size: eight ranks on a small build machine spend their time in the
 * scheduler. Assumed; the printed time is the mean of the rounds that were run. */
enum { MAX_ROUNDS = 3, MAX_WARMUPS = 1 };

static void store(char *at, const struct options *o, double value)
{
    switch (o->type_size) {
    case 1: *(signed char *)at = (signed char)value; break;
    case 2: { short v = (short)value; memcpy(at, &v, 2); break; }
    case 4:
        if (o->type == MPI_FLOAT) { float v = (float)value; memcpy(at, &v, 4); }
        else { int v = (int)value; memcpy(at, &v, 4); }
        break;
    default:
        if (o->type == MPI_DOUBLE) memcpy(at, &value, 8);
        else { long long v = (long long)value; memcpy(at, &v, 8); }
        break;
    }
}

static void fill(char *buffer, size_t count, const struct options *o, double value)
{
    if (count == 0) return;
    store(buffer, o, value);
    size_t done = o->type_size, total = count * o->type_size;
    while (done < total) { /* doubling copies */
        size_t part = done < total - done ? done : total - done;
        memcpy(buffer + done, buffer, part);
        done += part;
    }
}

/* Sum and product of 2 from every rank as in the published test; the others carry the sender's number. */
static double sent_by(int rank) { return REDUCES ? 2 : rank % 100 + 1; }

static double reduced(const struct options *o, int ranks)
{
    double value = sent_by(0);
    if (o->op == MPI_SUM) return value * ranks;
    if (o->op == MPI_PROD) { for (int i = 1; i < ranks; i++) value *= sent_by(i); }
    return value;
}

double moved_bytes(unsigned long long bytes, int ranks) { return (double)bytes * (GATHERS ? ranks : 1); }

/* Documented: results that leave the type's range are not checked and print NULL. */
int overflows(const struct options *o, int ranks)
{
    if (!REDUCES) return 0;
    if (o->op == MPI_SUM) return o->type_size == 1 && ranks > 63;
    if (o->op == MPI_PROD) return ranks > (o->type_size == 1 ? 6 : o->type_size == 2 ? 14 : o->type == MPI_FLOAT ? 127 : 30);
    return 0;
}

/* Polls with short sleeps: MPI's own waiting burns a core a rank, and a lab host has fewer cores than cards. */
void wait_gently(MPI_Request *request)
{
    for (int done = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done;) usleep(50);
}

static void run_once(const struct options *o, const struct ranks *r, char *send, char *receive, size_t count)
{
    int n = (int)count;
    MPI_Request request;
#if defined COLLECTIVE_all_reduce
    (void)r;
    MPI_Iallreduce(send, receive, n, o->type, o->op, MPI_COMM_WORLD, &request);
#elif defined COLLECTIVE_all_gather
    (void)r;
    MPI_Iallgather(send, n, o->type, receive, n, o->type, MPI_COMM_WORLD, &request);
#elif defined COLLECTIVE_reduce_scatter
    MPI_Ireduce_scatter_block(send, receive, n / r->size, o->type, o->op, MPI_COMM_WORLD, &request);
#elif defined COLLECTIVE_alltoall
    MPI_Ialltoall(send, n / r->size, o->type, receive, n / r->size, o->type, MPI_COMM_WORLD, &request);
#elif defined COLLECTIVE_broadcast
    if (r->rank == o->root) memcpy(receive, send, count * o->type_size);
    MPI_Ibcast(receive, n, o->type, o->root, MPI_COMM_WORLD, &request);
#else
#error "define one COLLECTIVE_<name>"
#endif
    wait_gently(&request);
}

/* Number of wrong parts in this rank's result; a part is what one peer must have delivered. */
static int check_part(const char *part, size_t count, char *expected, const struct options *o, double value)
{
    fill(expected, count, o, value);
    return memcmp(part, expected, count * o->type_size) != 0;
}

static int check_result(const struct options *o, const struct ranks *r, const char *result, size_t count)
{
    int parts = GATHERS || (SPLITS && !REDUCES) ? r->size : 1;
    size_t each = SPLITS ? count / (size_t)r->size : count;
    char *expected = malloc(each * o->type_size + 8);
    int errors = 0;
    for (int p = 0; p < parts && expected; p++) {
        double value = REDUCES ? reduced(o, r->size) : sent_by(parts > 1 ? p : o->root);
        errors += check_part(result + (size_t)p * each * o->type_size, each, expected, o, value);
    }
    free(expected);
    return errors;
}

int measure(const struct options *o, const struct ranks *r, unsigned long long bytes, double *usec, int *errors)
{
    size_t count = bytes / o->type_size;
    if (SPLITS) count -= count % (size_t)r->size;
    size_t received = count * (GATHERS ? (size_t)r->size : 1);
    char *send = malloc(count * o->type_size + 8), *receive = malloc(received * o->type_size + 8);
    if (any_rank(!send || !receive)) {
        free(send);
        free(receive);
        return 207001; /* the runtime's code for device memory that cannot be had */
    }
    fill(send, count, o, sent_by(r->rank));
    for (int i = 0; i < o->warmups && i < MAX_WARMUPS; i++) run_once(o, r, send, receive, count);
    int rounds = o->iters < MAX_ROUNDS ? o->iters : MAX_ROUNDS;
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) run_once(o, r, send, receive, count);
    *usec = (MPI_Wtime() - start) * 1e6 / rounds;
    int corrupt;
    /* Field: a bad buffer on one rank. Rank 5 unless the fault names another; the last rank if there is no 5. */
    if (fault_number("hccl-corrupt-rank", 5, &corrupt)) {
        if (corrupt >= r->size) corrupt = r->size - 1;
        if (corrupt == r->rank) receive[received * o->type_size / 2] ^= 0x41;
    }
    *errors = o->check ? check_result(o, r, receive, count) : 0;
    free(send);
    free(receive);
    return 0;
}

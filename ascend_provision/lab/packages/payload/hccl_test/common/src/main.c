/* Flow and printed lines. The exit status is 0 whatever the result (captured: only argument errors are not). */
#include "hccl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>


static int finish(int status)
{
    fflush(stdout);
    MPI_Finalize();
    return status;
}

static void print_row(const struct options *o, const struct ranks *r, unsigned long long bytes, double usec, int failed)
{
    static int header_printed = 0;
    double bandwidth = moved_bytes(bytes, r->size) / usec / 1e3;
    const char *verdict = !o->check || overflows(o, r->size) ? "NULL" : failed ? "failed" : "success";
    if (failed && o->check && !overflows(o, r->size))
        printf("total err is %d\nrank id %d, check result failed, %-17llu | %-14.2f | %-20.5f | failed\n", failed,
               r->rank, bytes, usec, bandwidth);
    if (r->rank != o->root) return;
    if (!header_printed++)
        printf("%-15s | %-12s | %-18s | %s\n", "data_size(Bytes):", "aveg_time(us):", "alg_bandwidth(GB/s):", "check_result:");
    printf("%-17llu | %-14.2f | %-20.5f | %s\n", bytes, usec, bandwidth, verdict);
}

static void sweep(const struct options *o, const struct ranks *r)
{
    int failed = 0;
    unsigned long long bytes = o->min_bytes;
    while (bytes <= o->max_bytes) {
        double usec = 0;
        int errors = 0, code = measure(o, r, bytes, &usec, &errors);
        if (code) {
            printf("acl interface return err ./common/src/hccl_test_common.cc:538, retcode: %d.\n"
                   "memory allocation error, check whether the current memory space is sufficient.\n", code);
            return;
        }
        failed += errors; /* captured: a rank that failed once stays failed for the larger sizes */
        print_row(o, r, bytes, usec, failed);
        fflush(stdout);
        if (o->factor > 1) bytes = (unsigned long long)((double)bytes * o->factor);
        else if (o->step_given) bytes += o->step_bytes; /* documented: a step of 0 never ends */
        else break;
    }
}

int main(int argc, char **argv)
{
    struct options o;
    struct ranks r;
    static char buffer[1 << 14];
    MPI_Init(&argc, &argv);
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* lines of different ranks must not mix */
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.size);
    int parsed = parse_options(argc, argv, &o);
    if (parsed) return finish(parsed > 0 ? 0 : 255);
    if (check_options(&o, count_devices())) return finish(255);
    if (check_buffsize()) return finish(0);
    if (o.root < 0 || o.root >= r.size) o.root = 0;
    r.device = pick_device(r.rank % o.npus);
    /* A rank that gives up alone would leave the others waiting: all ranks decide together. */
    if (any_rank(open_device(&r) < 0)) return finish(0);
    if (r.rank == o.root) {
        printf("the minbytes is %llu, maxbytes is %llu, iters is %d, warmup_iters is %d\n", o.min_bytes, o.max_bytes,
               o.iters, o.warmups);
        fflush(stdout);
    }
    int code = 5; /* HCCL_E_NOT_SUPPORT */
    if (fault_number("hccl-retcode", 7, &code) || !ranks_supported(r.size)) {
        printf("hccl interface return err ./common/src/hccl_test_common.cc:538, retcode: %d \n"
               "This is an error in init_hcclComm.\n", code);
        return finish(0);
    }
    int hung;
    /* A peer that never answers: every rank waits with its card open until someone ends the run. Published
     * limits (HCCL_CONNECT_TIMEOUT 120 s, HCCL_EXEC_TIMEOUT 1836 s) are longer than any smoke run's own. */
    if (fault_number("hccl-hang", 0, &hung)) {
        fflush(stdout);
        for (;;) pause();
    }
    sweep(&o, &r);
    return finish(0);
}

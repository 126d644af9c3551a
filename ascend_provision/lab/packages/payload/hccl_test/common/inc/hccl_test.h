/* Collective test of the ascend-provision lab: real MPI ranks and real buffers in place of HCCL on NPUs.
 *
 * Fidelity: options, the printed table, the failure lines and the worthless exit status are captured or read
 * from the published test (CANN 8.x); times are this machine's own. Each assumption says so where it is made.
 */
#ifndef HCCL_TEST_H
#define HCCL_TEST_H

#include <mpi.h>
#include <stddef.h>

struct options {
    unsigned long long min_bytes, max_bytes, step_bytes;
    double factor; /* > 1, else step_bytes counts */
    int iters, warmups, check, root, npus;
    int step_given;
    const char *op_name, *type_name;
    MPI_Op op;
    MPI_Datatype type;
    size_t type_size;
};

struct ranks {
    int rank, size;
    int device; /* number N of /dev/davinciN */
};

/* options.c */
int parse_options(int argc, char **argv, struct options *o);
int check_options(struct options *o, int devices);
int check_buffsize(void);

/* device.c */
int count_devices(void);
int pick_device(int local_rank);
int open_device(const struct ranks *r);
int ranks_supported(int size);

/* faults.c: a named fault of the lab host; value is its content, "" when it has none */
int fault(const char *name, char *value, size_t room);
int fault_number(const char *name, int otherwise, int *number);

/* collective.c */
int measure(const struct options *o, const struct ranks *r, unsigned long long bytes, double *usec, int *errors);
void wait_gently(MPI_Request *request);
int any_rank(int here);
double moved_bytes(unsigned long long bytes, int ranks);
int overflows(const struct options *o, int ranks);

#endif

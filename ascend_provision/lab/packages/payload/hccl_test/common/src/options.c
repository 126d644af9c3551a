/* Options and environment of the published test. Messages are captured (runs of the real source). */
#include "hccl_test.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option LONG[] = {
    {"minbytes", required_argument, NULL, 'b'},  {"maxbytes", required_argument, NULL, 'e'},
    {"stepbytes", required_argument, NULL, 'i'}, {"stepfactor", required_argument, NULL, 'f'},
    {"iters", required_argument, NULL, 'n'},     {"op", required_argument, NULL, 'o'},
    {"datatype", required_argument, NULL, 'd'},  {"root", required_argument, NULL, 'r'},
    {"warmup_iters", required_argument, NULL, 'w'}, {"check", required_argument, NULL, 'c'},
    {"npus", required_argument, NULL, 'p'},      {"zero_copy", required_argument, NULL, 'z'},
    {"help", no_argument, NULL, 'h'},            {NULL, 0, NULL, 0},
};

static const struct {
    const char *name;
    MPI_Datatype type;
    size_t size;
} TYPES[] = {
    {"fp32", MPI_FLOAT, 4},   {"fp64", MPI_DOUBLE, 8},  {"int8", MPI_INT8_T, 1},    {"int16", MPI_INT16_T, 2},
    {"int32", MPI_INT32_T, 4}, {"int64", MPI_INT64_T, 8}, {"uint8", MPI_UINT8_T, 1}, {"uint16", MPI_UINT16_T, 2},
    {"uint32", MPI_UINT32_T, 4}, {"uint64", MPI_UINT64_T, 8},
};

static void usage(void)
{
    puts("USAGE: ./test ");
    puts("\t[-b,--minbytes <min size in bytes>] ");
    puts("\t[-e,--maxbytes <max size in bytes>] ");
    puts("\t[-i,--stepbytes <increment size>] ");
    puts("\t[-f,--stepfactor <increment factor>] ");
    puts("\t[-n,--iters <iteration count>] ");
    puts("\t[-o,--op <sum/prod/min/max>] ");
    puts("\t[-d,--datatype <int8/int16/int32/fp32/int64/uint64/uint8/uint16/uint32/fp64>] ");
    puts("\t[-r,--root <root>] ");
    puts("\t[-w,--warmup_iters <warmup iteration count>] ");
    puts("\t[-c,--check <result verification> 0:disabled 1:enabled.] ");
    puts("\t[-p,--npus <npus used for one node>] ");
    puts("\t[-h,--help]");
}

/* "8K", "64M", "2G" or plain bytes; 0 on nonsense. */
static unsigned long long parse_size(const char *text)
{
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    switch (*end) {
    case 'G': case 'g': value <<= 30; break;
    case 'M': case 'm': value <<= 20; break;
    case 'K': case 'k': value <<= 10; break;
    case '\0': break;
    default: return 0;
    }
    return value;
}

static int pick_op(struct options *o, const char *name)
{
    o->op_name = name;
    if (!strcmp(name, "sum")) o->op = MPI_SUM;
    else if (!strcmp(name, "prod")) o->op = MPI_PROD;
    else if (!strcmp(name, "max")) o->op = MPI_MAX;
    else if (!strcmp(name, "min")) o->op = MPI_MIN;
    else return -1;
    return 0;
}

static int pick_type(struct options *o, const char *name)
{
    o->type_name = name;
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++)
        if (!strcmp(TYPES[i].name, name)) {
            o->type = TYPES[i].type;
            o->type_size = TYPES[i].size;
            return 0;
        }
    /* fp16 and bfp16 exist on the NPU; MPI has no such type, so the lab refuses them. */
    fprintf(stderr, "data type %s is not simulated by the lab\n", name);
    return -1;
}

int parse_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.min_bytes = 64ULL << 20, .max_bytes = 64ULL << 20, .step_bytes = 0, .factor = 0,
                          .iters = 20, .warmups = 10, .check = 1, .root = 0, .npus = 0};
    pick_op(o, "sum");
    pick_type(o, "fp32");
    int c, bad = 0;
    while ((c = getopt_long(argc, argv, "b:e:i:f:n:o:d:r:w:c:p:z:h", LONG, NULL)) != -1) {
        switch (c) {
        case 'b': o->min_bytes = parse_size(optarg); bad |= o->min_bytes == 0; break;
        case 'e': o->max_bytes = parse_size(optarg); bad |= o->max_bytes == 0; break;
        case 'i': o->step_bytes = parse_size(optarg); o->step_given = 1; break;
        case 'f': o->factor = atof(optarg); bad |= o->factor <= 1; break;
        case 'n': o->iters = atoi(optarg); bad |= o->iters < 1; break;
        case 'w': o->warmups = atoi(optarg); bad |= o->warmups < 0; break;
        case 'c': o->check = atoi(optarg); break;
        case 'r': o->root = atoi(optarg); break;
        case 'p': o->npus = atoi(optarg); bad |= o->npus < 1; break;
        case 'z': break;
        case 'o': bad |= pick_op(o, optarg) != 0; break;
        case 'd': bad |= pick_type(o, optarg) != 0; break;
        case 'h': usage(); return 1;
        default: bad = 1; break;
        }
    }
    if (bad) {
        puts("invalid option \nTry [-h --help] for more information.\nThis is an error in parse_cmd_line.");
        return -1;
    }
    if (o->max_bytes < o->min_bytes) o->max_bytes = o->min_bytes;
    return 0;
}

int check_options(struct options *o, int devices)
{
    if (devices == 0) {
        puts("Error: The number of device is 0.Check whether the package is correct.");
        puts("This is an error in check_cmd_line.");
        return -1;
    }
    if (o->npus == 0) o->npus = devices;
    if (o->npus > devices) {
        printf("Error: [-p,--npus <npus used for one node>] is invalid, npus must be greater than or equal to 1 "
               "and less than or equal to %d.\nThis is an error in check_cmd_line.\n", devices);
        return -1;
    }
    return 0;
}

int check_buffsize(void)
{
    const char *text = getenv("HCCL_BUFFSIZE");
    for (; text && *text; text++)
        if (!isdigit((unsigned char)*text)) {
            puts("Check whether HCCL_BUFFSIZE is all digit.\nThis is an error in get_env.");
            return -1;
        }
    return 0;
}

/* Named faults of the lab host: files in /opt/ascend-lab/faults (below $LAB_ROOT in a unit test). */
#include "hccl_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fault(const char *name, char *value, size_t room)
{
    char path[512];
    const char *root = getenv("LAB_ROOT");
    snprintf(path, sizeof path, "%s/opt/ascend-lab/faults/%s", root ? root : "", name);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (!fgets(value, (int)room, file)) value[0] = '\0';
    value[strcspn(value, "\n")] = '\0';
    fclose(file);
    return 1;
}

int fault_number(const char *name, int otherwise, int *number)
{
    char value[32];
    if (!fault(name, value, sizeof value)) return 0;
    *number = value[0] ? atoi(value) : otherwise;
    return 1;
}

/* The card of a rank: /dev/davinciN is really opened and held, so that npu-smi, fuser and lsof see the rank. */
#include "hccl_test.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *lab_root(void)
{
    const char *root = getenv("LAB_ROOT");
    return root ? root : "";
}

int count_devices(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s/dev", lab_root());
    DIR *dir = opendir(path);
    if (!dir) return 0;
    int found = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (!strncmp(entry->d_name, "davinci", 7) && isdigit((unsigned char)entry->d_name[7])) found++;
    closedir(dir);
    return found;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* HCCL_TEST_USE_DEVS="4,5": ascending, rank i gets the i-th of them (documented). */
int pick_device(int local_rank)
{
    const char *list = getenv("HCCL_TEST_USE_DEVS");
    int devices[64], count = 0;
    while (list && *list && count < 64) {
        devices[count++] = atoi(list);
        list = strchr(list, ',');
        if (list) list++;
    }
    if (count == 0) return local_rank;
    qsort(devices, (size_t)count, sizeof devices[0], ascending);
    return devices[local_rank % count];
}

/* Value of KEY in a KEY=VALUE file, "" when the file or key is missing. */
static void read_key(const char *path, const char *key, char *value, size_t room)
{
    char line[1024];
    size_t length = strlen(key);
    value[0] = '\0';
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, key, length) && line[length] == '=') {
            snprintf(value, room, "%s", line + length + 1);
            value[strcspn(value, "\n")] = '\0';
        }
    if (file) fclose(file);
}

/* "V100R001C15SPC005B220" -> "V100R001C15" */
static void cut_branch(char *inner)
{
    char *spc = strstr(inner, "SPC");
    if (spc) *spc = '\0';
}

/* Assumed: a driver and a toolkit of branches that name each other in neither direction cannot set a device.
 * The branch lists are published (version.info, ascend_toolkit_install.info); what really happens with a
 * pair outside them is not. Also assumed: files of one driver over the loaded modules of another fail. */
static int driver_fits(void)
{
    char path[1024], inner[256], accepts[512], cann[256], wants[512], file_version[128], loaded[128] = "";
    struct utsname machine;
    uname(&machine);
    snprintf(path, sizeof path, "%s/usr/local/Ascend/driver/version.info", lab_root());
    read_key(path, "Version", file_version, sizeof file_version);
    read_key(path, "Innerversion", inner, sizeof inner);
    read_key(path, "compatible_version", accepts, sizeof accepts);
    snprintf(path, sizeof path, "%s/run/ascend-lab/driver", lab_root());
    FILE *file = fopen(path, "r");
    if (file && fgets(loaded, sizeof loaded, file)) loaded[strcspn(loaded, "\n")] = '\0';
    if (file) fclose(file);
    snprintf(path, sizeof path, "%s/%s-linux/ascend_toolkit_install.info", ASCEND_DIR, machine.machine);
    read_key(path, "innerversion", cann, sizeof cann);
    read_key(path, "compatible_version", wants, sizeof wants);
    if (!inner[0]) return 0;
    if (loaded[0] && strcmp(loaded, file_version)) return 0;
    if (!cann[0]) return 1;
    cut_branch(inner);
    cut_branch(cann);
    return strstr(wants, inner) != NULL || strstr(accepts, cann) != NULL;
}

/* Published: one server of a product runs only some rank counts (A1 1, 2, 4, 8; A3 one die or whole NPUs; RANKS of the
 * hardware description). That any other count is refused here, as "not supported", is assumed. */
int ranks_supported(int size)
{
    char path[512], counts[256];
    snprintf(path, sizeof path, "%s/opt/ascend-lab/hw/profile", lab_root());
    read_key(path, "RANKS", counts, sizeof counts);
    int any = 0;
    for (const char *at = counts; *at;) {
        if (!isdigit((unsigned char)*at)) { at++; continue; }
        char *end;
        any = 1;
        if (strtol(at, &end, 10) == size) return 1;
        at = end;
    }
    return !any;
}

int open_device(const struct ranks *r)
{
    char path[512];
    snprintf(path, sizeof path, "%s/dev/davinci%d", lab_root(), r->device);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && driver_fits()) return fd;
    if (fd >= 0) close(fd);
    puts("acl interface return err ./common/src/hccl_test_common.cc:538, retcode: 507033.");
    puts("This is an error in device_init.");
    return -1;
}

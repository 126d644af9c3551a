# Build the toolkit's own hccl_test on this host and run it over all cards. Never judges: its status says nothing.
# Arguments: CARDS TOOLKIT MPI_HOME MPIRUN MIN MAX FACTOR ITERATIONS WARMUP
# Status 0: it was built and ran, 3: an earlier build ran (read the output of both); 20: it could not be built or started, the last line says why.
# A vendor's set_env.sh is written for bash.
[ -n "${BASH_VERSION:-}" ] || ! command -v bash >/dev/null || exec bash "$0" "$@"
cards=$1 toolkit=$2 mpi=$3 mpirun=$4 min=$5 max=$6 factor=$7 iterations=$8 warmup=$9
cannot() { echo "error: $*" && exit 20; }
source_=$toolkit/tools/hccl_test
[ -f "$source_/Makefile" ] || cannot "$source_/Makefile is not there: this toolkit brought no hccl_test"
for tool in make g++; do command -v $tool >/dev/null || cannot "$tool is not installed"; done
command -v "$mpirun" >/dev/null || cannot "$mpirun is not there"
if [ -z "$mpi" ]; then # beside mpirun, or where a distribution keeps the headers of this MPI
    program=$(readlink -f "$(command -v "$mpirun")")
    name=mpich && "$mpirun" --version 2>&1 | grep -qiE 'open.?mpi|open.?rte|prte' && name=openmpi
    for mpi in "${program%/bin/*}" /usr/lib/*-linux-gnu/$name /usr/lib64/$name; do [ ! -f "$mpi/include/mpi.h" ] || break; done
fi
[ -f "$mpi/include/mpi.h" ] || cannot "no include/mpi.h under the MPI home ${mpi:-that belongs to $mpirun}"

# set_env.sh of a toolkit tree lies in it, or one above the version directory; it may read variables that are not set.
for setter in "$toolkit/set_env.sh" "$toolkit/../set_env.sh" "$toolkit/bin/setenv.bash"; do
    [ -f "$setter" ] && break
    setter=''
done
[ -n "$setter" ] || cannot "no set_env.sh in $toolkit or above it"
set -- "$cards"
. "$setter" || cannot "$setter failed"
driver=/usr/local/Ascend/driver/lib64
LD_LIBRARY_PATH=$mpi/lib:$toolkit/lib64:${LD_LIBRARY_PATH:-}:$driver:$driver/common:$driver/driver
PATH=$mpi/bin:$PATH
export LD_LIBRARY_PATH PATH

# One build for one toolkit, its sources and one MPI; never inside the toolkit's own tree.
stamp=$(cd "$source_" && { pwd -P; echo "$mpi"; "$mpirun" --version 2>&1; g++ -dumpversion
    find . -type f ! -path './bin/*' ! -path './opp/*' | LC_ALL=C sort | while read -r file; do sha256sum "$file"; done
} | sha256sum | cut -c 1-16)
build=$GUARD_ROOT/hccl_test/$stamp built=3
if [ ! -x "$build/bin/all_reduce_test" ]; then
    for old in "$GUARD_ROOT"/hccl_test/*; do [ "$old" = "$build" ] || rm -rf "$old"; done
    rm -rf "$build.new" && mkdir -p "$build.new" && cp -R "$source_/." "$build.new/" || cannot "cannot copy $source_ to $build.new"
    rm -rf "$build.new/bin"
    # Said on one line each, so that a reader of the output can tell the build from the test.
    make -C "$build.new" MPI_HOME="$mpi" ASCEND_DIR="$toolkit" || cannot "make failed: see the compiler's lines above"
    [ -x "$build.new/bin/all_reduce_test" ] || cannot 'make ended well but built no bin/all_reduce_test'
    rm -rf "$build" && mv "$build.new" "$build" || cannot "cannot move $build.new to $build"
    built=0
fi
cd "$build" || exit 20

HCCL_BUFFSIZE=${HCCL_BUFFSIZE:-256}
export HCCL_BUFFSIZE
options=''
if "$mpirun" --version 2>&1 | grep -qiE 'open.?mpi|open.?rte|prte'; then
    # Root runs it, and a host may have fewer cores than cards.
    options='--allow-run-as-root --oversubscribe -x LD_LIBRARY_PATH -x HCCL_BUFFSIZE'
fi
echo "running: $mpirun -n $cards $options ./bin/all_reduce_test -p $cards -b $min -e $max -f $factor -d fp32 -o sum -n $iterations -w $warmup -c 1"
"$mpirun" $options -n "$cards" ./bin/all_reduce_test -p "$cards" -b "$min" -e "$max" -f "$factor" -d fp32 -o sum -n "$iterations" -w "$warmup" -c 1
rc=$?
echo "hccl_test ended with status $rc"
exit $built

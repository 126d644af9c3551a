# The beginning and the end.

probe() {
    set -u
    umask 077
    LC_ALL=C
    PATH=${PATH:-/usr/bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    export LC_ALL PATH
    NL='
'
    DEADLINE=${1:-60} LIMIT=${2:-60} ROOT=${PROBE_ROOT:-} CAP=65536
    DONE=' ' ALIVE=' ' DOOMED='' COUNT=0
    clock
    BEGAN=$NOW
    echo '#ascend-provision-probe 2'
    if ! workspace; then
        echo '#S probe - 0 no directory to work in: /run, /dev/shm and /tmp refuse a new one'
        return 1
    fi
    trap 'rm -rf "$T"' EXIT
    trap 'exit 129' HUP INT TERM
    exec 3<>"$T/events"
    install_paths
    (
        exec </dev/null >/dev/null 2>&1
        while sleep 1 && kill -0 $$; do say T; done
    ) &
    ticker=$!
    start npu_smi npu-smi.info npu-smi.list npu-smi.map card.processes
    start upgrade_tool upgrade-tool.status upgrade-tool.version
    start hccn_tool hccn_tool
    start holders uda.namespaces listeners holders.devices holders.groups zombies others systemctl getent.holders \
        holders.commands holders.variables
    start docker docker docker.setup
    start podman podman podman.setup
    start environments environments python.packages
    start modules lsmod modules.files modinfo modinfo.signer dkms
    start stack driver.version firmware.version flash.demand clock.makers hbm.makers driver.releases cann leftovers stack.paths loader.cache
    start host host os-release install-info cann.record hccn.conf own.lease own.token own.record \
        own.units own.containers own.state pci device.nodes mounts tools boot.loader
    start env env.files env.sources interfaces kept.stat kept.sha256 install.log rank.tables
    start users getent.passwd getent.group
    start pythons pythons gcc
    start mpi mpi.places mpirun
    start grubby grubby
    start disks disks
    while [ "$ALIVE" != ' ' ]; do
        read -r event chain section status spent note <&3 || break
        case $event$ALIVE in
            T*) tick ;;
            B*" $chain "*)
                clock
                eval "current_$chain=\$section since_$chain=$NOW limit_$chain=\$status"
                ;;
            E*" $chain "*)
                eval "current_$chain="
                record "$section" "$status" "$spent" "$note"
                ;;
            P*" $chain "*) eval "promised_$chain=\"\$promised_$chain \$section \$status \$spent \$note\"" ;;
            Z*" $chain "*) leave "$chain" ;;
        esac
    done
    kill "$ticker" 2>/dev/null
    finish_off
    cd "$T/out" || return 1
    wc -c ./* >../sizes
    # The files twice: every head says how many lines follow, so that nothing can get lost or double unnoticed.
    awk -v "cap=$CAP" '
        FILENAME == "../sizes" {
            if ($2 == "total") next
            if ($1 > cap) print "#C " substr($2, 3)
            if ($1 == 0) print "@" substr($2, 3) " 0"
            next
        }
        !again { lines[FILENAME] = FNR; next }
        FNR == 1 { print "@" substr(FILENAME, 3) " " lines[FILENAME] }
        { gsub(/\r/, " "); print "|" $0 }' ../sizes ./* again=1 ./* </dev/null
    clock
    echo "#E $COUNT $((NOW - BEGAN))"
}

probe "$@"

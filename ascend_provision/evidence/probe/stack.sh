# What is installed: CANN, Python environments, MPI.

cann_roots() {
    echo "$ROOT/usr/local/Ascend"
    [ "$INSTALL_PATH" = /usr/local/Ascend ] || echo "$ROOT$INSTALL_PATH"
    if [ -r "$ROOT/etc/Ascend/ascend_cann_install.info" ]; then
        while IFS='=' read -r key value; do
            case $key in *Path*) echo "$ROOT${value%/}" ;; esac
        done <"$ROOT/etc/Ascend/ascend_cann_install.info"
    fi
    for root in "$ROOT"/root/Ascend "$ROOT"/home/*/Ascend; do echo "$root"; done
}

cann() {
    seen=$NL
    set --
    cann_roots >"$T/cann-roots"
    while read -r root; do
        case $seen in *"$NL$root$NL"*) continue ;; esac
        seen=$seen$root$NL
        [ -d "$root" ] || continue
        echo "R ${root#"$ROOT"}"
        for version in "$root"/ascend-toolkit/* "$root"/cann-* "$root"/nnae/* "$root"/nnrt/* "$root"/nnal/atb/*; do
            plain "$version" || continue
            case $version in
                */latest) # a directory of links in most releases, a link in others
                    for link in "$version" "$version"/* "$version"/tools/*; do
                        if [ -L "$link" ] && [ ! -e "$link" ] && plain "$link"; then echo "X ${link#"$ROOT"}"; fi
                    done
                    continue
                    ;;
            esac
            if [ -L "$version" ]; then
                [ -e "$version" ] || echo "X ${version#"$ROOT"}"
                continue
            fi
            [ -d "$version" ] || continue
            echo "V ${version#"$ROOT"}"
            for script in "$version"/*uninstall*.sh "$version"/*-linux/script/*uninstall*.sh \
                "$version"/opp_kernel/script/*uninstall*.sh "$version"/script*/*uninstall*.sh "$root"/nnal/nnal_uninstall.sh; do
                case $script in "$root"/nnal/*) case $version in "$root"/nnal/*) ;; *) continue ;; esac ;; esac
                [ ! -f "$script" ] || echo "U ${script#"$ROOT"}"
            done
            for dir in "$version"/tools/hccl_test "$version"/*-linux/tools/hccl_test; do
                [ ! -d "$dir" ] || echo "H ${dir#"$ROOT"}"
            done
            for dir in "$version"/opp/built-in/op_impl/ai_core/tbe/kernel/ascend* \
                "$version"/opp_kernel/built-in/op_impl/ai_core/tbe/kernel/ascend* \
                "$version"/*-linux/opp/built-in/op_impl/ai_core/tbe/kernel/ascend*; do
                [ ! -d "$dir" ] || echo "C ${dir#"$ROOT"}"
            done
            for file in "$version"/*-linux/ascend_*_install.info "$version"/ascend_*_install.info \
                "$version"/version.cfg "$version"/version.info "$version"/*/version.info "$version"/share/info/*/version.info; do
                if [ -f "$file" ] && [ -r "$file" ]; then set -- "$@" "$file"; fi
            done
        done
    done <"$T/cann-roots"
    contents 40 "$@"
}

environments() { # sites that may hold packages for these environments are left in $T/sites
    set --
    : >"$T/sites"
    for site in "$ROOT"/usr/lib/python[23]*/*-packages "$ROOT"/usr/lib64/python[23]*/*-packages \
        "$ROOT"/usr/local/lib/python[23]*/*-packages "$ROOT"/usr/local/lib64/python[23]*/*-packages \
        "$ROOT"/usr/local/*/lib/python[23]*/site-packages "$ROOT"/usr/local/*/envs/*/lib/python[23]*/site-packages \
        "$ROOT"/opt/*/lib/python[23]*/*-packages "$ROOT"/opt/*/*/lib/python[23]*/site-packages \
        "$ROOT"/opt/*/envs/*/lib/python[23]*/site-packages \
        "$ROOT"/root/*/lib/python[23]*/site-packages "$ROOT"/root/*/*/lib/python[23]*/site-packages \
        "$ROOT"/root/*/envs/*/lib/python[23]*/site-packages "$ROOT"/root/.local/lib/python[23]*/site-packages \
        "$ROOT"/root/.conda/envs/*/lib/python[23]*/site-packages "$ROOT"/root/.pyenv/versions/*/lib/python[23]*/site-packages \
        "$ROOT"/home/*/*/lib/python[23]*/site-packages "$ROOT"/home/*/*/*/lib/python[23]*/site-packages \
        "$ROOT"/home/*/*/envs/*/lib/python[23]*/site-packages "$ROOT"/home/*/.local/lib/python[23]*/site-packages \
        "$ROOT"/home/*/.conda/envs/*/lib/python[23]*/site-packages "$ROOT"/home/*/.pyenv/versions/*/lib/python[23]*/site-packages; do
        [ -d "$site" ] || continue
        case $site in */lib64/*) [ ! -L "${site%/lib64/*}/lib64" ] || continue ;; esac
        plain "$site" || continue
        found=
        for dist in "$site"/torch-*-info "$site"/torch_npu-*-info "$site"/torch-npu-*-info "$site"/mindspore*-info; do
            [ -d "$dist" ] || continue
            found=yes
            echo "D ${dist#"$ROOT"}"
            for file in "$dist/METADATA" "$dist/PKG-INFO"; do
                if [ -f "$file" ] && [ -r "$file" ]; then set -- "$@" "$file"; fi
            done
        done
        for dir in "$site/torch_npu" "$site/mindspore"; do
            if [ -d "$dir" ]; then
                found=yes
                echo "B ${dir#"$ROOT"}"
            fi
        done
        case $site in
            "$ROOT"/usr/lib* | "$ROOT"/usr/local/lib* | */.local/lib/*) echo "${found:-no} $site" >>"$T/sites" ;;
            *) [ -z "$found" ] || echo "yes $site" >>"$T/sites" ;;
        esac
        [ -n "$found" ] || continue
        prefix=${site%/lib*/python*}
        [ ! -r "$prefix/pyvenv.cfg" ] || set -- "$@" "$prefix/pyvenv.cfg"
        for file in "$prefix"/conda-meta/python-[23]*.json; do
            [ ! -e "$file" ] || echo "P ${file#"$ROOT"}"
        done
    done
    contents 20 "$@" | grep -E '^([DBPF] | (Name|Version): | version)'
    return 0
}

interpreters_gone() { # PREFIX: programs of it whose interpreter does not exist
    for script in "$1/bin/python" "$1/bin/python3" "$1/bin/pip" "$1/bin/pip3" "$1/bin/torchrun" "$1/bin/msrun"; do
        if [ -L "$script" ] && [ ! -e "$script" ]; then
            echo " gone ${script##*/} -> $(readlink "$script")"
            continue
        fi
        case $script in */python | */python3) continue ;; esac
        [ -f "$script" ] && [ -r "$script" ] || continue
        first=
        read -r first <"$script"
        first=${first#"#!"} first=${first# } first=${first%% *}
        case $first in /*python*) [ -e "$ROOT$first" ] || echo " gone ${script##*/} -> $first" ;; esac
    done
}

python_packages() { # of each site in $T/sites: what CANN's compiler needs, and CANN's own wheels
    wheels=
    while read -r framework site; do
        echo "S ${site#"$ROOT"}"
        [ -r "$site" ] || echo " not readable"
        own=
        for dist in "$site"/*-info; do
            case ${dist##*/} in
                [nN]um[pP]y-* | decorator-* | sympy-* | cffi-* | protobuf-* | attrs-* | [pP]y[yY][aA][mM][lL]-* | [sS]ci[pP]y-* | \
                    requests-* | psutil-* | absl[_-]py-*) ;;
                te-* | hccl-* | topi-*) own=yes ;;
                *) continue ;;
            esac
            [ ! -e "$dist" ] || echo " ${dist##*/}"
        done
        if [ -n "$own" ] && have stat; then
            for dist in "$site"/te-*-info "$site"/hccl-*-info "$site"/topi-*-info; do
                [ ! -e "$dist" ] || stat -c ' mtime %Y %n' "$dist"
            done
            wheels=yes
        fi
        [ "$framework" = yes ] || continue
        prefix=${site%/lib*/python*}
        if [ -r "$prefix/pyvenv.cfg" ]; then
            while IFS= read -r line; do
                case $line in home* | include-system*) echo " venv $line" ;; esac
            done <"$prefix/pyvenv.cfg"
        fi
        config=$site/torch/share/cmake/Torch/TorchConfig.cmake
        [ ! -r "$config" ] || grep -o 'CXX11_ABI=[01]' "$config" | sed 's/^/ /'
        case $prefix in "$ROOT" | "$ROOT"/usr | "$ROOT"/usr/local) ;; *) interpreters_gone "$prefix" ;; esac
    done <"$T/sites"
    [ -z "$wheels" ] || for info in "$ROOT$INSTALL_PATH"/ascend-toolkit/*/*-linux/ascend_toolkit_install.info \
        "$ROOT$INSTALL_PATH"/cann-*/*-linux/ascend_toolkit_install.info; do
        [ ! -e "$info" ] || stat -c 'M %Y %n' "$info"
    done
    return 0
}

DRIVER_LIBRARIES='libascend_hal.so libdcmi.so libdrvdsmi_host.so'

stack_paths() { # directories and libraries of the stack, with mode and owner
    set --
    for path in "$ROOT$INSTALL_PATH" "$ROOT$INSTALL_PATH/driver" "$ROOT$INSTALL_PATH/driver/lib64" \
        "$ROOT$INSTALL_PATH"/ascend-toolkit/[0-9]* "$ROOT$INSTALL_PATH"/cann-* "$ROOT$INSTALL_PATH"/nnal/atb/[0-9]*/atb/cxx_abi_[01]; do
        if [ -d "$path" ] && plain "$path"; then set -- "$@" "$path"; fi
    done
    for library in $DRIVER_LIBRARIES; do
        for dir in "$INSTALL_PATH/driver/lib64" "$INSTALL_PATH/driver/lib64/driver" "$INSTALL_PATH/driver/lib64/common" \
            /usr/local/dcmi /usr/lib64 /usr/lib /lib64; do
            [ ! -f "$ROOT$dir/$library" ] || set -- "$@" "$ROOT$dir/$library"
        done
    done
    [ $# -eq 0 ] || stat -L -c '%a %u %g %n' "$@" | while read -r mode uid gid path; do
        echo "$mode $uid $gid ${path#"$ROOT"}"
    done
    return 0
}

loader_cache() { ldconfig -p | grep -E 'libascend_hal[.]|libdcmi[.]|libdrvdsmi_host[.]|libs found'; }

mpi_places() {
    for path in "$(command -v mpirun)" /usr/local/mpi*/bin/mpirun /usr/local/openmpi*/bin/mpirun /opt/mpi*/bin/mpirun \
        /opt/openmpi*/bin/mpirun /usr/lib64/mpich*/bin/mpirun /usr/lib64/openmpi*/bin/mpirun; do
        if [ -x "$path" ]; then echo "mpirun=$path $(readlink -f "$path")"; fi
    done
    for path in "$ROOT"/usr/local/mpi*/include/mpi.h "$ROOT"/usr/local/openmpi*/include/mpi.h \
        "$ROOT"/opt/mpi*/include/mpi.h "$ROOT"/opt/openmpi*/include/mpi.h \
        "$ROOT"/usr/lib/*-linux-gnu/mpich/include/mpi.h "$ROOT"/usr/lib/*-linux-gnu/openmpi/include/mpi.h \
        "$ROOT"/usr/lib64/mpich*/include/mpi.h "$ROOT"/usr/lib64/openmpi*/include/mpi.h; do
        [ ! -e "$path" ] || echo "home=${path%/include/mpi.h}"
    done
}

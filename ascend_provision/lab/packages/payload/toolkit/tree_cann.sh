# <base>/cann-<version>: CANN from 8.5 on. Captured (hosts of 8.5.1 and 8.5.2): the directory, the links bin, include and
# lib64 into it, the record's path, ascend-toolkit/set_env.sh as a link. Documented: the link cann, set_env.sh in the
# version directory, component versions below share/info, opp/version.info. Assumed: ascend-toolkit/latest is one link
# to the version directory where an older level left no directory of that name.
# shellcheck shell=sh disable=SC2034

tree_names() {
    SET_ENV=$BASE/cann/set_env.sh
    SET_ENV_FILE=$HOME_DIR/set_env.sh
    ENV_HOME=$HOME_DIR
    COMPILER_BIN=tools/ccec_compiler/bin
    RECORDED_HOME=$HOME_DIR
}

place_component() {
    mkdir -p "$R$HOME_DIR/share/info/$1"
    cp "$here/components/$1/version.info" "$R$HOME_DIR/share/info/$1/version.info"
    if [ "$1" = opp ]; then
        mkdir -p "$R$HOME_DIR/opp"
        cp "$here/components/opp/version.info" "$R$HOME_DIR/opp/version.info"
    fi
}

link_tree() {
    ln -sfn "cann-$CANN_VERSION" "$R$BASE/cann"
    old=$R$BASE/ascend-toolkit
    mkdir -p "$old"
    if [ -d "$old/latest" ] && [ ! -L "$old/latest" ]; then
        drop_dangling "$old/latest"
        rmdir "$old/latest" 2>/dev/null
    fi
    if [ -d "$old/latest" ] && [ ! -L "$old/latest" ]; then
        ln -sfn "../../cann-$CANN_VERSION/set_env.sh" "$old/latest/set_env.sh"
    else
        ln -sfn "../cann-$CANN_VERSION" "$old/latest"
    fi
    ln -sfn latest/set_env.sh "$old/set_env.sh"
}

# <base>/ascend-toolkit/<version> and the links of <base>/ascend-toolkit/latest: CANN up to 8.3. Link names captured
# (listing of 8.2.RC2), the same for 6.0.1 to 8.0.0 assumed.
# shellcheck shell=sh disable=SC2034

tree_names() {
    SET_ENV=$BASE/ascend-toolkit/set_env.sh
    SET_ENV_FILE=$SET_ENV
    ENV_HOME=$BASE/ascend-toolkit/latest
    COMPILER_BIN=compiler/ccec_compiler/bin
    RECORDED_HOME=$BASE/ascend-toolkit
}

place_component() {
    mkdir -p "$R$HOME_DIR/$1"
    cp "$here/components/$1/version.info" "$R$HOME_DIR/$1/version.info"
}

write_version_cfg() {
    printf '# version: 1.0\n'
    for kind in running upgrade installed; do
        for component in $VERSION_CFG_PACKAGES; do
            printf '%s_%s_version=[%s:%s]\n' "$component" "$kind" "$COMPONENT_VERSION" "$CANN_VERSION"
        done
    done
}

link_tree() {
    latest=$R$BASE/ascend-toolkit/latest
    [ ! -L "$latest" ] || rm -f "$latest" # the link of a newer level
    mkdir -p "$latest/tools"
    drop_dangling "$latest"
    for name in $COMPONENTS include lib64 bin "$ARCH-linux"; do ln -sfn "../$CANN_VERSION/$name" "$latest/$name"; done
    ln -sfn "../$CANN_VERSION/opp" "$latest/ops"
    ln -sfn "../../$CANN_VERSION/tools/hccl_test" "$latest/tools/hccl_test"
    write_version_cfg >"$latest/version.cfg"
}

# The version directory of the toolkit, and what is the same in both trees (tree_ascend-toolkit.sh, tree_cann.sh).
# shellcheck shell=sh

# Version directories of installed toolkits below BASE, in either tree.
installed_homes() {
    for info in "$R$BASE"/ascend-toolkit/*/"$ARCH"-linux/ascend_toolkit_install.info \
        "$R$BASE"/cann-*/"$ARCH"-linux/ascend_toolkit_install.info; do
        home=${info%/"$ARCH"-linux/*}
        case $info in */latest/*) continue ;; esac
        [ ! -f "$info" ] || printf '%s\n' "${home#"$R"}"
    done
}

install_components() {
    for component in $COMPONENTS; do
        run=CANN-$component-$COMPONENT_VERSION-linux.$ARCH.run
        say INFO "install package $run start"
        place_component "$component"
        component_log "$(component_tag "$component")" "$(component_tag "$component") package installed successfully! The new version takes effect immediately."
        pause 10
        say INFO "$run --full --quiet --nox11$FOR_ALL install success"
    done
}

component_tag() { awk -v c="$1" 'BEGIN { print toupper(substr(c, 1, 1)) substr(c, 2) }'; }

write_install_info() {
    mkdir -p "$R$HOME_DIR/$ARCH-linux/script/shared"
    sed "s|^path=.*|path=$HOME_DIR/$ARCH-linux|" "$here/install.info" >"$R$HOME_DIR/$ARCH-linux/ascend_toolkit_install.info"
    cp "$here/uninstall.sh" "$here/package.conf" "$here/shipped.txt" "$R$HOME_DIR/$ARCH-linux/script/"
    cp "$here/shared/host.sh" "$here/shared/cann.sh" "$R$HOME_DIR/$ARCH-linux/script/shared/"
    cp "$here/cann_uninstall.sh" "$R$HOME_DIR/cann_uninstall.sh"
    chmod 755 "$R$HOME_DIR/$ARCH-linux/script/uninstall.sh" "$R$HOME_DIR/cann_uninstall.sh"
}

# Variables captured ("obtained from set_env.sh" of 8.5.0, the parts of an older host); the text is the lab's.
# LD_LIBRARY_PATH and the others are appended unguarded, as vendor scripts do: sourcing under "set -u" fails
# where they are unset (assumed for these levels). ENV_HOME is what the variables name.
write_set_env() {
    cat <<ENV
# Environment of the CANN toolkit. Source it; do not run it.
ascend_driver_home=\$(sed -n 's/^Driver_Install_Path_Param=//p' /etc/ascend_install.info 2>/dev/null)
ascend_driver_home=\${ascend_driver_home:-/usr/local/Ascend}/driver
export LD_LIBRARY_PATH=\$ascend_driver_home/lib64:\$ascend_driver_home/lib64/common:\$ascend_driver_home/lib64/driver:\$LD_LIBRARY_PATH
unset ascend_driver_home
export ASCEND_TOOLKIT_HOME=$ENV_HOME
export LD_LIBRARY_PATH=\$ASCEND_TOOLKIT_HOME/lib64:\$ASCEND_TOOLKIT_HOME/lib64/plugin/opskernel:\$ASCEND_TOOLKIT_HOME/lib64/plugin/nnengine:\$ASCEND_TOOLKIT_HOME/tools/aml/lib64:\$ASCEND_TOOLKIT_HOME/tools/aml/lib64/plugin:\$LD_LIBRARY_PATH
export PYTHONPATH=\$ASCEND_TOOLKIT_HOME/python/site-packages:\$ASCEND_TOOLKIT_HOME/opp/built-in/op_impl/ai_core/tbe:\$PYTHONPATH
export PATH=\$ASCEND_TOOLKIT_HOME/bin:\$ASCEND_TOOLKIT_HOME/$COMPILER_BIN:\$PATH
export ASCEND_AICPU_PATH=\$ASCEND_TOOLKIT_HOME
export ASCEND_OPP_PATH=\$ASCEND_TOOLKIT_HOME/opp
export TOOLCHAIN_HOME=\$ASCEND_TOOLKIT_HOME/toolkit
export ASCEND_HOME_PATH=\$ASCEND_TOOLKIT_HOME
ENV
}

install_tree() {
    tree_names
    mkdir -p "$R$HOME_DIR"
    cp -R "$here/tree/." "$R$HOME_DIR/"
    for name in bin include lib64; do
        mkdir -p "$R$HOME_DIR/$ARCH-linux/$name"
        [ -e "$R$HOME_DIR/$name" ] || ln -s "$ARCH-linux/$name" "$R$HOME_DIR/$name"
    done
    for library in libascendcl.so libhccl.so; do
        printf 'simulated %s of CANN %s\n' "$library" "$CANN_VERSION" >"$R$HOME_DIR/$ARCH-linux/lib64/$library"
    done
    install_components
    write_install_info
    rm -f "$R$SET_ENV_FILE" # another level's link may stand there
    write_set_env >"$R$SET_ENV_FILE"
    chmod 755 "$R$SET_ENV_FILE"
    link_tree
}

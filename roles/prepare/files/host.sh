# The user, group and packages that the installers need. Arguments: USER GROUP UID GID (0: the system's choice).
# Packages are in a table. Status 3: all there. Nothing is removed or upgraded to make room for a package.
user=$1 group=$2 uid=$3 gid=$4
changed=0
refuse() { echo "error: $*" && exit 1; }

if [ -n "$group" ]; then
    found=$(getent group "$group" | cut -d : -f 3)
    if [ -z "$found" ]; then
        option='' && [ "$gid" = 0 ] || option="-g $gid"
        groupadd $option "$group" || refuse "groupadd $option $group"
        changed=1
    elif [ "$gid" != 0 ] && [ "$found" != "$gid" ]; then
        refuse "group $group has gid $found, the plan wants $gid: containers would see other owners; change it by hand"
    fi
fi
if [ -n "$user" ]; then
    found=$(getent passwd "$user" | cut -d : -f 3)
    if [ -z "$found" ]; then
        option='' && [ "$uid" = 0 ] || option="-u $uid"
        useradd $option -g "${group:-$user}" -d "/home/$user" -m -s /bin/bash "$user" || refuse "useradd $option $user"
        changed=1
    elif [ "$uid" != 0 ] && [ "$found" != "$uid" ]; then
        refuse "user $user has uid $found, the plan wants $uid: containers would see other owners; change it by hand"
    fi
fi

missing=''
has() {
    if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
    else
        rpm -q --whatprovides "$1" >/dev/null 2>&1
    fi
}
while read -r package; do
    case $package in -* | *[!A-Za-z0-9+._:-]*) refuse "$package is not a package name" ;; '') continue ;; esac
    has "$package" || missing="$missing $package"
done <"$GUARD_TABLES/packages"
if [ -n "$missing" ]; then
    changed=1
    if command -v apt-get >/dev/null; then
        DEBIAN_FRONTEND=noninteractive && export DEBIAN_FRONTEND
        apt-get -y --no-install-recommends --no-remove install $missing ||
            { apt-get update && apt-get -y --no-install-recommends --no-remove install $missing; }
    elif command -v dnf >/dev/null; then
        dnf -y install $missing
    elif command -v yum >/dev/null; then
        yum -y install $missing
    elif command -v zypper >/dev/null; then
        zypper --non-interactive install $missing
    else
        refuse "no apt-get, dnf, yum or zypper here to install:$missing"
    fi || refuse "these packages could not be installed:$missing; put them into a repository this host can reach"
    for package in $missing; do has "$package" || refuse "$package is still not installed"; done
fi
[ "$changed" = 1 ] || { echo 'user, group and packages are there'; exit 3; }

# One line: which CANN parts are installed now. Argument: ROOT.
found=''
for info in "$1"/*/*/*-linux/*_install.info; do
    [ -f "$info" ] || continue
    found="$found, $(sed -n 's/^package_name=//p' "$info" | head -n 1) $(sed -n 's/^version=//p' "$info" | head -n 1)"
done
found=${found#, }
printf 'CANN installed under %s: %s\n' "$1" "${found:-nothing}"

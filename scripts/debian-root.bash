# Functions for scripts that work in a Debian of their own: scripts/debian13 and scripts/package source this file. Its
# caller runs as root, and has set these variables:
#
#   cache   the folder of the systems
#   root    the folder of the system that the caller uses, below $cache
#   suite   the release of that Debian, by default trixie, which is Debian 13
#
# The caller has its own mount namespace, so that the kernel removes its mounts with the last process.

suite=trixie

# Prints the reason and ends the script.
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Returns a field of the last commit. git would refuse the checkout of another user.
last_commit() {
    git -c safe.directory='*' log -1 --format="$@"
}

# Returns the version of the packages: that of the programs. Until its release is tagged, each commit has a version that is
# older than the release.
package_version() {
    local version tags
    version=$(sed -n 's/.*roosterVersion = "\(.*\)"/\1/p' Sources/API/Version.swift)
    tags=$(git -c safe.directory='*' tag --points-at HEAD)
    [[ " ${tags//$'\n'/ } " == *" v$version "* ]] || version+="~$(TZ=UTC last_commit %cd --date=format-local:%Y%m%d%H%M%S)"
    echo "$version"
}

# Runs the script again as root, with mounts of its own, a folder for the systems and the arguments that follow. Only
# some variables of the caller's environment are passed on.
become_root() {
    cache=${ROOSTER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rooster}
    mkdir -p "$cache"
    cache=$(realpath "$cache")
    local as_root=()
    if ((EUID != 0)); then
        echo "This needs root, so sudo may ask for your password." >&2
        as_root=(sudo)
    fi
    exec "${as_root[@]}" env "${carried[@]}" unshare --mount --propagation private "$PWD/scripts/${0##*/}" --in "$cache" "$@"
}

# The variables of the caller's environment that are passed on.
carried=()
for name in TERM CI ROOSTER_FULL ROOSTER_DEBIAN_MIRROR ROOSTER_MAINTAINER {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY; do
    if [[ -n ${!name-} ]]; then
        carried+=("$name=${!name}")
    fi
done

# Waits for no other run: two would disturb each other. The lock ends with the last process of this run.
lock_root() {
    exec 9>"$root.lock"
    flock --nonblock 9 || die "Another run uses $root: wait for its end"
}

debian_mirror() {
    # shellcheck disable=SC2016 # apt expands these, not the shell
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(COMPONENT) $(REPO_URI)' |
        awk '$1 == "Debian" && $2 == "Debian" && $3 == "main" && !found { print $4; found = 1 }'
}

# The keys that verify a release; empty if this machine's keyring is older than the release.
debian_keyring() {
    local name=/usr/share/keyrings/debian-archive
    if compgen -G "$name-$suite-stable.*" >/dev/null; then
        compgen -G "$name-keyring.*" | head -n 1
    fi
}

fetch_lists() {
    apt-get -qq update || die "apt could not fetch its package lists (the reason is above). Is this machine online?"
}

make_root() {
    echo "Installing Debian ($suite) in $root (only once; this takes some minutes)" >&2
    rm -rf --one-file-system "$root.new"
    if [[ -d $root ]]; then # a root that is half removed must not keep the name
        mv "$root" "$root.new"
        rm -rf --one-file-system "$root.new"
    fi

    if ! command -v debootstrap >/dev/null || [[ -z $(debian_keyring) ]]; then
        fetch_lists
        DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends \
            debootstrap debian-archive-keyring gpgv >/dev/null ||
            die "apt could not install debootstrap (the reason is above). Is this machine online?"
    fi
    local keyring
    keyring=$(debian_keyring)
    [[ -n $keyring ]] ||
        die "debian-archive-keyring has no keys of Debian $suite: upgrade this system, then try again"

    local mirror=${ROOSTER_DEBIAN_MIRROR:-$(debian_mirror)}
    if [[ -z $mirror ]]; then # apt knows who is behind a mirror only once it has its lists
        fetch_lists
        mirror=$(debian_mirror)
    fi
    case "$mirror" in
        http://* | https://* | file:/*) ;;
        *) die "apt has no plain Debian mirror (found: ${mirror:-none}): set ROOSTER_DEBIAN_MIRROR" ;;
    esac

    debootstrap --variant=minbase --include=ca-certificates --force-check-gpg --keyring="$keyring" \
        "$suite" "$root.new" "$mirror" >"$root.log" 2>&1 || {
        tail -n 15 "$root.log" >&2
        die "debootstrap failed (the reason is above; the log is $root.log)"
    }
    # Only a finished root gets this name.
    mv "$root.new" "$root"
}

# Makes the root if it is missing, or if an installation of packages in it was interrupted. Then gives it the present
# network configuration.
prepare_root() {
    if [[ ! -d $root || -n $(dpkg --root="$root" --audit 2>&1) ]]; then
        make_root
    fi
    cp --dereference --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
    {
        echo 'APT::Keep-Downloaded-Packages "false";'
        apt-config dump | grep -E '^Acquire::https?::([^ ]*::)?Proxy ' || true
        if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
            cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/rooster-host.crt"
            echo 'Acquire::https::CaInfo "/etc/ssl/certs/rooster-host.crt";'
        fi
    } >"$root/etc/apt/apt.conf.d/90rooster"
}

# Copies the working tree without ignored files into a folder of the root. Times are kept, so that only changed files are
# built again.
copy_checkout() {
    rm -rf --one-file-system "${root:?}$1"
    mkdir -p "$root$1"
    git ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do
            if [[ -e $file || -L $file ]]; then # not one that git knows but that was deleted
                printf '%s\0' "$file"
            fi
        done |
        xargs -0 cp --no-dereference --preserve=mode,timestamps --parents --target-directory="$root$1"
}

# Packs packages again in a folder, as the next version: the same programs under a higher number.
pack_next_version() {
    local folder=$1 package next
    shift
    mkdir -p "$folder"
    for package in "$@"; do
        next=$(dpkg-deb --field "$package" Version)+next
        dpkg-deb --raw-extract "$package" "$folder.unpacked"
        sed -i "s/^Version: .*/Version: $next/; s/(= [^)]*)/(= $next)/" "$folder.unpacked/DEBIAN/control"
        dpkg-deb --root-owner-group --build "$folder.unpacked" "$folder" >/dev/null
        rm -rf "$folder.unpacked"
    done
}

# Shows the kernel's files in the root.
mount_kernel() {
    local kernel
    for kernel in proc sys dev; do
        mount --rbind "/$kernel" "$root/$kernel"
    done
}

# Runs a command in the root.
in_root() {
    env -i "${carried[@]}" HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        chroot "$root" "$@" </dev/null
}

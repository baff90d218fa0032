#!/bin/sh
# Makes a private Rust toolchain that can build for wasm32-unknown-unknown out of Debian's packages.
# `cargo xtask build` runs it where rustup has no such target and cannot, or shall not, download one.
#
#   debian-toolchain.sh FOLDER LAYOUT MIN_RUST
#
#   FOLDER    where toolchains are kept; FOLDER/current will point to the one made
#   LAYOUT    written to FOLDER/current/.complete, by which the caller knows a finished toolchain
#   MIN_RUST  the oldest Rust that the workspace accepts, such as 1.95
#
# It needs apt-get, dpkg-deb, tar and a C compiler, needs no root and installs nothing: packages are
# downloaded, checked by apt against their signatures, and unpacked below FOLDER. Progress goes to
# standard error.
set -eu
umask 022

cache=$1 layout=$2 min_rust=$3
target=wasm32-unknown-unknown

say() { echo "toolchain: $*" >&2; }
fail() { say "error: $*"; exit 1; }

for tool in apt-get apt-cache dpkg-deb dpkg-query tar cc; do
    command -v "$tool" >/dev/null || fail "'$tool' is missing: this way needs Debian or Ubuntu and a C compiler"
done

mkdir -p "$cache"
exec 9>"$cache/.lock"
if command -v flock >/dev/null; then flock 9; fi
if [ "$(cat "$cache/current/.complete" 2>/dev/null)" = "$layout" ]; then
    exit 0 # another run made it while this one waited for the lock
fi
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# ---------------------------------------------------------------- which packages
# The machine's own package lists serve when they know a Rust. Otherwise a private copy of the lists is
# read, which is why this needs no root.
apt_options="-o APT::Sandbox::User=$(id -un)" # downloads go to a folder of this user
private=

private_lists() {
    say "reading Debian's package lists"
    mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    apt_options="$apt_options -o Dir::State::Lists=$work/apt/lists -o Dir::Cache=$work/apt/cache"
    private=yes
    apt-get $apt_options -qq update >&2 || say "some package sources could not be read; going on without them"
}

candidate() { # PACKAGE: the version apt would install, or nothing
    apt-cache $apt_options policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *//p' | grep -v '^(none)$' || true
}

closure() { # PACKAGES...: these and all that they depend on, one a line
    apt-get $apt_options -qq -o Dir::State::status=/dev/null --print-uris --no-install-recommends install "$@" \
        2>/dev/null | sed "s/^'[^']*' \([^_]*\)_.*/\1/"
}

new_enough() { # VERSION: not older than MIN_RUST?
    [ "$(printf '%s\n%s\n' "$min_rust" "$1" | sort -V | head -n 1)" = "$min_rust" ]
}

choose() { # sets flavour, source, version: rustc-web is a stable Debian's up-to-date Rust
    for pair in '-web rust-web-src' ' rust-src'; do
        flavour=${pair%% *} source=${pair#* }
        version=$(candidate "rustc$flavour")
        if [ -n "$version" ] && new_enough "${version%%[+~-]*}"; then return 0; fi
    done
    return 1
}

choose || { private_lists; choose; } || fail "no Debian package here holds Rust $min_rust or newer"
say "Debian offers rustc $version"

wanted="rustc$flavour cargo$flavour $source"
resolved=$(closure $wanted)
[ -n "$resolved" ] || fail "apt cannot resolve: $wanted"
llvm=$(echo "$resolved" | sed -n 's/^libllvm\([0-9]*\)$/\1/p' | sort -n | tail -n 1)
if [ -n "$llvm" ] && [ -n "$(candidate "lld-$llvm")" ]; then resolved=$(closure $wanted "lld-$llvm"); fi

names=
for package in $resolved; do
    case $package in
        rustc"$flavour" | cargo"$flavour" | "$source" | libstd-rust* | libllvm* | lld-*) ;;
        lib*) # a library that is installed already need not be private
            if dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then continue; fi ;;
        *) continue ;;
    esac
    names="$names $package"
done

# ---------------------------------------------------------------- download and unpack
mkdir -p "$work/debs" "$work/root"
download() { (cd "$work/debs" && apt-get $apt_options -qq download $names >&2); }

say "downloading$names"
if ! download; then
    [ -z "$private" ] || fail "the download failed"
    private_lists # the machine's lists may be older than the archive
    download || fail "the download failed"
fi
say "unpacking"
for deb in "$work"/debs/*.deb; do
    case ${deb##*/} in
        "$source"*) set -- --wildcards './usr/src/*/library' ;; # the compiler's own source is not needed
        *) set -- --exclude './usr/share' ;;
    esac
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" "$@"
    rm -f "$deb"
done

# ---------------------------------------------------------------- the layout of a rustup toolchain
usr=$work/root/usr
made=$work/toolchain
host=$(cd "$usr/lib/rustlib" && ls -d *-unknown-linux-gnu | head -n 1)
multiarch=$(cd "$usr/lib" && ls -d *-linux-gnu | head -n 1)
std=$made/lib/rustlib/$target/lib
mkdir -p "$made/bin" "$made/libexec" "$made/lib/rustlib/$host/bin" "$std"
mv "$usr/lib/$multiarch"/*.so* "$made/lib/"
mv "$usr/lib/rustlib/$host/lib" "$made/lib/rustlib/$host/"

wrap() { # PROGRAM WRAPPER UP: moves PROGRAM, writes WRAPPER that runs it with the private libraries
    program=${2##*/}
    mv "$1" "$made/libexec/$program"
    cat >"$2" <<WRAPPER
#!/bin/sh
top=\$(dirname "\$(readlink -f "\$0")")/$3
LD_LIBRARY_PATH=\$top/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} exec "\$top/libexec/$program" "\$@"
WRAPPER
    chmod 755 "$2"
}
for program in rustc rustdoc cargo; do wrap "$usr/bin/$program" "$made/bin/$program" ..; done

linker=$made/lib/rustlib/$host/bin/rust-lld
if [ -n "$llvm" ] && [ -e "$usr/lib/llvm-$llvm/bin/lld" ]; then
    wrap "$usr/lib/llvm-$llvm/bin/lld" "$linker" ../../../..
else
    lld=$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$host/bin/rust-lld
    [ -x "$lld" ] || fail "no LLVM linker: neither Debian's lld-$llvm nor rustup's rust-lld is here"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$lld" >"$linker"
    chmod 755 "$linker"
fi

# ---------------------------------------------------------------- the standard library for wasm32
# As rustup ships it: optimised, with bitcode inside for LTO. Some Debian releases bring it ready made.
compile_std() { # CARGO_OPTIONS...
    (
        cd "$work/seed"
        unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET_DIR
        unset RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTUP_TOOLCHAIN
        RUSTC=$made/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target CARGO_HOME=$work/cargo-home \
            RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=$library=$shown --remap-path-prefix=$link=$shown" \
            "$made/bin/cargo" build -q -Zbuild-std=std,panic_abort,test,proc_macro --release \
            --target "$target" "$@" >&2
    )
}

if ! ls "$std"/libstd-*.rlib >/dev/null 2>&1; then
    say "compiling the standard library for $target, which takes about a minute"
    library=$(ls -d "$usr"/src/*/library | head -n 1)
    [ -f "$library/Cargo.lock" ] || fail "$source has no library/Cargo.lock"
    link=$made/lib/rustlib/src/rust/library # where cargo looks for it
    shown=/rustc/$version/library           # what panic messages shall say instead of either
    mkdir -p "${link%/*}" "$work/seed/src" "$work/seed/.cargo"
    ln -s "$library" "$link"
    : >"$work/seed/src/lib.rs"
    cat >"$work/seed/Cargo.toml" <<TOML
[package]
name = "seed"
version = "0.0.0"
edition = "2021"
[workspace]
[profile.release]
codegen-units = 1
debug = 0
TOML
    cat >"$work/seed/.cargo/config.toml" <<TOML
[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "$library/vendor"
TOML
    if ! compile_std --offline; then
        say "trying again with the standard library's dependencies from the registry"
        rm -rf "$work/seed/.cargo"
        compile_std || fail "the standard library did not compile"
    fi
    cp "$work/target/$target/release/deps"/*.rlib "$std/"
    rm -rf "$std"/libseed-*.rlib "$made/lib/rustlib/src"
fi

# ---------------------------------------------------------------- try it, then put it in place
echo '#[unsafe(no_mangle)] pub extern "C" fn f(n: u32) -> usize { vec![1u8; n as usize].len() }' >"$work/try.rs"
"$made/bin/rustc" --target "$target" --edition 2024 -O --crate-type cdylib -C panic=abort -C lto=fat \
    -o "$work/try.wasm" "$work/try.rs" >&2 || fail "the new toolchain cannot build for $target"
[ "$(head -c 4 "$work/try.wasm" | tail -c 3)" = asm ] || fail "the new toolchain does not make wasm"

echo "$layout" >"$made/.complete"
name=$(echo "$version" | tr -c 'A-Za-z0-9.+~\n-' _)
rm -rf "${cache:?}/$name"
mv "$made" "$cache/$name"
ln -sfn "$name" "$cache/current"
say "ready: $("$cache/current/bin/rustc" -V) with $target"

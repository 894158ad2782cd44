# The front door; meson.build has the rules.  The first target typed on a fresh
# Debian 12 installs what is missing (tools/setup) and builds.
PREFIX ?= /usr/local
# gcc warns of things that are not there when it instruments; the plain build is
# the one where warnings are errors.
ASAN = -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=false -Dwarning_level=0 \
	-Doptimization=1

all: build/concord

setup:
	@tools/setup

build/concord: setup
	@tools/configure build
	@ninja -C build --quiet

demo: build/concord
	@tools/demo build/concord

test: build/concord
	@tools/test build

test-asan: setup
	@tools/configure build-asan $(ASAN)
	@ninja -C build-asan --quiet
	@tools/test build-asan

test-hard: setup
	@tools/configure build-hard -Dhard=true
	@ninja -C build-hard --quiet
	@tools/test build-hard

# SECONDS and TARGETS choose for how long and which.
SECONDS ?= 60
fuzz: setup
	@tools/fuzz $(SECONDS) $(TARGETS)

# Lowers the JDK and every jar of some Debian packages (downloads them).
check-jars: build/concord
	@tools/check-jars build

bench: build/concord
	@tools/bench build/concord

# How cost grows with size: see tools/bench-family.
bench-family: build/concord
	@tools/bench-family build/concord

bench-java: build/concord
	@tools/bench-java build

bench-debian: build/concord
	@tools/bench-debian build/concord

# Recall: the races of programs with one lock region or join removed.
bench-mutate: build/concord
	@tools/bench-mutate build/concord

# Soundness: what races in changed programs of test/race/c is not excluded.
bench-mutate-tests: build/concord
	@tools/bench-mutate-tests build

# Recall in Java: each monitor or volatile that is taken away shows.
bench-mutate-java: build/concord
	@tools/mutate-java build

# Soundness: what ThreadSanitizer sees under load is not excluded.
bench-tsan: build/concord
	@tools/bench-tsan build/concord

lint: setup
	@tools/lint

format: setup
	@clang-format-19 -i $$(tools/lint --files)

install: build/concord
	@tools/install build "$(DESTDIR)" "$(PREFIX)"

clean:
	rm -rf build build-asan build-hard build-fuzz

.PHONY: all setup build/concord demo test test-asan test-hard fuzz check-jars bench bench-family bench-java bench-debian bench-mutate bench-mutate-tests bench-mutate-java bench-tsan lint format install clean

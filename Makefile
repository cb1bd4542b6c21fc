# Every target calls swift or one script in .ci/. `make` alone prints this table:
#
## make run      build, make development certificates, start everything here, say what to try
## make demo     start a private stack and play the tour in it; fails unless all of it worked
## make programs build the four servers and `muster` for release, in .build/release
## make test     all tests that take minutes, on optimized code
## make check    format, warnings, tests as deployed and under both sanitizers, fuzzing:
##               more than an hour on two cores; .ci/check STEP runs a part
## make soak     the long tests, with figures; ONLY=name runs one
## make bench    the benchmarks beside their baselines; ONLY=name runs one
##
## make setup    install the system packages that are missing (the others call it)
## make build    build everything for development
## make format   format the Swift sources in place
## make clean    remove what was built; data and certificates under .muster/ stay

# SwiftPM would take this compiler for its own clang.
unexport CC

.PHONY: help setup run demo programs test check soak bench build format clean

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

setup:
	@.ci/setup

run: setup
	@.ci/run-stack

demo: setup
	@.ci/demo

programs: setup
	@.ci/programs

test: setup
	@.ci/test

check: setup
	@.ci/check

soak: setup
	@.ci/soak

bench:
	@.ci/bench

build: setup
	@swift build --build-tests

format:
	@swift format --in-place --recursive Package.swift Shared Services Tests

clean:
	@swift package clean

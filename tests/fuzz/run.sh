#!/bin/sh
# run.sh SECONDS FUZZER...: run libFuzzer programs one after the other, each
# for so many seconds of processor time (a busy machine makes none of them run
# less), from its seeds and from what earlier runs found. Beside the program
# FUZZER stand FUZZER.corpus, FUZZER.log and, after a finding, the input as
# FUZZER.crash-... Prints a line for each; exit status 1 when one found
# something.
set -u
limit=$1
shift
ticks=$(getconf CLK_TCK)
found=0

# Processor time of a process so far, in seconds; nothing when it is gone.
cpu_of() {
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    set -- ${stat##*) }
    [ "$1" = Z ] || echo $(((${12} + ${13}) / ticks))
}

# The last number behind a word of the log.
last() { sed -n "s/.*$1 *\([0-9][0-9]*\).*/\1/p" "$2" | tail -n 1; }

printf '%-22s %12s %8s %9s %7s %s\n' fuzzer executions 'cpu s' coverage \
    corpus findings
for fuzzer; do
    name=${fuzzer##*/fuzz_}
    seeds=tests/fuzz/seeds/$name
    [ -d "$seeds" ] || seeds=
    mkdir -p "$fuzzer.corpus"
    # An input may take this many seconds of the clock, not of the processor.
    "$fuzzer" -timeout=600 -rss_limit_mb=1024 -max_len=4096 \
        -print_final_stats=1 -artifact_prefix="$fuzzer." \
        "$fuzzer.corpus" $seeds 2>"$fuzzer.log" &
    pid=$!
    cpu=0
    while now=$(cpu_of $pid) && [ -n "$now" ]; do
        cpu=$now
        # libFuzzer ends in good order at this signal.
        [ "$cpu" -lt "$limit" ] || kill -USR1 $pid 2>/dev/null
        sleep 1
    done
    wait $pid
    code=$?
    [ $code -eq 0 ] || found=1
    printf '%-22s %12s %8s %9s %7s %s\n' "$name" \
        "$(last number_of_executed_units: "$fuzzer.log")" "$cpu" \
        "$(last ' cov:' "$fuzzer.log")" \
        "$(find "$fuzzer.corpus" -type f | wc -l)" \
        "$([ $code -eq 0 ] && echo 0 || echo "1, status $code: $fuzzer.log")"
done
exit $found

### What the page says, in English. Keys are sorted by the part of the page that says them.
### A number in a message is written as the language writes numbers; values with units come formatted.
### "\u00A0" is a space that does not break, between a number and its unit.

title = Spindle: a laboratory for database storage

## Language

language = Language
# $name is the language's own name for itself.
language-failed = The texts in { $name } could not be loaded. Choose it again to try once more.

## Numbers and units

unit-percent = { $value }{ "\u00A0" }%
unit-percent-less = < { $value }{ "\u00A0" }%
unit-microseconds = { $value }{ "\u00A0" }µs
unit-milliseconds = { $value }{ "\u00A0" }ms
unit-seconds = { $value }{ "\u00A0" }s
unit-minutes = { $value }{ "\u00A0" }min
unit-minutes-seconds = { $minutes }{ "\u00A0" }min { $seconds }{ "\u00A0" }s

expected-count = Found “{ $found }”. Expected a number such as 40, 15k or 1.6M.
expected-percent = Found “{ $found }”. Expected per cent, such as 12 or 0.5 %.
expected-bytes = Found “{ $found }”. Expected a size such as 512 MB or 4G.

## Files beside the page

fetch-lost = The server did not answer.
fetch-refused = The server answered with code { $code }.
fetch-unreadable = The file with them is not as it should be.

## Header

## Knobs

## Answer

sure-extrapolated = extrapolated
stop = Stop

## Machines and causes

# What a side is called in a sentence, by its devices.
machine-disks = disks
machine-ssds = SSDs
machine-constant = constant-time devices
machine-unknown = unknown devices
machine-first = the first machine
machine-second = the second machine

# What the milliseconds of a transaction go into.
cause-cpu = working on a processor
cause-cpu-meaning = Time in which a core computes for the transaction.
cause-cpu_queue = waiting for a processor
cause-cpu_queue-meaning = All cores are busy with other transactions.
cause-read = reading pages
cause-read-meaning = The page is not in the buffer and comes from the device.
cause-free_frame = waiting for a clean frame
cause-free_frame-meaning = The buffer is full of changed pages: one must be written before another can be read.
cause-log = log
cause-log-meaning = Writing the log, or waiting until it is durable.
cause-checkpoint = waiting for a checkpoint
cause-checkpoint-meaning = The log is nearly full: changed pages must be written before it can go on.
cause-admission = waiting to be let into the engine
cause-admission-meaning = innodb_thread_concurrency bounds how many threads work inside the engine.
cause-lock = waiting for a row lock
cause-lock-meaning = Another transaction has changed the row and has not ended yet.
cause-latch = waiting for a page being written
cause-latch-meaning = The page cannot be changed while it is being written.
cause-network = messages between client and server
cause-network-meaning = Time in which a statement or its answer is on its way between client and server.
cause-page_write = writing changed pages
cause-page_write-meaning = Without a log, a transaction writes the pages it has changed before its commit is done.

# $cause is one of the causes above; $base and $other are machines; the times come with their units.
difference = { $cause } makes most of the difference: { $base_time } on { $base }, { $other_time } on { $other }

# Titles of throughput over time; $machine, $base and $other are machines.
course-falls = On { $machine } throughput falls from { $first } to { $last } a second within { $within }
course-rises = On { $machine } throughput rises from { $first } to { $last } a second within { $within }
course-swings = On { $machine } throughput swings between { $low } and { $high } a second
course-steady = Throughput stays near { $throughput } a second
course-steady-both = Throughput stays near { $base_throughput } on { $base } and { $other_throughput } on { $other } a second

## Views

# Table of figures.
figure-throughput = transactions/s
figure-throughput-meaning = Transactions that ended, a second of virtual time.
figure-interval-meaning = Half-width of the 95 % confidence interval of the throughput: how much chance there is in this run. How far off the model may be stands beneath each figure.
figure-latency = mean latency
figure-latency-meaning = Mean latency: time from the start of a transaction to its end.
figure-p95 = 95 % within
figure-p95-meaning = Latency that 95 % of the transactions do not exceed.
figure-hit-rate = hit rate
figure-hit-rate-meaning = Share of page requests that found their page in the buffer.
figure-digest = digest
figure-digest-meaning = Fingerprint of the whole report: the same set-up gives the same digest on every machine, in the browser and on the command line.
figure-digest-later = when done
figure-of-page-reads = of the pages read: { $error }

# Parts of a machine and how busy they are.
devices = Devices
device-of = { $device } of the machine with { $machine }
devices-busiest = The busiest part is the { $part }, at { $share }
device-utilisation = utilisation
device-utilisation-meaning = Share of the time in which the device, or each of several, was at work.
device-reads = reads/s
device-writes = writes/s
device-syncs = syncs/s
device-syncs-meaning = Demands that what was written be durable.
device-read-time = read, ms
device-write-time = write, ms
part-processor = processor
part-storage = storage
part-log = log device

## Accuracy

# Published claims.
accuracy-label = Accuracy
accuracy-kicker = How sure it is
accuracy-lead = Beside published figures, the model is compared with measurements of real engines:
accuracy-lead-link = how far to trust it
claim = Claim
claim-published = published
claim-error-meaning = How far the model is from the published value, as a share of it.
claim-role = role
claim-role-meaning = Fitted: a constant was set so that this comes out. Predicted: it follows.
claim-holds = holds
claim-holds-meaning = A number within a quarter of the published one; an order or bound that is kept.
# $bound and $to are ratios: 1.3 ×.
claim-more-than = more than { $bound }
claim-within = { $from } to { $to }
claim-under = under { $bound }
claim-open = open
times = { $value }{ "\u00A0" }×
role-fitted = fitted
role-predicted = predicted
yes = yes
no = no
claims-unchecked = None of the { $whole } published claims is checked yet
claims-hold = { $open ->
        [0] { $hold } of { $checked } published claims hold
       *[other] { $hold } of { $checked } checked claims hold, { $open } are still open
    }
claims-hold-error = { $finding }; the largest error of a predicted number is { $error }
constants-title = Constants fitted to this article
constant = Constant
constant-value = value
constant-range = plausible range
constant-fitted-on = fitted on
assumed-title = Assumed, because the article is silent
source = Source: { $source }.
replay-running = simulating { $at } of { $count } cases, { $share }: { $name }
replay-waiting = { $known } of { $whole } cases simulated. The rest takes some minutes; INSERT tests last half an hour of virtual time.
replay-all = Replay all { $whole } cases
replay-others = Replay the other { $count }
replay-done = All { $whole } cases simulated.

trust-kicker = How far to trust it
trust-lead = The model is asked the questions that real database servers were asked. A mark on the line is a question it answers exactly; above the line it says too much, below too little.
trust-hint = Point at a mark, tap it, or press the arrow keys in the chart to read it.
trust-off-by = off by up to { $error }
trust-zero-note = { $count ->
        [one] One mark has a figure of 0 or next to it, which has no place on such an axis: it stands on its edge.
       *[other] { $count } marks have a figure of 0 or next to it, which has no place on such an axis: they stand on its edge.
    }
# Titles; $scope is "one" where only the measurements of one engine are looked at.
trust-title-none = { $scope ->
        [one] No measurement of { $quantity } of { $engine } to compare with
       *[all] No measurement of { $quantity } to compare with
    }
trust-title-errors = { $cells ->
        [one] The one measured figure for { $quantity }{ $scope ->
                [one] { "" } of { $engine }
               *[all] { "" }
            } is missed by { $median }
       *[other] Half of { $cells } measured figures for { $quantity }{ $scope ->
                [one] { "" } of { $engine }
               *[all] { "" }
            } are missed by less than { $median }, nine in ten by less than { $ninety }
    }
measurements-failed = The measurements could not be loaded. { $reason } The simulation works without them, but says nothing about its errors.
measurements-loading = Loading the measurements, some hundred kilobytes.
try-again = Try again
coverage-all = The model has an answer to all { $whole } measurements.
coverage = The model has an answer to { $supported } of { $whole } measurements; see why not to the other { $open }.
low-trust = low trust
low-trust-meaning = Over measurements that were not steady, or held up by something else than the device.
low-trust-because = low trust: { $reason }

# Choice of measurements.
filter-label = Which measurements
filter-all = all
filter-quantity = Quantity
filter-engine = Engine
filter-kind = Kind
filter-kind-meaning = How it was measured: sizes of loaded tables, counts of pages and log writes, or speeds on emulated devices.
filter-load = Load
filter-load-meaning = Whether the measured load only looks rows up or changes them.
filter-low-trust = with those of low trust
filter-low-trust-meaning = Measurements that were not steady, or where something else than the device held the engine up. They are drawn hollow and count in no error.

# Tables of errors.
summary-title = Errors by engine, kind and quantity
summary-empty = Nothing of this engine and kind has been compared yet.
summary-note = Median: half of the errors are not larger. 90 %: nine in ten are not larger. A quantity leads to its marks.
worst-title = { $quantity }: the measurements missed by most
worst-none = The model misses none of these.
column-engine = engine
column-engine-meaning = The database server that was measured.
column-kind = kind
column-kind-meaning = How it was measured.
column-quantity = quantity
column-quantity-meaning = What was measured.
column-cells = cells
column-cells-meaning = How many measurements have this quantity.
column-median = median
column-median-meaning = Half of the errors are not larger.
column-ninety = 90 %
column-ninety-meaning = Nine in ten errors are not larger.
column-worst = worst
column-worst-meaning = The largest error.
column-measurement = measurement
column-model = model
column-model-meaning = What the model says, in { $unit }.
column-measured = measured
column-measured-meaning = What was measured, in { $unit }.
column-error = error
error-none = none
error-not-zero = not 0
error-times = { $times }{ "\u00A0" }times

# Measured quantities: name, unit for axes and read-outs, meaning.
quantity-throughput_tps = throughput
quantity-throughput_tps-unit = transactions/s
quantity-throughput_tps-meaning = Transactions that ended, a second.
quantity-latency_mean_ms = mean latency
quantity-latency_mean_ms-unit = ms
quantity-latency_mean_ms-meaning = Mean time from the start of a transaction to its end.
quantity-latency_p95_ms = latency of 95 %
quantity-latency_p95_ms-unit = ms
quantity-latency_p95_ms-meaning = Latency that 95 % of the transactions do not exceed.
quantity-page_reads = pages read
quantity-page_reads-unit = pages a transaction
quantity-page_reads-meaning = Pages that were not in the buffer and had to be read.
quantity-page_requests = pages asked for
quantity-page_requests-unit = pages a transaction
quantity-page_requests-meaning = Pages that the engine asked its buffer for.
quantity-pages_written = pages written
quantity-pages_written-unit = pages a transaction
quantity-pages_written-meaning = Changed pages that were written to the data files.
quantity-log_bytes = log bytes
quantity-log_bytes-unit = bytes a transaction
quantity-log_bytes-meaning = Bytes that were written to the log.
quantity-log_syncs = log syncs
quantity-log_syncs-unit = syncs a transaction
quantity-log_syncs-meaning = Demands that the log be durable.
quantity-log_writes = log writes
quantity-log_writes-unit = writes a transaction
quantity-log_writes-meaning = Writes to the log's files.
quantity-leaf_pages = leaf pages
quantity-leaf_pages-unit = pages
quantity-leaf_pages-meaning = Pages of an index or table that hold its records.
quantity-allocated_pages = allocated pages
quantity-allocated_pages-unit = pages
quantity-allocated_pages-meaning = Pages set aside for an index or table, used or not.
quantity-file_bytes = file size
quantity-file_bytes-unit = bytes
quantity-file_bytes-meaning = Size of the file that holds the table.
quantity-record_bytes = record length
quantity-record_bytes-unit = bytes
quantity-record_bytes-meaning = Bytes of a record with its header.
quantity-height = height
quantity-height-unit = levels
quantity-height-meaning = Levels of an index's tree, from its root to its leaves.
quantity-other-unit = as measured
quantity-other-meaning = A figure that was measured and that the model gives as well.

# Kinds of measurements.
kind-sizing = sizes on disk
kind-sizing-meaning = Tables were loaded, and their pages and files counted.
kind-counters = counts
kind-counters-meaning = A load ran, and the engine counted pages and log writes; no speed was taken.
kind-group_commit = group commit
kind-group_commit-meaning = Updates in memory: only the log's writing to a device takes time.
kind-device = speed on devices
kind-device-meaning = A load ran on an emulated device: a layer under the engine made each request take a set time.
kind-other-meaning = A kind of measurement.

# What a measured load does, as a choice.
load-reads = that only read
load-writes = that write

# How far off a figure may be. $engine is an engine's name or engine-relative.
engine-relative = { $measured }, a later relative of { $engine }
trust-band = ±{ "\u00A0" }{ $error } over { $cells ->
        [one] one measured cell
       *[other] { $cells } measured cells
    } (median { $median }) of { $engine }{ $load ->
        [reads] { "" } with loads that only read
        [writes] { "" } with loads that write
       *[any] { "" }
    }
trust-band-short = model ±{ "\u00A0" }{ $error }
trust-none = not validated: no measurement of { $quantity } for this engine ({ $engine })
trust-none-short = not validated
trust-none-at-all = Not validated: none of these figures was measured for this engine ({ $engine })
trust-not-loaded = How far off these figures may be is not known: the measurements could not be loaded. { $reason }
trust-title = How far off the model may be
trust-see-what-was = see what was
trust-see-cells = see them
trust-see-what-there-is = see what there is
trust-extrapolated = Extrapolated: this set-up lies outside of what was measured.
# A statement that holds for one machine only.
on-machine = on { $machine }: { $statement }
# A statement as a sentence of its own.
sentence = { $words }.

# Where a set-up lies outside of what was measured: statements, to stand after "on SSDs:" too.
outside-times = its devices take times that vary, the measured ones a set time for each request
outside-processor = the processor sets the pace, in the measurements the device does
outside-buffer = its buffer is { $size }, measured were { $from } to { $to }
outside-buffer-share = its buffer holds { $share } times the data, measured were { $from } to { $to } times
outside-rows = a table has { $rows } rows, measured were { $from } to { $to }
outside-clients = { $clients } clients are at work, measured were { $from } to { $to }

## Terms of the field

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
unit-per-second = { $value }/s
unit-minutes-seconds = { $minutes }{ "\u00A0" }min { $seconds }{ "\u00A0" }s

expected-count = Found “{ $found }”. Expected a number such as 40, 15k or 1.6M.
expected-percent = Found “{ $found }”. Expected per cent, such as 12 or 0.5 %.
expected-bytes = Found “{ $found }”. Expected a size such as 512 MB or 4G.

## Files beside the page

fetch-lost = The server did not answer.
fetch-refused = The server answered with code { $code }.
fetch-unreadable = The file with them is not as it should be.

## Header

nav-label = Views
nav-simulation = Simulation
nav-accuracy = Accuracy
experiment = Experiment
experiment-own = Your own set-up
tools-label = Changes
undo = Undo
redo = Redo
pin = Pin as A
swap = Swap A and B
unpin = Unpin A
share = Share
keys-button = Keys
theme-auto = auto
theme-light = light
theme-dark = dark
# $theme is the name of the present theme.
theme-label = Theme: { $theme }. Press to change.
footer = Everything on this page is computed in your browser, in virtual time; the same seed gives the same digest everywhere.

## Keys

keys-title = List of keys
keys-run = Stop or start the simulation
keys-slider = One step of a slider
keys-slider-small = Its smallest step
keys-slider-large = Ten steps
keys-slider-ends = Its ends
keys-close = Close a panel
keys-close-button = Close
keys-single = The { $key } key opens this list

## Sharing

share-link = Link to all of this
share-copy = Copy link
share-link-copied = The link is in the clipboard.
share-markdown = Copy Markdown
share-markdown-copied = Sentence and link are in the clipboard as Markdown.
share-not-copied = This browser gives no access to the clipboard: select the link and copy it.
share-toml = Set-up as TOML
# $side is A or B.
share-toml-side = Set-up { $side } as TOML
share-close = Close
share-private = The link holds the set-up itself; nothing is sent anywhere.
share-open = open in Spindle

## Notices

notice-label = Notice
notice-restored = This is where you left off the last time on this machine.
notice-damaged-part = This link is damaged. Here is what could be read of it.
notice-damaged = This link could not be read.
# $count is the number of further faults.
notice-more = and { $count } more
notice-example = Open the first example
notice-dismiss = Dismiss

## First visit

questions-label = Ask, for example
question-enough-memory = How much memory until an SSD stops mattering?
question-large-buffer = What if the buffer were 16 GiB?
question-more-clients = What do more clients bring?

## Knobs

knobs-title = Set-up
knobs-open = Change the set-up
knobs-close = Close
group-data = Data
group-engine = Engine
group-machine = Machine
group-storage = Storage
group-load = Load
# $side is a letter and the name of a machine: B · SSDs.
group-of-side = of { $side }
summary-data = { $tables } × { $rows } rows, about { $size }
summary-data-several = { $tables } tables, about { $size }
summary-engine = { $engine }, { $buffer } buffer
summary-machine = { $cores } × { $clock } GHz, { $memory }
# $kind is the kind of transaction.
summary-load = { $clients } clients: { $kind }
# $load is the line before.
summary-load-range = { $load }, in { $range } of the rows
choice-system = System
choice-test = Test
choice-side = Machine to change
choice-linked = Data, engine and load of both
reset-published = Back to the published set-up
reset-opened = Back to the set-up as it was opened
knob-reset = reset
# $knob is the knob's name, $value what it goes back to.
knob-reset-label = Reset { $knob } to { $value }
switch-on = on
switch-off = off
problem-found = Found { $found }.
problem-found-expected = Found { $found }. Expected { $expected }.
expected-time = Found “{ $found }”. Expected a time with its unit, such as 10 ms, 1.5s or 30min.
expected-range = Found “{ $found }”. Expected { $low } to { $high }.
parameter-search = Search parameters
# $count is the number of parameters that are not shown.
parameters-more = { $count } more
parameters-fewer = Fewer
parameters-none = No parameter by that name or with that effect.

knob-rows = Rows a table
knob-rows-meaning = Rows that each table holds before the run.
knob-tables = Tables
knob-tables-meaning = Tables alike; clients pick one at random for each statement.
knob-warehouses = Warehouses
knob-warehouses-meaning = TPC-C's measure of size: each warehouse brings 100 000 rows of stock and 300 000 order lines.
knob-branches = Scale
knob-branches-meaning = pgbench's measure of size: each step brings a branch and 100 000 accounts.
knob-fill = Row fill
knob-fill-meaning = Share of their declared length that variable columns use: longer rows, more pages.
knob-order = Loaded
knob-order-meaning = Order in which the rows were loaded: it decides how full the pages of the indexes are.
knob-profile = Engine
knob-profile-meaning = Product and version whose rules of storage, caching and flushing are followed.
knob-buffer = Data buffer
knob-buffer-meaning = Memory in which the engine keeps pages: what is found there need not be read.
knob-contention = Core contention
knob-contention-meaning = Extra processor time of a statement for each other busy core: latches and caches that cores share.
knob-cores = Processor cores
knob-cores-meaning = Cores of the machine; a statement occupies one while it computes.
knob-clock = Clock
knob-clock-meaning = Speed of each core; processor time of statements shrinks in proportion.
knob-memory = Memory
knob-memory-meaning = Memory of the machine, shared by the buffer and the system's page cache.
knob-device = Device
knob-device-meaning = The kind of disk or solid-state drive that the data lies on.
knob-raid = Array
knob-raid-meaning = How several devices are combined into one.
knob-devices = Devices
knob-devices-meaning = Members of the array.
knob-written-share = Written share
knob-written-share-meaning = Share of each device that was ever written; the rest is spare room in which a solid-state drive cleans up. Disks do not care.
knob-file-system = File system
knob-file-system-meaning = What a sync costs on top of the device: journal and flushes.
knob-page-cache = Page cache
knob-page-cache-meaning = Whether files that are not opened direct go through the system's own cache in memory.
knob-controller-cache = Controller cache
knob-controller-cache-meaning = A RAID controller with memory of its own, which takes writes before the devices do.
knob-controller-cache-size = Cache size
knob-controller-cache-size-meaning = Memory of the controller for writes.
knob-controller-battery = Battery
knob-controller-battery-meaning = With a battery a write is safe once the controller has it; without one it waits for the device.
knob-log-device = Log device of its own
knob-log-device-meaning = The log on a device of its own, so that its small writes do not wait behind pages.
knob-log-device-kind = Log device
knob-log-device-kind-meaning = The kind of device that the log lies on.
knob-log-device-raid = Log array
knob-log-device-raid-meaning = How the log's devices are combined.
knob-log-devices = Log devices
knob-log-devices-meaning = Members of the log's array.
# Lines of a device's own data sheet.
knob-sheet-rpm = Revolutions a minute
knob-sheet-rpm-meaning = How fast the platters turn: half a turn is what a read waits for on average.
knob-sheet-seek-track = Seek to the next track
knob-sheet-seek-track-meaning = Time of the arm from one track to its neighbour.
knob-sheet-seek-average = Average seek
knob-sheet-seek-average-meaning = Time of the arm over a third of its way, as data sheets print it; random reads pay it each time.
knob-sheet-seek-full = Full seek
knob-sheet-seek-full-meaning = Time of the arm from the first track to the last.
knob-sheet-outer-rate = Transfer a second, outer edge
knob-sheet-outer-rate-meaning = Bytes a second where the tracks are longest.
knob-sheet-inner-rate = Transfer a second, inner edge
knob-sheet-inner-rate-meaning = Bytes a second where the tracks are shortest.
knob-sheet-queue = Queue depth
knob-sheet-queue-meaning = Requests that the disk holds and puts into the order of the shortest way.
knob-sheet-write-cache = Write cache
knob-sheet-write-cache-meaning = Volatile memory of the disk for writes; at 0 it is off and a write waits for the platter.
knob-sheet-capacity = Capacity
knob-sheet-capacity-meaning = What fits on one device.
knob-sheet-channels = Flash channels
knob-sheet-channels-meaning = Ways to the flash that work side by side.
knob-sheet-dies = Dies on each channel
knob-sheet-dies-meaning = Pieces of flash that read and program side by side; more of them serve more requests at once.
knob-sheet-planes = Planes of a die
knob-sheet-planes-meaning = Parts of a die that are programmed together and read one by one.
knob-sheet-read = Flash read
knob-sheet-read-meaning = Time from command to data in the die's register.
knob-sheet-read-fast = Flash read, fast page
knob-sheet-read-fast-meaning = Time to read the fast one of a cell's pages.
knob-sheet-read-middle = Flash read, middle page
knob-sheet-read-middle-meaning = Time to read the middle one of a cell's pages.
knob-sheet-read-slow = Flash read, slow page
knob-sheet-read-slow-meaning = Time to read the slow one of a cell's pages.
knob-sheet-program = Flash program
knob-sheet-program-meaning = Time to program pages; reads of the same die wait for it or interrupt it.
knob-sheet-overhead = Controller time
knob-sheet-overhead-meaning = Time of each request in controller and interface, beside flash and transfer.
knob-sheet-read-overhead = Read overhead
knob-sheet-read-overhead-meaning = Time of a read beside die, channel and link: driver, controller, interrupt.
knob-sheet-write-overhead = Write overhead
knob-sheet-write-overhead-meaning = Time of a write beside the link, until it is acknowledged from the buffer.
knob-sheet-link = Link a second
knob-sheet-link-meaning = Bytes a second between drive and computer, in each direction.
knob-sheet-write-buffer = Write buffer
knob-sheet-write-buffer-meaning = Memory of the drive for writes; a write is complete when it is there.
knob-sheet-protection = Power-loss protection
knob-sheet-protection-meaning = Capacitors keep the write buffer through a loss of power, so that a sync has nothing to wait for.
knob-sheet-spare = Spare flash
knob-sheet-spare-meaning = Flash beyond the capacity, as a share of it: the less, the more the drive copies to make room for writes.
knob-sheet-slots = Slots
knob-sheet-slots-meaning = Requests that are served side by side.
knob-sheet-fixed-read = Time of a read
knob-sheet-fixed-read-meaning = What every read takes once it has a slot.
knob-sheet-fixed-write = Time of a write
knob-sheet-fixed-write-meaning = What every write takes once it has a slot.
knob-sheet-fixed-sync = Time of a sync
knob-sheet-fixed-sync-meaning = What every sync takes once it has a slot.
knob-workload = Transaction
knob-workload-meaning = What each transaction of a client does.
knob-clients = Clients
knob-clients-meaning = Connections at work, each with one transaction at a time.
knob-search-range = Search range
knob-search-range-meaning = Share of the rows that statements pick from: the smaller, the more stays in memory.
knob-keys = Key skew
knob-keys-meaning = How often each row is asked for: all alike, or some far more often than others.
knob-exponent = Exponent of the skew
knob-exponent-meaning = How much more often the first rows are asked for than the others: the larger, the fewer rows hold most of the load.
knob-scattered = Hot rows scattered
knob-scattered-meaning = Rows that are asked for often lie anywhere in the table instead of side by side, so that each keeps a page of its own in memory.
knob-think-time = Think time
knob-think-time-meaning = Pause of a client between two transactions.
knob-round-trip = Round trip
knob-round-trip-meaning = Time that a message to the server and its answer take, for each statement.
knob-duration = Duration
knob-duration-meaning = The longest the simulation lasts, in virtual time.
knob-stop-rule = Ends
knob-stop-rule-meaning = When the simulation ends: as soon as throughput is known well enough, or after the whole duration.
knob-precision = Precision
knob-precision-meaning = Half-width of the 95 % confidence interval at which the simulation stops.
knob-sample = Pages simulated
knob-sample-meaning = Share of all pages that the simulation holds in place of the whole, 0 for as many as there is memory for: a sample answers a large database quickly.
knob-start = Buffer at the start
knob-start-meaning = Whether the simulation begins with what a long run would have left in the buffer, or with nothing of use.
knob-read-only = Declared read-only
knob-read-only-meaning = Whether transactions tell the server that they change nothing, which spares it some bookkeeping.

order-random = in random order
order-sequential = in key order
order-sorted-build = rows first, index afterwards
order-split-build = built, then split by inserts
device-own = by its own data sheet
raid-none = one device
raid-0 = RAID 0
raid-1 = RAID 1
raid-10 = RAID 0+1
file-system-ext4 = ext4
file-system-ext3 = ext3, without barriers
file-system-xfs = XFS
file-system-raw = none
workload-insert-full = one INSERT
workload-three-selects = 3 SELECTs, by each index
workload-point-select = one SELECT by key
workload-unique-select = one SELECT by the unique index
workload-non-unique-select = one SELECT by the non-unique index
workload-any-select = one SELECT by any index
workload-read-only = sysbench read-only: 14 SELECTs
workload-read-write = sysbench read-write: 14 SELECTs, 4 writes
workload-write-only = sysbench write-only: 4 writes
workload-update-index = one UPDATE of an indexed column
workload-update-non-index = one UPDATE of another column
workload-tpcb-like = pgbench tpcb-like
workload-order-entry = TPC-C: the whole mix
workload-order-entry-load = TPC-C: loading the tables
workload-new-order = TPC-C: new orders
workload-payment = TPC-C: payments
workload-order-status = TPC-C: order status
workload-delivery = TPC-C: deliveries
workload-stock-level = TPC-C: stock level
workload-stock-select = one SELECT of STOCK
workload-stock-update = one UPDATE of STOCK
workload-order-line-select = one SELECT of ORDER_LINE
workload-order-line-insert = one INSERT into ORDER_LINE
workload-order-line-delete = one DELETE of an order line
keys-uniform = all rows alike
keys-special = sysbench special
keys-pareto = sysbench Pareto
ends-confidence = when it is known well enough
ends-duration = after the whole duration
ends-transactions = after a number of transactions
start-warm = warm: as a long run leaves it
start-cold = cold: empty
start-shifted = shifted: pages of other tables

tables-misfit = The tables at hand do not suit this kind of transaction.
tables-use-rows = Use a table with all kinds of index
tables-use-sysbench = Use sysbench's tables
tables-use-pgbench = Use pgbench's tables
tables-use-order-entry = Use TPC-C's tables
ddl-open = Columns and indexes
ddl-close = Close columns and indexes
ddl-label = CREATE TABLE and CREATE INDEX
ddl-apply = Use these tables
ddl-no-table = There is no CREATE TABLE in this text. The tables stay as they are.
ddl-too-long = This text is too long to be read: at most { $most } bytes.
ddl-reading = Reading your text.
ddl-lost = The reader of DDL could not be loaded. Your text is still here; try again.
ddl-problem = Line { $line }: { $note }
ddl-ignored = Line { $line }, left out: { $note }
ddl-assumed = Line { $line }, assumed: { $note }
by-size = Or by size
by-size-bytes = Bytes a row
by-size-indexes = Secondary indexes
by-size-make = Make this table
differences-title = What differs
differences-none = Nothing: A and B are the same.
difference-nothing = –

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
answer-label = Answer
answer-none = This set-up has no answer.
# $finding is a sentence without its full stop.
answer-estimated = By the estimate, { $finding }.
answer-so-far = So far, { $finding }.
answer-simulated = { $finding }.
answer-alone = this { $system } does { $throughput } transactions a second
verb-insert = inserts
verb-read = looks up rows
verb-write = changes rows
verb-order = handles orders
# $verb is one of the verbs above; $base and $other are what the machines have, in the plural.
compared-machine-faster = on { $other } this { $system } { $verb } { $times } times as fast
compared-machine-alike = on { $other } this { $system } { $verb } no faster than on { $base }
compared-machine-slower = on { $other } this { $system } { $verb } at { $share } of the speed it has on { $base }
# $base and $other are systems.
compared-system-faster = { $other } { $verb } { $times } times as fast as { $base }
compared-system-alike = { $other } { $verb } no faster than { $base }
compared-system-slower = { $other } { $verb } at { $share } of the speed of { $base }
published-ratio = published: { $ratio } times
published-ratio-elsewhere = published: { $ratio } times, with the published set-up
# Causes are named as in "reading pages".
reason-alone = The largest part of a transaction is { $cause }: { $share }.
reason-same = The largest part of a transaction is { $cause_base }: { $share_base } on { $base }, { $share_other } on { $other }.
reason-different = On { $base } { $share_base } of a transaction is { $cause_base }; on { $other } { $share_other } is { $cause_other }.
disagreement = Estimate and simulation differ by more than their bands: { $estimated } and { $simulated } transactions a second. Trust the simulation.
disagreement-side = On { $side } estimate and simulation differ by more than their bands: { $estimated } and { $simulated } transactions a second. Trust the simulation.
# $error is a range of errors.
sure-band = Model error of throughput: { $error }
sure-link = how far to trust it
progress-done = done
status-label = Simulation
status-loading = simulating: loading the tables
# $parts says how far each machine is.
status-running = simulating: { $parts } · virtual time { $at } of at most { $longest }
status-unsound = This set-up cannot be run; below is the last one that could. See the message beside its control.
status-waiting = about to simulate
status-done = simulated, { $at } of virtual time
status-stopped = stopped after { $at } of virtual time; figures cover what was seen until then
status-died-memory = The simulator stopped working: there was no more memory for it. What it had found stays. Fewer rows or a smaller buffer need less.
status-died-start = The simulator stopped working before it had begun: its files did not arrive, or the browser would not have it. The estimate does without it.
# $fault is the program's own message, in English.
status-died-fault = The simulator stopped working through a fault of its own ({ $fault }). What it had found stays.
run = Run
run-again = Run again
run-anew = Start it again

## Phrases of the models

# What scenarios, engines and devices say of mistakes; they stand after "Found" or "Expected". The English must be the
# models' own phrase to the letter, with $a and $b for its values.
model-run-too-short = The run reached its longest duration before the throughput was known to { $a }: it is known to { $b }.
model-nothing-ended = No transaction ended within the longest duration of the run: there is no answer.
model-sample-simulated = A sample of the database was simulated: one page in { $a }.
model-statement-time = Processor time of a statement is an assumption: lookup { $a } us, insert { $b } us at 2.5 GHz.
model-ddl-syntax = found { $a }, expected CREATE TABLE or CREATE INDEX
model-ddl-other = not a CREATE TABLE or CREATE INDEX
model-ddl-type = column { $a }: type { $b } is not known; it is left out
model-ddl-no-table = found an index on `{ $a }`, expected a table created before
model-buffer-in-memory = { $a } of buffer in { $b } of memory
model-at-most-memory = at most the machine's memory, { $a }
model-at-most-simulated = at most { $a } in all
model-tables-on-storage = { $a } of tables on { $b } of storage
model-larger-devices = more or larger devices, or fewer rows
model-size-of-tables = { $a } of tables
model-unknown-parameter = an unknown parameter
model-no-table = no table
model-a-table = at least one [[table]]
model-no-primary-key = no primary key
model-a-primary-key = one index of kind "primary"
model-share-above-zero = a share above 0 and up to 1
model-tables-wanted = { $a } tables, which the workload goes by
model-tables-found = { $a } tables
model-no-table-named = no table { $a }
model-tables-of-order-entry = the tables of TPC-C, which the workload is about
model-engine-that-loads = firebird-2.5 or firebird-3.0, whose loading is modelled
model-nothing-before-load = nothing before tables are loaded that begin empty
model-index-wanted = an index of kind "{ $a }", which the workload looks rows up by
model-none-of-them = none of them
model-cold-is-clean = 0 with a cold start: what is not in the buffer cannot be dirty
model-whole-number = a whole number from { $a } to { $b }
model-number = a number from { $a } to { $b }
model-switch = on or off
model-a-size = a size such as `16384`, `8kB`, `64M`, `4G` or `1.8 TiB`
model-a-time = a time such as `75us`, `6ms`, `1.5s`, `30min` or `2h`
model-one-device = 1 device, or `raid` set to "0", "1" or "10"
model-even-devices = an even number of devices for RAID 10
model-two-devices = at least 2 devices for RAID 1
model-link-too-long = a link of { $a } characters
model-link-cut-off = a link that was cut off
model-link-whole = the whole link: copy it again
model-link-changed = a link that was changed on its way
model-link-as-given = the link as it was given: copy it again
model-link-stranger = { $a } as character { $b } of the link
model-link-letters = letters, digits, - and _
model-link-of-future = version { $a }, from a future version of this page
model-one-of = one of { $a }
model-range = { $a } to { $b }

## Views

# Names of the views.
view-over-time = Over time
view-time = Where the time goes
view-sweep = Sweep
view-crossover = Crossover map
view-latency = Latency
view-layout = Layout
view-devices = Devices
view-published = Published against model
view-accuracy = Accuracy

# Any chart. $name is the chart's name.
figure-chart = Chart
figure-table = Table
figure-export = Export
figure-kind = chart
figure-table-of = { $name }: table
figure-series-of = { $name }: series
figure-keys = Arrow keys move the data cursor, Shift moves it further, plus and minus zoom, 0 shows all, T shows a table.
figure-hint-across = Point, or press ← or →, to read values
figure-hint = Point, or press the arrow keys, to read values
figure-thinned = Means of several values in each row; the files have all of them.
# Names of series; $name is a machine or another series.
series-estimate = { $name }, estimate
series-simulated = { $name }, simulated
series-published = { $name }, published
series-low-trust = { $name }, low trust
# Parts of sentences put together.
value-on = { $value } on { $machine }
list-and = { $first } and { $second }
list-comma = { $first }, { $second }
list-semicolon = { $first }; { $second }
# Names of axes, with units.
axis-with-unit = { $name }, { $unit }
axis-mean-latency = mean latency, ms
axis-load-rate = load, MiB/s
axis-latency = latency, ms
axis-share = share of transactions
axis-checkpoint-age = log since the oldest change not on the device
axis-virtual-time = virtual time
axis-transaction-time = mean time of a transaction, ms
axis-times = times as fast
axis-hit-rate = page requests found in the buffer
axis-utilisation = share of the time at work
axis-queue = requests waiting or worked on
axis-read-latency = time of a read, ms
axis-write-latency = time of a write, ms
axis-clients = clients
axis-from = from
axis-to = to
axis-log = log

# Over time.
course-throughput = throughput
course-latency = latency
course-dirty-pages = dirty pages
course-checkpoint-age = checkpoint age
figure-over-time = { $quantity } over time
# $found is "5000 on disks and 3000 on SSDs".
title-estimate = By the estimate { $found }
title-latency = A transaction takes { $found } on average
title-dirty-pages = Dirty pages: at most { $found }
title-checkpoint-age = Log that a restart would have to read: at most { $found }

# Where the time goes.
column-time = time
bar-of-side = { $name }: { $time } a transaction
share-of-time = { $share } of a transaction on { $machine } is { $cause }
turn-first = Turn this first
# $knob goes from one value to another, and throughput changes by $change: +38 %.
turn-change = { $knob } { $from } → { $to }, { $change } throughput by the estimate

# Latency.
latency-figure = Latency of transactions
title-half-and-slow = on { $machine } half of the transactions take at most { $half }, one in a hundred more than { $slow }
title-nearly-all-take = on { $machine } nearly all transactions take { $time }
latency-not-slower = not slower than
latency-p50 = half of them (p50)
latency-p95 = 95 % (p95)
latency-p99 = 99 % (p99)
latency-p999 = 99.9 % (p99.9)
latency-max = the slowest
latency-mean = mean

# Layout.
layout-figure = Tables and indexes
layout-bytes = size
layout-pages = pages
layout-tables = tables
layout-rows = rows each
layout-levels = levels
layout-resident = in the buffer
layout-fits = All { $whole } of tables and indexes fit into the buffer of { $buffer }
layout-holds = The buffer of { $buffer } holds at most { $share } of { $whole } of tables and indexes

# Devices; $device is "SSDs: storage".
devices-strain = Of each device
devices-empty = Nothing is known of the devices yet.
strain-queue = requests at a time
strain-read-latency = read latency
strain-write-latency = write latency
figure-by-load = { $quantity } by offered load
devices-full = { $device } is busy to { $share } from { $clients } clients on
devices-idle = However many clients there are, nothing is busier than { $device }, to { $share }
devices-change = { $device }: { $from } with { $few } clients, { $to } with { $many }

# Sweep along a knob.
sweep-along = Along
sweep-outcome = Outcome
sweep-family = Curves for
sweep-sides = the sides
sweep-no-answer = The estimate has no answer along this knob.
sweep-running = simulating { $at } of { $whole } points
sweep-simulate = Simulate { $count } points
figure-by = { $quantity } by { $knob }
sweep-best = The best { $quantity }, { $value }, is that of { $curve }
sweep-no-difference = { $knob } makes no difference between { $first } and { $second } in { $quantity }
sweep-above = Above { $value } of { $knob } it no longer matters for { $quantity } whether there are { $first } or { $second }
sweep-only-above = Only above { $value } of { $knob } does it matter for { $quantity } whether there are { $first } or { $second }
sweep-everywhere = { $second } against { $first }: { $low } to { $high } in { $quantity } wherever { $knob } stands
sweep-flat = { $quantity } hardly depends on { $knob }
sweep-rises = { $quantity } rises from { $from } at { $start } of { $knob } to { $to } at { $end }
sweep-falls = { $quantity } falls from { $from } at { $start } of { $knob } to { $to } at { $end }

# Crossover map; $first and $second are machines, in the plural.
crossover-empty = A crossover map needs two sides: compare this set-up with another one.
crossover-across = Across
crossover-upwards = Upwards
crossover-no-answer = The estimate has no answer over these knobs.
crossover-blank = Where the map is blank there is no such set-up: most often the tables would be larger than the storage.
crossover-figure = Crossover by { $across } and { $upwards }
crossover-series = { $second } over { $first }
crossover-advantage = advantage { $share }
crossover-disadvantage = disadvantage { $share }
crossover-now = now
crossover-ends = With as much data as now, from { $value } of { $knob } on { $second } no longer matter against { $first }
crossover-range = on { $second } { $low } to { $high } as fast as on { $first }, all over this map

# Published against model, and model against measurement.
published-missing = What has no full mark yet has not been simulated; the table of claims below can replay the other cases.
published-picture = Picture
published-ratios = Ratios
published-curves = Curves
published-map = Published advantage
published-model-map = Model's advantage
published-measure = Figure
published-curves-note = Hollow marks are published, dashed lines estimated; full marks are simulated, once the cases are replayed below. The curves pass through the case that is chosen beside.
title-published-open = { $count } figures were published, from { $low } to { $high }; none of them is simulated yet
title-published-curves = { $count ->
    [one] { $place }: the one published point is missed by { $worst }
   *[other] { $place }: { $count } published points are missed by { $median } in the median and { $worst } at most
}
# What curves of a card show; $first and $second are machines, $low and $high how many times, $from and $to places on the axis $knob.
curves-ratio = on { $second } { $low } to { $high } as fast as on { $first }
curves-course = { $first } where { $knob } is { $from }, { $last } where it is { $to }
curves-estimate = by the estimate { $found }
curves-open = { $count ->
    [one] one published point is not simulated yet
   *[other] { $count } published points are not simulated yet
}
title-map-of = { $what }: { $found }
title-published = { $count ->
        [one] The one published figure simulated so far is missed by { $worst }
       *[other] { $count } published figures are missed by { $worst } at most
    }{ $open ->
        [0] { "" }
       *[other] ; { $open } are still open
    }
scatter-figure = Model against measurement
scatter-diagonal = model = measured

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
figure-estimated = estimated
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
claim-at-most = at most { $bound }
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
kind-query = queries
kind-query-meaning = The 22 queries of TPC-H, one at a time: what their plans ask of the pool, and how long they take.
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

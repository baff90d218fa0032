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

## Views

## Accuracy

## Terms of the field

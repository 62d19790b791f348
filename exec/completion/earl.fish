# SPDX-License-Identifier: BSD-3-Clause
# Completion of earl, earlcc and earlfc for fish. The commands themselves list the candidates.

function __earl_words
    commandline -opc
end

# The options in the help of the command line's command.
function __earl_options
    set -l words (__earl_words)
    if string match -qr 'earl$' -- $words[1]
        test (count $words) -ge 2; and $words[1] $words[2] -h 2>/dev/null | string match -r '^ +-[^ ]+' | string trim | string split ,
    else
        $words[1] -h 2>/dev/null | string match -r '^ +-[^ ]+' | string trim | string split ,
    end
end

# Those of the command line's command that take a value.
function __earl_valued
    set -l words (__earl_words)
    $words[1] $words[2] -h 2>/dev/null | string replace -rf '^  (-\S+) \S.*' '$1' | string split ,
    printf '%s\n' -np -wdir
end

# The values of the option before the word, where the help has them all: --env all|none.
function __earl_choices
    set -l words (__earl_words)
    test (count $words) -ge 3; and string match -q -- '--*' $words[-1]; or return 1
    set -l found ($words[1] $words[2] -h 2>/dev/null | string replace -rf -- "^  (?:-\S*,)?$words[-1](?:,\S*)? ([a-z0-9|]*\|[a-z0-9|]*)(?: .*)?\$" '$1' | string split '|')
    test -n "$found"; and printf '%s\n' $found
end

function __earl_second_word_of
    set -l words (__earl_words)
    test (count $words) -eq 2; and contains -- $words[2] $argv; and not string match -q -- '-*' (commandline -ct)
end

function __earl_compat_commands
    set -l words (__earl_words)
    $words[1] compat -h 2>/dev/null | string replace -rf '^  ([a-z]+)$' '$1'
end

function __earl_jobs
    set -l words (__earl_words)
    $words[1] ps 2>/dev/null | string replace -rf '^ *([0-9]+) .*' '$1'
end

function __earl_commands
    set -l words (__earl_words)
    $words[1] -h 2>/dev/null | string replace -rf '^  earl ([a-z-]+) +(.*)' '$1\t$2'
end

# Names in the output of `earl version` of kind $argv: back end, front end, debugger.
function __earl_names
    set -l words (__earl_words)
    string replace -r '(cc|fc)$' '' -- $words[1] | read -l earl
    $earl version 2>/dev/null | string replace -rf "^$argv +(\S+).*" '$1'
end

function __earl_after
    set -l words (__earl_words)
    contains -- $words[-1] $argv
end

# The word to complete is an option of Earl: no program is named yet, in a command that runs one.
function __earl_takes_options
    string match -q -- '-*' (commandline -ct); or return 1
    set -l words (__earl_words)
    contains -- "$words[2]" run record explore exec; or return 0
    set -l valued (__earl_valued)
    set -l skip
    for word in $words[3..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case '-*'
                contains -- $word $valued; and set skip yes
            case = :
            case '*'
                return 1
        end
    end
    return 0
end

complete -c earl -n 'test (count (__earl_words)) -eq 1' -f -a '(__earl_commands) -h'
complete -c earl -n 'test (count (__earl_words)) -ge 2; and __earl_takes_options' -f -a '(__earl_options)'
complete -c earl -n '__earl_second_word_of help' -f -a '(__earl_commands)'
complete -c earl -n '__earl_second_word_of compat' -f -a '(__earl_compat_commands)'
complete -c earl -n '__earl_second_word_of ps console' -f -a '(__earl_jobs)'
complete -c earl -n '__earl_after --on' -f -a '(__earl_names "back end") net'
complete -c earl -n '__earl_after --tool' -a '(__earl_names debugger)'
complete -c earl -n '__earl_choices >/dev/null' -f -a '(__earl_choices)'
complete -c earl -n '__earl_after -x' -f -a '(set -n)'
complete -c earl -n '__earl_after --wdir -wdir --output-dir --outputs -o' -f -a '(__fish_complete_directories)'
for wrapper in earlcc earlfc
    complete -c $wrapper -n '__earl_after -api' -f -a '(__earl_names "front end")'
    complete -c $wrapper -n 'string match -q -- "-*" (commandline -ct)' -a '(__earl_options)'
end

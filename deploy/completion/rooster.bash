# shellcheck shell=bash
# Completes the commands, options, alarms, codes and sounds of rooster in bash. A test compares it with the commands.

_rooster_commands="list show add edit enable disable delete skip unskip pause postpone done status snooze stop answer awake unlock emergency test-ring in-bed
doctor history settings defaults calendar code export import bedside sound speakers web pair clients token plan scan journal"

# The options of a command.
_rooster_options() {
    local service="--json --socket --help"
    local house="--sound --volume --ramp --for --rounds --rest --snooze --snoozes --escalate --check --shake --light --math --limit --steps --pattern --code --tag --roulette"
    local alarm="--label $house --late --early --notice --postpone --zone --days --note --category --on"
    local without="--no-math --no-steps --no-pattern --no-code --no-tag --no-roulette --no-challenges"
    case $1 in
        add) echo "$alarm --off --no-challenges --no-shake $service" ;;
        edit)
            echo "$alarm --no-zone --no-days --no-shake --no-postpone $without $service"
            ;;
        defaults) echo "$house --no-shake $without --reset $service" ;;
        pause) echo "--end $service" ;;
        status) echo "--follow --type $service" ;;
        test-ring) echo "--in --sound --volume --ramp --shake $service" ;;
        doctor) echo "--loud $service" ;;
        history) echo "--days --since --category --events --success --clear --csv $service" ;;
        list) echo "--category $service" ;;
        settings) echo "--enabled --zone --lock --snooze-min --snooze-max --preflight --emergency --bedtime --bedtime-chime --hours --reset $service" ;;
        calendar) echo "--weekdays --from --until --file --off --on $service" ;;
        code) echo "--output --png --tag $service" ;;
        import) echo "--backup $service" ;;
        bedside)
            echo "--clock --by --speed --zone --trusted --card --fault --disk --camera --show --picture --plug
                --unplug --press --hold --release --step --tag --key --power $service"
            ;;
        plan) echo "--from --until --zone $service" ;;
        scan) echo "--kinds --json --help" ;;
        journal) echo "--json --help" ;;
        sound) echo "--seconds --volume --name $service" ;;
        stop) echo "--all $service" ;;
        web) echo "--lan --help" ;;
        pair) echo "--address $service" ;;
        token) echo "--may $service" ;;
        show | enable | disable | delete | skip | unskip | postpone | done | snooze | answer | awake | unlock | emergency | in-bed | export | speakers | clients)
            echo "$service"
            ;;
    esac
}

# Prints the answer of the service, one object a line. It gives up after a second, so that a slow service delays no typing.
_rooster_ask() {
    timeout 1 rooster "$@" --json 2>/dev/null
}

# Prints the labels of the alarms and, if a word has begun, their ids. An alarm with a quote in its label has its id only.
_rooster_alarms() {
    local line label
    while IFS= read -r line; do
        if [[ $line =~ ^'{"alarm":{"id":"'[^\"]*'","label":"'([^\"\\]+)'"' ]]; then
            printf -v label '%q' "${BASH_REMATCH[1]}"
            echo "$label"
        fi
        if [[ -n $1 && $line =~ ^'{"alarm":{"id":"'([A-Za-z0-9._-]+)'"' ]]; then
            echo "${BASH_REMATCH[1]}"
        fi
    done < <(_rooster_ask list)
}

_rooster_values() {
    case $1 in
        --sound) _rooster_ask sound list | sed -n 's/^{"id":"\([^"\\]*\)".*/\1/p' ;;
        --days) _rooster_ask calendar list | sed -n 's/^{"name":"\([^"\\ ]*\)".*/\1/p' ;;
        --zone)
            [[ ${2-} == settings ]] && echo machine
            awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone.tab 2>/dev/null
            ;;
        --preflight) printf '%s\n' off 21:00 ;;
        --card) _rooster_ask speakers | sed -n 's/^{"id":"\([^"\\ ]*\)".*/\1/p' ;;
        --snoozes) printf '%s\n' none unlimited ;;
        --hours) printf '%s\n' 12 24 ;;
        --bedtime) printf '%s\n' none 22:30 ;;
        --enabled | --emergency | --bedtime-chime) printf '%s\n' on off ;;
        --trusted) printf '%s\n' yes no ;;
        --fault) printf '%s\n' none stalls breaks refuses hangs ;;
        --disk) printf '%s\n' ok full failing ;;
        --show) printf '%s\n' nothing ;;
        --power) echo cut ;;
        --camera) printf '%s\n' ok dark blur freeze cut unplugged ;;
        --press | --release) printf '%s\n' snooze stop both ;;
        --may) printf '%s\n' look use change ;;
        --code) _rooster_ask code list | sed -n 's/^{"label":"\([^"\\ ]*\)","kind":"qr".*/\1/p' ;;
        # For bedside, the value is the number of a tag, not its label.
        --tag) [[ ${2-} == bedside ]] || _rooster_ask code list | sed -n 's/^{"label":"\([^"\\ ]*\)","kind":"tag".*/\1/p' ;;
        --kinds) printf '%s\n' qr datamatrix aztec pdf417 ean13 ean8 upca upce code128 code39 code93 codabar itf ;;
        --weekdays) printf '%s\n' mon tue wed thu fri sat sun mon-fri sat,sun ;;
    esac
}

_rooster_words() {
    local command=$1 place=$2 current=$3
    case $command in
        show | enable | disable | delete | rm | del | unskip | unlock | done | history) ((place == 0)) && _rooster_alarms "$current" ;;
        postpone)
            if ((place == 0)); then
                _rooster_alarms "$current"
            else
                printf '%s\n' 1h tomorrow 1week
            fi
            ;;
        skip | pause)
            if ((place == 0)); then
                _rooster_alarms "$current"
            else
                printf '%s\n' today tomorrow
            fi
            ;;
        edit)
            if ((place == 0)); then
                _rooster_alarms "$current"
            else
                _rooster_days
            fi
            ;;
        add) ((place > 0)) && _rooster_days ;;
        calendar)
            if ((place == 0)); then
                printf '%s\n' list save delete
            elif ((place == 1)); then
                _rooster_values --days
            fi
            ;;
        code)
            if ((place == 0)); then
                printf '%s\n' enrol list test cancel forget print picture
            else
                _rooster_values --code
                _rooster_values --tag
            fi
            ;;
        clients)
            if ((place == 0)); then
                printf '%s\n' list forget
            else
                _rooster_ask clients list | sed -n 's/^{"id":"\([^"\\ ]*\)".*/\1/p'
            fi
            ;;
        token) ((place == 0)) && echo add ;;
        journal) ((place == 0)) && printf '%s\n' check dump ;;
        sound)
            if ((place == 0)); then
                printf '%s\n' list test save add remove
            elif ((place == 1)); then
                _rooster_values --sound
            fi
            ;;
        help) tr ' ' '\n' <<<"$_rooster_commands" ;;
    esac
}

_rooster_days() {
    printf '%s\n' once in today tomorrow daily weekdays weekends every weekly biweekly monthly yearly mon tue wed thu fri sat sun
}

_rooster() {
    # --socket may come first; bash splits --socket=PATH into three words.
    local first=1
    if [[ ${COMP_WORDS[1]-} == --socket ]]; then
        [[ ${COMP_WORDS[2]-} == = ]] && first=4 || first=3
        local -x ROOSTER_SOCKET=${COMP_WORDS[first - 1]-}
    fi
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[first]-}
    local line place=0 index candidates=""
    COMPREPLY=()
    if ((COMP_CWORD == 1 || COMP_CWORD == first)); then
        candidates="$_rooster_commands help --help --version --socket"
    elif [[ $current == -* ]]; then
        candidates=$(_rooster_options "$command")
    elif ((COMP_CWORD < first)) || [[ $before =~ ^--(file|output|sounds|socket|config)$ ]]; then
        compopt -o default 2>/dev/null
        return
    elif [[ $before == -* ]]; then
        candidates=$(_rooster_values "$before" "$command")
        # Nothing is enrolled yet, so no word can complete the value.
        [[ -z $candidates && $before =~ ^--(code|tag)$ ]] && return 0
    fi
    if [[ -n $candidates ]]; then
        for line in $candidates; do
            [[ $line == "$current"* ]] && COMPREPLY+=("$line")
        done
        return
    fi
    # Counts the words before this one, without options and their values.
    for ((index = first + 1; index < COMP_CWORD; index++)); do
        [[ ${COMP_WORDS[index]} == -* || ${COMP_WORDS[index - 1]} == -* ]] || ((place++))
    done
    while IFS= read -r line; do
        [[ $line == "$current"* ]] && COMPREPLY+=("$line")
    done < <(_rooster_words "$command" "$place" "$current")
    case $command in
        import | export | plan | scan) compopt -o default 2>/dev/null ;;
        journal | sound) ((place > 0)) && compopt -o default 2>/dev/null ;;
    esac
    return 0
}

complete -F _rooster rooster

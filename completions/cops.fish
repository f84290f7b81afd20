# fish completion of cops, written by "cops completion fish"
function __cops_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command cops __complete fish (count $before) $before "$current" 2>/dev/null)
    set -l at 2
    if test "$lines[1]" = files
        set at 4
        for path in (__fish_complete_path "$lines[3]")
            printf '%s%s\n' "$lines[2]" "$path"
        end
    end
    if test (count $lines) -ge $at
        printf '%s\n' $lines[$at..-1]
    end
end
complete -c cops -e
complete -c cops -f -k -a '(__cops_complete)'

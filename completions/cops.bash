# bash completion of cops, written by "cops completion bash"
_cops() {
  local -a lines=()
  local line at=1
  COMPREPLY=()
  while IFS= read -r line; do lines+=("$line"); done < <(
    command cops __complete bash line "${COMP_TYPE:-9}" "${COLUMNS:-80}" "$COMP_WORDBREAKS" \
      "${COMP_LINE:0:COMP_POINT}" 2>/dev/null
  )
  if [[ ${lines[0]} == files ]]; then
    at=3
    # Behind a prefix bash cannot see the path: where a folder ends and what needs a backslash is said here.
    [[ -z ${lines[1]} ]] && compopt -o filenames +o nospace 2>/dev/null
    while IFS= read -r line; do
      if [[ -n ${lines[1]} ]]; then
        [[ -d $line ]] && line+=/
        [[ ${COMP_WORDS[COMP_CWORD]} == [\"\']* ]] || printf -v line %q "$line"
      fi
      COMPREPLY+=("${lines[1]}$line")
    done < <(compgen -f -- "${lines[2]}")
  fi
  while ((at < ${#lines[@]})); do
    COMPREPLY+=("${lines[at]}")
    at=$((at + 1))
  done
}
complete -o nospace -o nosort -F _cops cops 2>/dev/null || complete -o nospace -F _cops cops

import type { Shell } from './shells.js';

/** In every script: it marks a file as written by this program. */
export const SCRIPT_MARK = 'completion of cops, written by "cops completion';

/** The completion script of a shell: it asks the program at each Tab and knows nothing itself. */
export const shellScript = (shell: Shell): string => SCRIPTS[shell];

const BASH = `# bash ${SCRIPT_MARK} bash"
_cops() {
  local -a lines=()
  local line at=1
  COMPREPLY=()
  while IFS= read -r line; do lines+=("$line"); done < <(
    command cops __complete bash line "\${COMP_TYPE:-9}" "\${COLUMNS:-80}" "$COMP_WORDBREAKS" \\
      "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null
  )
  if [[ \${lines[0]} == files ]]; then
    at=3
    # Behind a prefix bash cannot see the path: where a folder ends and what needs a backslash is said here.
    [[ -z \${lines[1]} ]] && compopt -o filenames +o nospace 2>/dev/null
    while IFS= read -r line; do
      if [[ -n \${lines[1]} ]]; then
        [[ -d $line ]] && line+=/
        [[ \${COMP_WORDS[COMP_CWORD]} == [\\"\\']* ]] || printf -v line %q "$line"
      fi
      COMPREPLY+=("\${lines[1]}$line")
    done < <(compgen -f -- "\${lines[2]}")
  fi
  while ((at < \${#lines[@]})); do
    COMPREPLY+=("\${lines[at]}")
    at=$((at + 1))
  done
}
complete -o nospace -o nosort -F _cops cops 2>/dev/null || complete -o nospace -F _cops cops
`;

const ZSH = `#compdef cops
# zsh ${SCRIPT_MARK} zsh"
_cops() {
  local -a lines whole open whole_shown open_shown
  local line value shown tab=$'\\t'
  integer at=2 width=0
  lines=("\${(@f)$(command cops __complete zsh $((CURRENT - 1)) "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == files ]]; then
    at=4
    # What stands before the path is settled: the shell's own file completion takes the rest.
    if [[ -n $lines[2] ]]; then
      compset -P "\${(b)lines[2]}" || compset -P "\${(bq)lines[2]}"
    fi
    _files
  fi
  for line in "\${(@)lines[at,-1]}"; do
    value=\${line%%$tab*}
    ((\${#value} > width)) && width=\${#value}
  done
  for line in "\${(@)lines[at,-1]}"; do
    value=\${line%%$tab*}
    [[ -z $value ]] && continue
    shown=$value
    [[ $line == *$tab* ]] && shown="\${(r:width:)value}  -- \${line#*$tab}"
    shown=\${shown[1,COLUMNS-1]}
    if [[ $value == *[=@:.,/] ]]; then
      open+=("$value") open_shown+=("$shown")
    else
      whole+=("$value") whole_shown+=("$shown")
    fi
  done
  (($#whole)) && compadd -U -l -V cops -d whole_shown -a -- whole
  (($#open)) && compadd -U -l -V cops-open -S '' -d open_shown -a -- open
  return 0
}
if [[ $funcstack[1] == _cops ]]; then
  _cops "$@"
else
  compdef _cops cops
fi
`;

const FISH = `# fish ${SCRIPT_MARK} fish"
function __cops_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command cops __complete fish (count $before) $before "$current" 2>/dev/null)
    set -l at 2
    if test "$lines[1]" = files
        set at 4
        for path in (__fish_complete_path "$lines[3]")
            printf '%s%s\\n' "$lines[2]" "$path"
        end
    end
    if test (count $lines) -ge $at
        printf '%s\\n' $lines[$at..-1]
    end
end
complete -c cops -e
complete -c cops -f -k -a '(__cops_complete)'
`;

const POWERSHELL = `# PowerShell ${SCRIPT_MARK} powershell"
Register-ArgumentCompleter -Native -CommandName cops -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    $index = $words.Count
    if ($wordToComplete -ne '' -and $index -gt 1) { $index = $index - 1 }
    $lines = @(cops __complete powershell $index @words 2>$null)
    $at = 1
    if ($lines.Count -gt 2 -and $lines[0] -eq 'files') {
        $at = 3
        $prefix = $lines[1]
        Get-ChildItem -Path ($lines[2] + '*') -ErrorAction SilentlyContinue | ForEach-Object {
            $folder = Split-Path -Path $lines[2] -Parent
            $path = if ($lines[2] -match '[\\\\/]$') { Join-Path $lines[2] $_.Name } elseif ($folder) { Join-Path $folder $_.Name } else { $_.Name }
            $text = ($prefix.Trim("'")) + $path
            if ($text -notmatch '^[A-Za-z0-9_./:=+\\\\-]*$') { $text = "'" + $text.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($text, $_.Name, 'ProviderItem', $path)
        }
    }
    for (; $at -lt $lines.Count; $at++) {
        $value, $about = $lines[$at] -split "\`t", 2
        if (-not $value) { continue }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

# PowerShell completion of cops, written by "cops completion powershell"
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
            $path = if ($lines[2] -match '[\\/]$') { Join-Path $lines[2] $_.Name } elseif ($folder) { Join-Path $folder $_.Name } else { $_.Name }
            $text = ($prefix.Trim("'")) + $path
            if ($text -notmatch '^[A-Za-z0-9_./:=+\\-]*$') { $text = "'" + $text.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($text, $_.Name, 'ProviderItem', $path)
        }
    }
    for (; $at -lt $lines.Count; $at++) {
        $value, $about = $lines[$at] -split "`t", 2
        if (-not $value) { continue }
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}

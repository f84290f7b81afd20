# Installs cops for one user on Windows: fetches the executable and its checksums, compares, tries it, puts it in place.
#   powershell -ExecutionPolicy Bypass -File install.ps1 <address of the release> [folder]
# The folder is %LOCALAPPDATA%\Programs\cops unless named. An older cops stays as it is until the new one has run.
# Not tried on Windows by those who made it.
param(
  [Parameter(Mandatory = $true)] [string] $Source,
  [string] $Folder = (Join-Path $env:LOCALAPPDATA 'Programs\cops')
)
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

function Stop-Install([string] $Why) {
  [Console]::Error.WriteLine("install: $Why")
  exit 1
}

$Address = $null
if (-not [Uri]::TryCreate($Source.TrimEnd('/'), [UriKind]::Absolute, [ref] $Address)) { Stop-Install "$Source is no address" }
$Near = $Address.Host -eq '127.0.0.1' -or $Address.Host -eq 'localhost'
if ($Address.Scheme -ne 'https' -and -not ($Address.Scheme -eq 'http' -and $Near)) { Stop-Install "$Source is not https" }
if ($Address.UserInfo -ne '') { Stop-Install "$Source is not the address of a host alone" }
if ($env:PROCESSOR_ARCHITECTURE -eq 'x86') { Stop-Install 'there is no executable for 32-bit Windows' }

$File = 'cops-windows-x64.exe'
$Target = Join-Path $Folder 'cops.exe'
if (Test-Path -LiteralPath $Folder -PathType Leaf) { Stop-Install "$Folder is a file, not a folder" }
if (Test-Path -LiteralPath $Target -PathType Container) { Stop-Install "$Target is a folder" }
try { New-Item -ItemType Directory -Force -Path $Folder | Out-Null } catch { Stop-Install "$Folder cannot be made" }
$Work = Join-Path $Folder ('.cops-install-' + [IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $Work | Out-Null

function Get-Part([string] $Name) {
  $Request = [Net.WebRequest]::Create("$($Address.AbsoluteUri.TrimEnd('/'))/$Name")
  # Where it is sent on nobody holds it to https.
  $Request.AllowAutoRedirect = $false
  $Request.Timeout = 30000
  $Request.ReadWriteTimeout = 30000
  try {
    $Response = $Request.GetResponse()
    if ([int] $Response.StatusCode -ne 200) { Stop-Install "$Name was not fetched: the server answers $([int] $Response.StatusCode)" }
    $From = $Response.GetResponseStream()
    $To = [IO.File]::Create((Join-Path $Work $Name))
    try {
      $Buffer = New-Object byte[] 1048576
      $Done = 0
      while (($Read = $From.Read($Buffer, 0, $Buffer.Length)) -gt 0) {
        $To.Write($Buffer, 0, $Read)
        $Done += $Read
        if ($Response.ContentLength -gt 0) {
          Write-Progress -Activity "Fetching $Name" -PercentComplete ([Math]::Min(100, 100 * $Done / $Response.ContentLength))
        }
      }
    } finally {
      $To.Dispose()
      $Response.Dispose()
    }
  } catch [Net.WebException], [IO.IOException] {
    Stop-Install "$Name was not fetched: $($_.Exception.Message) Nothing was installed."
  }
}

try {
  Get-Part 'SHA256SUMS'
  $Wanted = Get-Content -LiteralPath (Join-Path $Work 'SHA256SUMS') |
    ForEach-Object { , ($_ -split '\s+', 2) } |
    Where-Object { $_[1].TrimStart('*') -eq $File } |
    ForEach-Object { $_[0] } | Select-Object -First 1
  if (-not $Wanted) { Stop-Install "SHA256SUMS does not name $File" }
  Get-Part $File
  $Program = Join-Path $Work $File
  $Found = (Get-FileHash -LiteralPath $Program -Algorithm SHA256).Hash
  if ($Found -ne $Wanted) { Stop-Install "the checksum of $File is $Found, not $($Wanted): nothing was installed" }
  $Version = & $Program --version
  if ($LASTEXITCODE -ne 0) { Stop-Install "$File does not run on this machine: nothing was installed" }

  # A program that runs cannot be replaced, but it can be moved away; it comes back when the new one cannot be moved in.
  $Old = Join-Path $Folder 'cops.exe.old'
  if (Test-Path -LiteralPath $Target) {
    Remove-Item -LiteralPath $Old -Force -ErrorAction SilentlyContinue
    Move-Item -LiteralPath $Target -Destination $Old
    try { Move-Item -LiteralPath $Program -Destination $Target } catch {
      Move-Item -LiteralPath $Old -Destination $Target
      Stop-Install "$Target cannot be replaced: it is as it was"
    }
    Remove-Item -LiteralPath $Old -Force -ErrorAction SilentlyContinue
  } else {
    Move-Item -LiteralPath $Program -Destination $Target
  }
  Write-Host "cops $Version is installed in $Folder."
  if (($env:PATH -split ';') -notcontains $Folder) { Write-Host "Add $Folder to PATH to call it by its name." }
} finally {
  Remove-Item -LiteralPath $Work -Recurse -Force -ErrorAction SilentlyContinue
}

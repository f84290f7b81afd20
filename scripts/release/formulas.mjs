// What package managers read: one record of the release, rendered for Homebrew, Scoop and winget.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ABOUT = 'Command-line tool for running an online sales business';

/** Writes the formula files for a release whose files lie under `url`; `sums` are SHA-256 by file name. */
export function writeFormulas({ version, url, sums, names, output }) {
  const folder = path.join(output, 'formulas');
  mkdirSync(folder, { recursive: true });
  const of = (platform) => ({ url: `${url}/${names[platform]}`, sha256: sums[names[platform]] });
  const files = {
    'cops.rb': homebrew(version, of('macos-arm64'), of('linux-x64')),
    'cops.json': `${JSON.stringify(scoop(version, of('win-x64')), null, 2)}\n`,
    'cops.winget.yaml': winget(version, of('win-x64')),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return Object.keys(files).map((name) => path.join('formulas', name));
}

function homebrew(version, mac, linux) {
  return `class Cops < Formula
  desc "${ABOUT}"
  homepage "${new URL(mac.url).origin}"
  version "${version}"
  on_macos do
    url "${mac.url}"
    sha256 "${mac.sha256}"
  end
  on_linux do
    url "${linux.url}"
    sha256 "${linux.sha256}"
  end
  def install
    bin.install Dir["cops-*"].first => "cops"
    # The file is not signed; an ad hoc signature is what macOS asks for on this machine.
    system "codesign", "--force", "--sign", "-", bin/"cops" if OS.mac?
    generate_completions_from_executable(bin/"cops", "completion")
  end
  test do
    assert_match version.to_s, shell_output("#{bin}/cops --version")
  end
end
`;
}

function scoop(version, windows) {
  return {
    version,
    description: ABOUT,
    homepage: new URL(windows.url).origin,
    license: 'Proprietary',
    architecture: { '64bit': { url: `${windows.url}#/cops.exe`, hash: windows.sha256 } },
    bin: 'cops.exe',
  };
}

function winget(version, windows) {
  return `PackageIdentifier: cops.cops
PackageVersion: ${version}
PackageLocale: en-US
Publisher: cops
PackageName: cops
License: Proprietary
ShortDescription: ${ABOUT}
InstallerType: portable
Commands:
  - cops
Installers:
  - Architecture: x64
    InstallerUrl: ${windows.url}
    InstallerSha256: ${windows.sha256.toUpperCase()}
ManifestType: singleton
ManifestVersion: 1.6.0
`;
}

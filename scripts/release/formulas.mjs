// Package manager files: one record of the release, rendered for Homebrew, Scoop and winget.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ABOUT = 'Command-line tool for running an online sales business';

/**
 * Writes the formula files for a release whose files lie under `url`; `sums` are SHA-256 by file name, `names` the
 * files by platform. Each formula names the processors that it has files for, so no other can install it.
 */
export function writeFormulas({ version, url, sums, names, output }) {
  const folder = path.join(output, 'formulas');
  mkdirSync(folder, { recursive: true });
  const fileOf = (name) => ({ url: `${url}/${name}`, sha256: sums[name] });
  const of = (platform) => names[platform] && fileOf(names[platform]);
  const files = { 'cops.rb': homebrew(version, url, of, fileOf('cops-share.tar.gz')) };
  const windows = of('win-x64');
  if (windows) {
    files['cops.json'] = `${JSON.stringify(scoop(version, windows), null, 2)}\n`;
    files['cops.winget.yaml'] = winget(version, windows);
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return Object.keys(files).map((name) => path.join('formulas', name));
}

const SYSTEMS = {
  macos: { arm: 'macos-arm64', intel: 'macos-x64' },
  linux: { arm: 'linux-arm64', intel: 'linux-x64' },
};

function homebrew(version, url, of, share) {
  const filesOn = (system) => Object.entries(SYSTEMS[system]).filter(([, platform]) => of(platform));
  const served = Object.keys(SYSTEMS).filter((system) => filesOn(system).length > 0);
  // Excludes a system without files in the same way as a processor.
  const guards = served.length === 1 ? [`  depends_on :${served[0]}`] : [];
  const systems = served.map((system) => {
    const there = filesOn(system);
    const [only] = there.length === 1 ? there[0] : [];
    const guard = only ? [`    depends_on arch: :${only === 'arm' ? 'arm64' : 'x86_64'}`] : [];
    const files = there.map(
      ([processor, platform]) =>
        `    on_${processor} do\n      url "${of(platform).url}"\n      sha256 "${of(platform).sha256}"\n    end`,
    );
    return [`  on_${system} do`, ...guard, ...files, '  end'].join('\n');
  });
  return `class Cops < Formula
  desc "${ABOUT}"
  homepage "${new URL(url).origin}"
  version "${version}"
${[...guards, ...systems].join('\n')}
  resource "share" do
    url "${share.url}"
    sha256 "${share.sha256}"
  end
  def install
    bin.install Dir["cops-*"].first => "cops"
    # The file is not signed; an ad hoc signature is what macOS asks for on this machine.
    system "codesign", "--force", "--sign", "-", bin/"cops" if OS.mac?
    resource("share").stage do
      man1.install Dir["man/man1/*"]
      doc.install "doc/cops/THIRD-PARTY-NOTICES"
    end
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

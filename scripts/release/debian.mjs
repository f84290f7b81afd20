// The Debian package: the executable, completions and man pages in the places where Debian has them.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const ABOUT = `Command-line tool for running an online sales business
 Looks up, cancels and refunds, exports and reports, and moves set-ups from
 test to live, over the Commerce Operations REST API.`;

const MAINTAINER = 'cops maintainers <maintainers@example.org>';

// By design, the executable contains Node with its libraries, and an appended program. The program looks up its own entry
// among the installed packages, so that `cops update` names apt.
const OVERRIDES = `cops: embedded-library
cops: hardening-no-pie
cops: spelling-error-in-binary
cops: uses-dpkg-database-directly
`;

/** Builds `<output>/cops_<version>_amd64.deb`. Same inputs and `seconds` (unix time), same bytes. */
export function buildDebian({ version, executable, completions, man, notices, work, output, seconds }) {
  const top = path.join(work, 'deb');
  const put = (where, file, mode = 0o644) => {
    const target = path.join(top, where);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(file, target);
    chmodSync(target, mode);
  };
  const write = (where, content) => {
    const target = path.join(top, where);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
    chmodSync(target, 0o644);
  };
  put('usr/bin/cops', executable, 0o755);
  put('usr/share/bash-completion/completions/cops', path.join(completions, 'cops.bash'));
  put('usr/share/zsh/vendor-completions/_cops', path.join(completions, '_cops'));
  put('usr/share/fish/vendor_completions.d/cops.fish', path.join(completions, 'cops.fish'));
  for (const page of readdirSync(man)) {
    write(`usr/share/man/man1/${page}.gz`, gzipSync(readFileSync(path.join(man, page)), { level: 9 }));
  }
  const day = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  const news = `cops (${version}) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- ${MAINTAINER}  ${day}\n`;
  write('usr/share/doc/cops/changelog.gz', gzipSync(news, { level: 9 }));
  const where = 'The licences of the parts inside: THIRD-PARTY-NOTICES.gz in this folder.';
  write('usr/share/doc/cops/copyright', `Copyright 2026 the owner of cops. All rights reserved.\n\n${where}\n`);
  write('usr/share/doc/cops/THIRD-PARTY-NOTICES.gz', gzipSync(notices, { level: 9 }));
  write('usr/share/lintian/overrides/cops', OVERRIDES);
  const size = Math.ceil(statSync(executable).size / 1024);
  write(
    'DEBIAN/control',
    `Package: cops\nVersion: ${version}\nArchitecture: amd64\nSection: utils\nPriority: optional\n` +
      `Maintainer: ${MAINTAINER}\nInstalled-Size: ${size}\n` +
      `Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6\nDescription: ${ABOUT}\n`,
  );
  write('DEBIAN/md5sums', checksums(top));
  for (const folder of foldersOf(top)) chmodSync(folder, 0o755);
  const file = path.join(output, `cops_${version}_amd64.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--build', top, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
  return file;
}

function checksums(top) {
  const files = execFileSync('find', ['usr', '-type', 'f'], { cwd: top, encoding: 'utf8' }).trim().split('\n').sort();
  return execFileSync('md5sum', files, { cwd: top, encoding: 'utf8' });
}

function foldersOf(top) {
  return execFileSync('find', [top, '-type', 'd'], { encoding: 'utf8' }).trim().split('\n');
}

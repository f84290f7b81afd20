// The contents of share/ next to bin: man pages, completions, and licence notices.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const COMPLETIONS = {
  'bash-completion/completions/cops': 'cops.bash',
  'zsh/site-functions/_cops': '_cops',
  'fish/vendor_completions.d/cops.fish': 'cops.fish',
};

/** Packs them as `cops-share.tar.gz` in `output`. Same inputs and `seconds` (unix time), same bytes. */
export function packShare({ man, completions, notices, work, output, seconds }) {
  const top = path.join(work, 'share-root');
  const place = (name) => {
    const target = path.join(top, 'share', name);
    mkdirSync(path.dirname(target), { recursive: true });
    return target;
  };
  for (const page of readdirSync(man)) copyFileSync(path.join(man, page), place(`man/man1/${page}`));
  for (const [name, file] of Object.entries(COMPLETIONS)) copyFileSync(path.join(completions, file), place(name));
  writeFileSync(place('doc/cops/THIRD-PARTY-NOTICES'), notices);
  for (const name of readdirSync(top, { recursive: true, withFileTypes: true })) {
    chmodSync(path.join(name.parentPath, name.name), name.isDirectory() ? 0o755 : 0o644);
  }
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`, '--format=ustar'];
  const packed = path.join(work, 'cops-share.tar');
  execFileSync('tar', [...same, '-cf', packed, '-C', top, 'share']);
  const name = 'cops-share.tar.gz';
  writeFileSync(path.join(output, name), execFileSync('gzip', ['-9nc', packed], { maxBuffer: 64_000_000 }));
  return name;
}

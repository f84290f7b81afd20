// The container image: an OCI layout, and the same as a Containerfile. It contains the executable, the libraries that
// it needs from Debian, and nothing else: no shell, no package manager, no user but its own. Needs mmdebstrap and
// umoci.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const SUITE = 'bookworm';
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6'];
/** The files to take from these packages; character set converters are left out. */
const LIBRARIES = ['./lib', './lib64', './usr/lib/x86_64-linux-gnu/libstdc++*'];
const COPYRIGHTS = './usr/share/doc/*/copyright';
const DATA = '/data';
const USER = 65532;
/** The configuration of a container. Keys come from its environment, as `COPS_API_KEY` or as a profile names them. */
const RUNS = {
  user: `${USER}:${USER}`,
  entrypoint: '/usr/bin/cops',
  workdir: DATA,
  volume: DATA,
  env: { COPS_CONFIG_DIR: `${DATA}/config`, COPS_DATA_DIR: `${DATA}/records`, HOME: DATA },
};
const ROOT_FILE = 'cops-root-linux-x64.tar.gz';

/**
 * Writes the image to `output`: its root, a Containerfile that uses it, and the layout as one archive.
 * @param snapshot time of the Debian snapshot to use (20261101T000000Z); today's packages by default
 * @returns the file names, and the packages with their versions
 */
export function buildImage({ version, executable, notices, work, output, seconds, snapshot }) {
  const { archive, packages } = fetchLibraries({ work, seconds, snapshot });
  const layer = layRoot({ archive, executable, notices, work, seconds });
  writeFileSync(path.join(output, ROOT_FILE), gzipSync(readFileSync(layer), { level: 9 }));
  writeFileSync(path.join(output, 'Containerfile'), containerfile());
  const image = 'cops-oci-linux-x64.tar';
  const layout = layOut({ layer, version, packages, work, seconds });
  pack(layout, path.join(output, image), seconds);
  return { files: [ROOT_FILE, 'Containerfile', image], packages };
}

/** Sources of Debian's packages: a snapshot stays as it is, today's archive changes with each fix. */
export function sourcesOf(snapshot) {
  const base = (name) =>
    snapshot ? `http://snapshot.debian.org/archive/${name}/${snapshot}` : `http://deb.debian.org/${name}`;
  const options = snapshot ? '[check-valid-until=no] ' : '';
  return [
    `deb ${options}${base('debian')} ${SUITE} main`,
    `deb ${options}${base('debian-security')} ${SUITE}-security main`,
  ];
}

/**
 * Lets apt fetch and verify the packages; runs nothing from them, so it needs no root.
 * @param packages Debian packages besides those of the image
 * @returns path of a tar, and the packages with their versions
 */
export function fetchLibraries({ work, seconds, snapshot, packages: further = [] }) {
  const archive = path.join(work, 'debian.tar');
  const list = path.join(work, 'debian.packages');
  const args = [
    ...['--quiet', '--variant=extract', '--architectures=amd64', '--skip=output/dev'],
    `--include=${[...PACKAGES, ...further].join(',')}`,
    `--extract-hook=ls "$1"/var/cache/apt/archives >'${list}'`,
    ...[SUITE, archive, ...sourcesOf(snapshot)],
  ];
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  execFileSync('mmdebstrap', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const files = readFileSync(list, 'utf8').split('\n');
  const packages = files.filter((name) => name.endsWith('.deb')).map((name) => name.split('_').slice(0, 2).join('='));
  return { archive, packages: packages.map(decodeURIComponent) };
}

/**
 * Builds the image's root from Debian's files (`archive`, a tar) and our own.
 * @returns path of a tar; same inputs and `seconds`, same bytes
 */
export function layRoot({ archive, executable, notices, work, seconds }) {
  const top = path.join(work, 'image-root');
  rmSync(top, { recursive: true, force: true });
  for (const folder of ['dev', 'etc', 'proc', 'sys', 'tmp', 'usr/bin', 'usr/share/doc/cops', DATA.slice(1)]) {
    mkdirSync(path.join(top, folder), { recursive: true, mode: 0o755 });
  }
  const wanted = ['--wildcards', ...LIBRARIES, COPYRIGHTS];
  execFileSync('tar', ['-xf', archive, '-C', top, '--no-same-owner', ...wanted]);
  copyFileSync(executable, path.join(top, RUNS.entrypoint));
  chmodSync(path.join(top, RUNS.entrypoint), 0o755);
  writeFileSync(path.join(top, 'etc/passwd'), `cops:x:${USER}:${USER}::${DATA}:/nonexistent\n`);
  writeFileSync(path.join(top, 'etc/group'), `cops:x:${USER}:\n`);
  writeFileSync(path.join(top, 'usr/share/doc/cops/THIRD-PARTY-NOTICES'), notices);
  const layer = path.join(work, 'image-root.tar');
  const tar = (owner, mode, ...rest) =>
    execFileSync('tar', [...sameBytes(seconds, owner), `--mode=${mode}`, '-f', layer, '-C', top, ...rest]);
  const own = [DATA.slice(1), 'tmp'];
  const others = readdirSync(top).filter((name) => !own.includes(name));
  tar(0, 'u=rwX,go=rX', '-c', ...others.sort());
  tar(USER, '0700', '-r', ...own);
  return layer;
}

/** The OCI layout: one layer and its configuration. */
function layOut({ layer, version, packages, work, seconds }) {
  const layout = path.join(work, 'image');
  rmSync(layout, { recursive: true, force: true });
  const created = new Date(seconds * 1000).toISOString().replace('.000', '');
  const umoci = (...args) => execFileSync('umoci', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const image = `${layout}:${version}`;
  umoci('init', '--layout', layout);
  umoci('new', '--image', image);
  umoci('raw', 'add-layer', '--history.created', created, '--image', image, layer);
  const labels = {
    'org.opencontainers.image.title': 'cops',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.base.name': `debian:${SUITE}`,
    packages: packages.join(' '),
  };
  umoci(
    'config',
    ...['--no-history', '--created', created, '--architecture', 'amd64', '--os', 'linux'],
    ...['--config.user', RUNS.user, '--config.entrypoint', RUNS.entrypoint],
    ...['--config.workingdir', RUNS.workdir, '--config.volume', RUNS.volume],
    ...Object.entries(RUNS.env).flatMap(([name, value]) => ['--config.env', `${name}=${value}`]),
    ...Object.entries(labels).flatMap(([name, value]) => ['--config.label', `${name}=${value}`]),
    ...['--image', image],
  );
  umoci('gc', '--layout', layout);
  return layout;
}

function pack(folder, file, seconds) {
  execFileSync('tar', [...sameBytes(seconds, 0), '--mode=u=rwX,go=rX', '-cf', file, '-C', folder, '.']);
}

function sameBytes(seconds, owner) {
  const who = [`--owner=${owner}`, `--group=${owner}`, '--numeric-owner'];
  return ['--sort=name', ...who, `--mtime=@${seconds}`, '--format=ustar'];
}

/** The same image as a Containerfile, next to the archive of its root. */
export function containerfile() {
  const env = Object.entries(RUNS.env).map(([name, value]) => `${name}=${value}`);
  return `# Untried by those who made it: what was tried is the OCI layout beside it, of the same root and settings.
#   podman build --tag cops .
#   podman run --rm --read-only --tmpfs /tmp --volume cops:${DATA} --env COPS_BASE_URL --env COPS_API_KEY cops whoami
FROM scratch
ADD ${ROOT_FILE} /
ENV ${env.join(' ')}
USER ${RUNS.user}
WORKDIR ${RUNS.workdir}
VOLUME ${RUNS.volume}
ENTRYPOINT ["${RUNS.entrypoint}"]
`;
}

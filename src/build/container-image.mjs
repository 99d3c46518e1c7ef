// Builds the container image and stores it as an archive that `docker load` and `podman load` read.

import { execFileSync } from 'node:child_process'

// An image in the OCI format, which Podman and Buildah build by default, has no health check.
// prettier-ignore
const engines = {
  docker:  { build: ['build'],                       save: (image, file) => ['save', '--output', file, image] },
  podman:  { build: ['build', '--format', 'docker'], save: (image, file) => ['save', '--quiet', '--output', file, image] },
  buildah: { build: ['build', '--format', 'docker'], save: (image, file) => ['push', '--quiet', image, `docker-archive:${file}:${image}`] },
}

/** Returns undefined without an engine. Docker's program may be installed without its service. */
export function findEngine() {
  return Object.keys(engines).find((engine) => {
    try {
      execFileSync(engine, ['info'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

export function buildImage(engine, { image, commit, file }) {
  const run = (...args) => execFileSync(engine, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const { build, save } = engines[engine]
  run(...build, '--tag', image, '--build-arg', `WORKGATE_COMMIT=${commit}`, '.')
  run(...save(image, file))
}

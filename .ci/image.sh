#!/usr/bin/env bash
# Builds the image, and checks the health of an emulator that runs in it with its data in a volume. (If the volume belonged
# to another user, the emulator would not start.) Without a container engine, prints a message and does nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! timeout 20 docker info >/dev/null 2>&1; then
  echo "image: not built, because no container engine answers here (docker info); a test lints the Dockerfile"
  exit 0
fi

tag=data-service-emulator:ci
docker build --quiet --tag "$tag" .
container=$(docker run --detach --volume /data --env DATA_SERVICE_PERSIST=/data "$tag")
trap 'docker rm --force --volumes "$container" >/dev/null' EXIT
for _ in $(seq 60); do
  state=$(docker inspect --format '{{.State.Health.Status}}' "$container")
  if [ "$state" = healthy ]; then
    echo "image: built, and healthy when started"
    exit 0
  fi
  sleep 1
done
docker logs "$container"
echo "image: not healthy after a minute" >&2
exit 1

#!/usr/bin/env bash
# Builds the image and asks the emulator in it for its health, where a container engine answers; says so where none does.
# The emulator keeps its data in a volume: it does not start where that belongs to another user.
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

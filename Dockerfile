# Builds an image of the emulator: the package and its dependencies, and nothing else from the repository.
#   docker build --tag data-service-emulator .
FROM node:24-alpine AS package
WORKDIR /source
COPY . .
# npm pack also builds the package
RUN npm ci --ignore-scripts && npm pack --pack-destination /tmp

FROM node:24-alpine
ENV NODE_ENV=production
COPY --from=package /tmp/data-service-emulator-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund --ignore-scripts /tmp/data-service-emulator-*.tgz \
  && npm cache clean --force \
  && rm /tmp/*.tgz
# a volume for --persist; the user must own it
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /home/node
EXPOSE 4100
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4100/_emulator').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["data-service"]
# nothing outside the container can reach its loopback interface
CMD ["start", "--host", "0.0.0.0"]

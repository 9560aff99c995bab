import { Writable } from "node:stream";

/** Creates a stream that collects what is written to it: a log or, with `isTTY`, a terminal that shows colors. */
export function createCollectingStream(isTTY = false) {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write: (more: string, _encoding, done) => {
      text += more;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream, written: () => text };
}
